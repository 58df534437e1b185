package dev.zarrreactive.docs;

import java.util.concurrent.CompletableFuture;

/** The asynchronous client of some service, as the sample store of docs/stores.md wraps it. */
interface KeyValueClient {
  /** The value, or null where there is none. */
  CompletableFuture<byte[]> get(String key);

  CompletableFuture<Void> put(String key, byte[] value);

  CompletableFuture<Void> delete(String key);
}
