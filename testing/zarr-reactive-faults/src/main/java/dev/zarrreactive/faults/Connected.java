package dev.zarrreactive.faults;

import dev.zarrreactive.store.Store;

/** A store over a server, with a view of its connections. */
public interface Connected extends AutoCloseable {
  /** Returns the store, which resumes bodies that were cut and retries no other failure. */
  Store store();

  /** Returns the number of connections of its pool in use, and of requests that wait for one. */
  int busyConnections();

  /** Closes the store and all of its connections. May block. */
  @Override
  void close();
}
