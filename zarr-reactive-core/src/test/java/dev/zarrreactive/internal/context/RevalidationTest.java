package dev.zarrreactive.internal.context;

import static org.assertj.core.api.Assertions.assertThat;

import dev.zarrreactive.array.NdArray;
import dev.zarrreactive.array.Shape;
import dev.zarrreactive.base.Bytes;
import dev.zarrreactive.base.StoreKey;
import dev.zarrreactive.datatype.DataTypes;
import dev.zarrreactive.internal.cache.Generations;
import dev.zarrreactive.internal.observation.Instrumentation;
import dev.zarrreactive.internal.threads.Environment;
import dev.zarrreactive.json.JsonObject;
import dev.zarrreactive.store.memory.MemoryStore;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;

/** A version of the store belongs to bytes that were requested after the store had told it. */
class RevalidationTest {
  private static final StoreKey KEY = StoreKey.of("c/0");
  private static final DecodedChunkCache.Id ID =
      new DecodedChunkCache.Id(KEY, new ArrayForm(JsonObject.EMPTY), 0);

  private final MemoryStore store = MemoryStore.create();

  @Test
  void a_chunk_requested_before_its_version_was_known_does_not_get_that_version() {
    DecodedChunkCache cache = cacheOf(Duration.ZERO);
    NdArray old = chunk(1);
    long asked = now();
    store.set(KEY, Bytes.utf8("newer")).block();
    assertThat(cache.isUnchanged(ID).block()).isFalse();

    cache.put(ID, old, asked, 0); // its response took longer
    assertThat(cache.isUnchanged(ID).block()).isTrue();
    assertThat(cache.revalidatedChunk(ID)).isNull();
  }

  @Test
  void a_young_answer_does_not_make_older_bytes_young() {
    DecodedChunkCache cache = cacheOf(Duration.ofHours(1));
    NdArray old = chunk(1);
    long asked = now();
    store.set(KEY, Bytes.utf8("newer")).block();
    assertThat(cache.isUnchanged(ID).block()).isFalse();

    cache.put(ID, old, asked, 0);
    assertThat(cache.find(ID, now())).isNull();
    assertThat(cache.isRevalidated(ID)).isFalse();
  }

  @Test
  void a_chunk_that_was_requested_after_it_is() {
    DecodedChunkCache cache = cacheOf(Duration.ZERO);
    assertThat(cache.isUnchanged(ID).block()).isFalse();
    store.set(KEY, Bytes.utf8("newer")).block();
    assertThat(cache.isUnchanged(ID).block()).isFalse();
    NdArray chunk = chunk(2);
    cache.put(ID, chunk, now(), 0);
    for (int i = 0; i < 2; i++) {
      assertThat(cache.isRevalidated(ID)).isTrue();
      assertThat(cache.isUnchanged(ID).block()).isTrue();
      assertThat(cache.revalidatedChunk(ID)).isSameAs(chunk);
    }
  }

  private DecodedChunkCache cacheOf(Duration age) {
    AtomicReference<DecodedChunkCache> cache = new AtomicReference<>();
    cache.set(
        new DecodedChunkCache(
            1 << 20,
            new Revalidation(store, age, key -> cache.get().forget(key)),
            new Instrumentation(null),
            new Generations()));
    return cache.get();
  }

  private static NdArray chunk(int value) {
    return NdArray.ofInts(DataTypes.INT32, Shape.of(1), value);
  }

  private static long now() {
    return Environment.current().nanoTime();
  }
}
