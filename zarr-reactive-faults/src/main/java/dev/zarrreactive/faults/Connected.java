package dev.zarrreactive.faults;

import dev.zarrreactive.store.Store;

/** A store over a server, and what can be seen of its connections. */
public interface Connected extends AutoCloseable {
  /** The store, which repeats nothing that failed but a body that was cut. */
  Store store();

  /** How many connections of its pool are in use or waited for. */
  int busyConnections();

  /** Closes the store and all of its connections. May block. */
  @Override
  void close();
}
