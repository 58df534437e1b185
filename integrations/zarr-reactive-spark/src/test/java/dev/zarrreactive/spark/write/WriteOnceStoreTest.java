package dev.zarrreactive.spark.write;

import static dev.zarrreactive.testing.Waiting.await;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.zarrreactive.base.Bytes;
import dev.zarrreactive.base.StoreKey;
import dev.zarrreactive.store.Store;
import dev.zarrreactive.store.memory.MemoryStore;
import org.junit.jupiter.api.Test;
import reactor.core.publisher.Mono;

/** Duplicate attempts of a task store each value once. */
class WriteOnceStoreTest {
  private final Store origin = MemoryStore.create();
  private final Store store = new WriteOnceStore(origin);
  private final StoreKey key = StoreKey.of("t/c/0");

  @Test
  void two_attempts_at_the_same_time_may_store_equal_bytes() {
    Bytes value = Bytes.utf8("equal");
    await(Mono.when(store.set(key, value), store.set(key, value)));
    assertThat(await(origin.get(key))).isEqualTo(value);
  }

  @Test
  void a_second_write_of_other_bytes_is_refused_and_the_first_stays() {
    await(store.set(key, Bytes.utf8("first")));
    assertThatThrownBy(() -> await(store.set(key, Bytes.utf8("other"))))
        .hasStackTraceContaining("the rows must be the same each time that Spark computes them");
    assertThat(await(origin.get(key))).isEqualTo(Bytes.utf8("first"));
  }
}
