package dev.zarrreactive.cli.stored;

import static org.assertj.core.api.Assertions.assertThat;

import dev.zarrreactive.base.ByteRange;
import dev.zarrreactive.base.Bytes;
import dev.zarrreactive.base.StoreKey;
import dev.zarrreactive.base.StorePrefix;
import dev.zarrreactive.error.Location;
import dev.zarrreactive.error.StoreException;
import dev.zarrreactive.store.DelegatingStore;
import dev.zarrreactive.store.ReadCondition;
import dev.zarrreactive.store.Store;
import dev.zarrreactive.store.VersionedBytes;
import dev.zarrreactive.store.memory.MemoryStore;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

class ListedMissesTest {
  private final MemoryStore values = MemoryStore.create();
  private int gets;
  private int listings;
  private int listed;
  private boolean failsToList;
  private boolean holdsListing;

  /** Counts the requests that reach the store. */
  private final Store counting =
      new DelegatingStore(values) {
        @Override
        public Mono<Bytes> get(StoreKey key) {
          return Mono.defer(
              () -> {
                gets++;
                return super.get(key);
              });
        }

        @Override
        public Mono<Bytes> get(StoreKey key, ByteRange range) {
          return Mono.defer(
              () -> {
                gets++;
                return super.get(key, range);
              });
        }

        @Override
        public Mono<VersionedBytes> getVersioned(
            StoreKey key, @Nullable ByteRange range, ReadCondition condition) {
          return Mono.defer(
              () -> {
                gets++;
                return super.getVersioned(key, range, condition);
              });
        }

        @Override
        public Flux<StoreKey> listPrefix(StorePrefix prefix) {
          return Flux.defer(
              () -> {
                listings++;
                return holdsListing
                    ? Flux.never()
                    : failsToList
                        ? Flux.error(new StoreException("no", Location.UNKNOWN))
                        : super.listPrefix(prefix).doOnNext(key -> listed++);
              });
        }
      };

  private final Store store =
      new ListedMisses(counting, StorePrefix.of("a/"), key -> !key.value().endsWith("zarr.json"));

  private void put(String key) {
    values.set(StoreKey.of(key), Bytes.utf8(key)).block();
  }

  private @Nullable String read(String key) {
    Bytes value = store.get(StoreKey.of(key)).block();
    return value == null ? null : StandardCharsets.UTF_8.decode(value.asByteBuffer()).toString();
  }

  @Test
  void after_many_misses_one_listing_answers_for_all_that_is_missing() {
    put("a/c/500");
    put("a/zarr.json");
    for (int i = 0; i < 1000; i++) {
      assertThat(read("a/c/" + i)).isEqualTo(i == 500 ? "a/c/500" : null);
    }
    assertThat(listings).isOne();
    assertThat(gets).isEqualTo(ListedMisses.FIRST + 1);
    assertThat(read("a/zarr.json")).isNotNull();
    assertThat(store.getVersioned(StoreKey.of("a/c/7"), null, ReadCondition.ALWAYS).block())
        .isNull();
    assertThat(store.get(StoreKey.of("a/c/500"), new ByteRange.Slice(0, 1)).block()).isNotNull();
    assertThat(gets).isEqualTo(ListedMisses.FIRST + 3);
  }

  @Test
  void where_most_is_stored_nothing_is_listed() {
    for (int i = 0; i < 1000; i++) {
      if (i % 3 > 0) {
        put("a/c/" + i);
      }
    }
    for (int i = 0; i < 1000; i++) {
      read("a/c/" + i);
    }
    assertThat(listings).isZero();
    assertThat(gets).isEqualTo(1000);
  }

  @Test
  void a_listing_of_too_many_keys_ends_and_begins_again_when_more_was_missing() {
    for (int i = 0; i < 3000; i++) {
      put("a/d/" + i);
    }
    for (int i = 0; i < 600; i++) {
      assertThat(read("a/c/" + i)).isNull();
    }
    assertThat(listings).isEqualTo(2);
    assertThat(gets).isEqualTo(8 * ListedMisses.FIRST);
    assertThat(listed).isLessThan(ListedMisses.FIRST * ListedMisses.KEYS_FOR_EACH + 3 + 3000);
  }

  @Test
  void keys_outside_of_the_prefix_and_a_store_that_fails_to_list_are_asked_for() {
    for (int i = 0; i < 200; i++) {
      read("b/" + i);
    }
    assertThat(gets).isEqualTo(200);
    failsToList = true;
    for (int i = 0; i < 200; i++) {
      assertThat(read("a/" + i)).isNull();
    }
    put("a/9");
    assertThat(read("a/9")).isEqualTo("a/9");
    assertThat(gets).isEqualTo(401);
    assertThat(listings).isOne();
  }

  @Test
  void a_listing_that_was_cancelled_is_tried_again() {
    for (int i = 0; i < ListedMisses.FIRST; i++) {
      read("a/" + i);
    }
    holdsListing = true;
    store.get(StoreKey.of("a/x")).subscribe().dispose();
    assertThat(listings).isOne();
    holdsListing = false;
    assertThat(read("a/y")).isNull();
    assertThat(read("a/z")).isNull();
    assertThat(listings).isEqualTo(2);
    assertThat(gets).isEqualTo(ListedMisses.FIRST);
  }
}
