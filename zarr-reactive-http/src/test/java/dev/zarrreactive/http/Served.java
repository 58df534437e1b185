package dev.zarrreactive.http;

import static dev.zarrreactive.testing.Waiting.await;

import dev.zarrreactive.base.Bytes;
import dev.zarrreactive.base.StoreKey;
import dev.zarrreactive.faults.server.FaultyServer;
import dev.zarrreactive.store.memory.MemoryStore;
import java.time.Duration;
import java.util.Random;
import java.util.function.UnaryOperator;

/** A server with one value, and a store over it. */
final class Served implements AutoCloseable {
  static final StoreKey KEY = StoreKey.of("a/c/0");
  static final Duration PATIENCE = Duration.ofSeconds(60);

  final MemoryStore values = MemoryStore.create();
  final FaultyServer server = FaultyServer.of(values);
  final Bytes value;
  final HttpStore store;

  Served(int size, boolean http2, UnaryOperator<HttpStoreBuilder> settings) {
    byte[] random = new byte[size];
    new Random(size).nextBytes(random);
    value = Bytes.wrap(random);
    values.set(KEY, value).block();
    store = settings.apply(HttpStore.at(server.uri()).http2(http2)).open();
  }

  Served(int size, boolean http2) {
    this(size, http2, UnaryOperator.identity());
  }

  @Override
  public void close() {
    await(store.close());
    server.close();
  }
}
