package dev.zarrreactive.http;

import dev.zarrreactive.base.Bytes;
import dev.zarrreactive.base.StoreKey;
import dev.zarrreactive.faults.server.FaultyServer;
import dev.zarrreactive.store.memory.MemoryStore;
import java.time.Duration;
import java.util.Random;
import java.util.function.UnaryOperator;
import org.assertj.core.api.Assertions;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Schedulers;

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

  /** Subscribed on a thread that must not block. */
  static <T> @Nullable T await(Mono<T> mono) {
    return mono.subscribeOn(Schedulers.parallel()).block(PATIENCE);
  }

  static Throwable errorOf(Mono<?> mono) {
    return Assertions.catchThrowable(() -> await(mono));
  }

  @Override
  public void close() {
    await(store.close());
    server.close();
  }
}
