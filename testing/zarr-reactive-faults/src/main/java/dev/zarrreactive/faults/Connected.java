package dev.zarrreactive.faults;

import dev.zarrreactive.store.Store;
import dev.zarrreactive.testing.Waiting;
import java.util.function.IntSupplier;

/**
 * A store over a server, with a view of its connections.
 *
 * @param store resumes bodies that were cut and retries no other failure
 * @param busy the number of connections of its pool in use, and of requests that wait for one
 * @param closing closes the store and all of its connections
 */
public record Connected(Store store, IntSupplier busy, Runnable closing) implements AutoCloseable {
  /** A store that closes its connections. */
  public Connected(Store store, IntSupplier busy) {
    this(store, busy, () -> Waiting.await(store.close()));
  }

  /** Returns a store over this one. */
  public Connected behind(Store other) {
    return new Connected(other, busy, closing);
  }

  /** Returns the number of connections of its pool in use, and of requests that wait for one. */
  public int busyConnections() {
    return busy.getAsInt();
  }

  /** Closes the store and all of its connections. Blocks. */
  @Override
  public void close() {
    closing.run();
  }
}
