package dev.zarrreactive.store.zip;

import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.zarrreactive.base.ByteRange;
import dev.zarrreactive.base.Bytes;
import dev.zarrreactive.base.StoreKey;
import dev.zarrreactive.error.StoreException;
import dev.zarrreactive.store.Store;
import dev.zarrreactive.store.memory.MemoryStore;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/** Short ways to put an archive somewhere and to look into it. */
final class Zips {
  static final StoreKey KEY = StoreKey.of("data/a.zip");

  private static final Duration TIMEOUT = Duration.ofSeconds(30);

  private Zips() {}

  static Store holding(byte[] zip) {
    MemoryStore store = MemoryStore.create();
    await(store.set(KEY, Bytes.wrap(zip)));
    return store;
  }

  static ZipStore open(byte[] zip) {
    return open(holding(zip));
  }

  static ZipStore open(Store store) {
    return await(ZipStore.open(store, KEY));
  }

  static byte[] get(Store store, String key) {
    Bytes value = await(store.get(StoreKey.of(key)));
    return value == null ? null : value.toByteArray();
  }

  static byte[] get(Store store, String key, ByteRange range) {
    Bytes value = await(store.get(StoreKey.of(key), range));
    return value == null ? null : value.toByteArray();
  }

  static List<String> keys(Store store) {
    return await(store.list().map(StoreKey::value).collectList());
  }

  static StoreException refusal(byte[] zip) {
    return catchThrowableOfType(StoreException.class, () -> open(zip));
  }

  static StoreException refusal(Store store, String key) {
    return catchThrowableOfType(StoreException.class, () -> get(store, key));
  }

  static byte[] resource(String name) {
    try (var in = Zips.class.getResourceAsStream(name)) {
      return Objects.requireNonNull(in, name).readAllBytes();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  static <T> T await(Mono<T> mono) {
    return mono.block(TIMEOUT);
  }

  static <T> List<T> await(Flux<T> flux) {
    return await(flux.collectList());
  }

  /** Bytes that do not compress. */
  static byte[] random(int size, long seed) {
    byte[] bytes = new byte[size];
    new java.util.Random(seed).nextBytes(bytes);
    return bytes;
  }
}
