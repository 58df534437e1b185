package dev.zarrreactive.docs;

import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;

/** A service that is a map. */
final class MapClient implements KeyValueClient {
  private final Map<String, byte[]> values = new ConcurrentHashMap<>();

  @Override
  public CompletableFuture<byte[]> get(String key) {
    return CompletableFuture.completedFuture(values.get(key));
  }

  @Override
  public CompletableFuture<Void> put(String key, byte[] value) {
    return CompletableFuture.runAsync(() -> values.put(key, value));
  }

  @Override
  public CompletableFuture<Void> delete(String key) {
    return CompletableFuture.runAsync(() -> values.remove(key));
  }
}
