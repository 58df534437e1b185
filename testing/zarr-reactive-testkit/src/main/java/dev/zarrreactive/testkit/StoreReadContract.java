package dev.zarrreactive.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.zarrreactive.base.ByteRange;
import dev.zarrreactive.base.Bytes;
import dev.zarrreactive.base.StoreKey;
import dev.zarrreactive.error.RangeOutOfBoundsException;
import dev.zarrreactive.error.StoreException;
import dev.zarrreactive.error.ValueTooLargeException;
import dev.zarrreactive.store.KeyRange;
import dev.zarrreactive.store.ReadCondition;
import dev.zarrreactive.store.StoreCapability;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Schedulers;

/** Reading values and ranges of them. */
abstract class StoreReadContract extends StoreFixture {
  static final String TEN = "array/c/0/0";

  StoreReadContract() {}

  @BeforeEach
  final void reads() {
    needs(StoreCapability.READ);
  }

  @Test
  void a_value_is_read_as_it_was_stored() {
    seed("zarr.json", Bytes.utf8("{}"));
    assertThat(get("zarr.json")).isEqualTo(Bytes.utf8("{}"));
  }

  @Test
  void a_missing_key_is_empty_and_no_error() {
    seed("array/zarr.json");
    assertThat(get("array/c/0")).isNull();
    assertThat(get("array/zarr.json2")).isNull();
    assertThat(get("zarr.json")).isNull();
    for (ByteRange range : List.of(slice(0, 1), slice(5, 0), from(0), from(7), suffix(3))) {
      assertThat(range("array/c/0", range)).as("%s", range).isNull();
    }
  }

  @Test
  void an_empty_value_is_there_and_has_no_bytes() {
    seed("empty", Bytes.EMPTY);
    assertThat(get("empty")).isEqualTo(Bytes.EMPTY);
    for (ByteRange range : List.of(slice(0, 0), from(0), suffix(0), suffix(5))) {
      assertThat(range("empty", range)).as("%s", range).isEqualTo(Bytes.EMPTY);
    }
  }

  @Test
  void what_other_keys_begin_with_is_no_value() {
    seed(TEN);
    assertNoValue("array");
    assertNoValue("array/c");
  }

  @Test
  void what_is_below_a_value_is_missing() {
    seed("array/c");
    assertNoValue("array/c/0");
    assertNoValue("array/c/0/1/2");
  }

  /**
   * A store that cannot hold a value at {@code a} and one at {@code a/b} has something at the key
   * of the one that is missing. It may say so: the key is not merely missing there.
   */
  private void assertNoValue(String key) {
    for (Mono<Bytes> read :
        List.of(store().get(StoreKey.of(key)), store().get(StoreKey.of(key), from(0)))) {
      if (keysMayBePrefixes() || errorOf(read) == null) {
        assertThat(await(read)).isNull();
      } else {
        assertThat(errorOf(read))
            .isInstanceOfSatisfying(
                StoreException.class,
                error -> assertThat(error.location().storeKey()).isEqualTo(key));
      }
    }
  }

  @Test
  void every_kind_of_range_gives_its_bytes() {
    seed(TEN, ten());
    Map<ByteRange, Bytes> expected = new LinkedHashMap<>();
    expected.put(slice(0, 10), ten());
    expected.put(slice(3, 4), bytes(3, 4, 5, 6));
    expected.put(slice(9, 1), bytes(9));
    expected.put(from(0), ten());
    expected.put(from(7), bytes(7, 8, 9));
    expected.put(suffix(1), bytes(9));
    expected.put(suffix(3), bytes(7, 8, 9));
    expected.put(suffix(10), ten());
    expected.forEach(
        (range, bytes) -> assertThat(range(TEN, range)).as("%s", range).isEqualTo(bytes));
  }

  @Test
  void a_range_may_be_empty() {
    seed(TEN, ten());
    for (ByteRange range : List.of(slice(0, 0), slice(4, 0), slice(10, 0), from(10), suffix(0))) {
      assertThat(range(TEN, range)).as("%s", range).isEqualTo(Bytes.EMPTY);
    }
  }

  @Test
  void a_suffix_longer_than_the_value_is_the_whole_value() {
    seed(TEN, ten());
    assertThat(range(TEN, suffix(11))).isEqualTo(ten());
    assertThat(range(TEN, suffix(Long.MAX_VALUE))).isEqualTo(ten());
  }

  @Test
  void a_range_beyond_the_end_is_an_error_that_names_the_key_and_never_a_short_value() {
    seed(TEN, ten());
    seed("empty", Bytes.EMPTY);
    for (ByteRange range :
        List.of(slice(0, 11), slice(9, 2), slice(11, 1), slice(1L << 40, 5), from(11))) {
      assertTooShort(TEN, 10, range);
    }
    assertTooShort("empty", 0, slice(0, 1));
    assertTooShort("empty", 0, from(1));
  }

  @Test
  void a_whole_value_within_the_bound_is_read() {
    seed(TEN, ten());
    seed("empty", Bytes.EMPTY);
    for (ByteRange range : List.of(whole(10), whole(11), whole(1L << 40), whole(Long.MAX_VALUE))) {
      assertThat(range(TEN, range)).as("%s", range).isEqualTo(ten());
    }
    assertThat(range("empty", whole(0))).isEqualTo(Bytes.EMPTY);
    assertThat(range("missing", whole(0))).isNull();
    assertThat(range(TEN, suffix(3))).isEqualTo(bytes(7, 8, 9));
  }

  @Test
  void a_whole_value_above_the_bound_is_refused_with_its_key() {
    seed(TEN, ten());
    for (ByteRange range : List.of(whole(9), whole(0))) {
      assertTooLarge(TEN, range);
    }
    assertThat(get(TEN)).isEqualTo(ten());
    assertTooLarge(TEN, whole(9));
    assertThat(range(TEN, whole(10))).isEqualTo(ten());
    byte[] random = new byte[3_000_001];
    new Random(8).nextBytes(random);
    seed("large", Bytes.wrap(random));
    assertTooLarge("large", whole(3_000_000));
    assertThat(range("large", whole(3_000_001))).isEqualTo(Bytes.wrap(random));
  }

  @Test
  void a_bounded_read_with_a_version_is_bounded_too() {
    seed(TEN, ten());
    StoreKey key = StoreKey.of(TEN);
    assertThat(await(store().getVersioned(key, whole(10), ReadCondition.ALWAYS)))
        .isNotNull()
        .satisfies(answer -> assertThat(answer.bytes()).isEqualTo(ten()));
    assertThatThrownBy(() -> await(store().getVersioned(key, whole(9), ReadCondition.ALWAYS)))
        .isInstanceOf(ValueTooLargeException.class);
  }

  @Test
  void a_value_of_many_network_packets_is_read_whole_and_in_parts() {
    byte[] random = new byte[3_000_001];
    new Random(7).nextBytes(random);
    Bytes value = Bytes.wrap(random);
    seed("large", value);
    assertThat(get("large")).isEqualTo(value);
    assertThat(range("large", slice(999_999, 1_500_000)))
        .isEqualTo(value.slice(999_999, 1_500_000));
    assertThat(range("large", suffix(2_000_000))).isEqualTo(value.slice(1_000_001, 2_000_000));
  }

  @Test
  void a_key_may_be_any_unicode_with_spaces_and_percent_signs() {
    Map<StoreKey, Bytes> values = new LinkedHashMap<>();
    for (String name : StoreContract.UNUSUAL_KEYS) {
      StoreKey key = StoreKey.of(name);
      if (canHold(key)) {
        values.put(key, Bytes.utf8(name));
      }
    }
    seed(store(), values);
    values.forEach(
        (key, value) -> {
          assertThat(await(store().get(key))).as("%s", key).isEqualTo(value);
          assertThat(await(store().get(key, suffix(1)))).hasToString("Bytes[1]");
        });
  }

  @Test
  void a_key_and_a_key_below_it_may_both_have_values_where_the_store_can() {
    assumeTrue(keysMayBePrefixes());
    seed("a", "a/b", "a/b/c");
    assertThat(get("a")).isEqualTo(Bytes.utf8("a"));
    assertThat(get("a/b")).isEqualTo(Bytes.utf8("a/b"));
    assertThat(get("a/b/c")).isEqualTo(Bytes.utf8("a/b/c"));
  }

  @Test
  void many_reads_at_the_same_time_each_get_their_own_value() {
    String[] names = new String[200];
    for (int i = 0; i < names.length; i++) {
      names[i] = "array/c/" + i;
    }
    seed(names);
    List<String> wrong = new ArrayList<>();
    await(
        Flux.fromArray(names)
            .flatMap(
                name ->
                    store()
                        .get(StoreKey.of(name))
                        .switchIfEmpty(Mono.just(Bytes.EMPTY))
                        .filter(value -> !value.equals(Bytes.utf8(name)))
                        .subscribeOn(Schedulers.parallel()),
                names.length)
            .doOnNext(value -> wrong.add(value.toString()))
            .then());
    assertThat(wrong).isEmpty();
  }

  final @Nullable Bytes range(String key, ByteRange range) {
    return await(store().get(StoreKey.of(key), range));
  }

  static Bytes ten() {
    return bytes(0, 1, 2, 3, 4, 5, 6, 7, 8, 9);
  }

  static ByteRange slice(long offset, long length) {
    return new ByteRange.Slice(offset, length);
  }

  static ByteRange from(long offset) {
    return new ByteRange.From(offset);
  }

  static ByteRange whole(long maxBytes) {
    return ByteRange.whole(maxBytes);
  }

  static ByteRange suffix(long length) {
    return new ByteRange.Suffix(length);
  }

  private void assertTooLarge(String key, ByteRange range) {
    assertThatThrownBy(() -> range(key, range))
        .as("%s of %s", range, key)
        .isInstanceOfSatisfying(
            ValueTooLargeException.class,
            error -> {
              assertThat(error.location().storeKey()).endsWith(key);
              assertThat(error.maxBytes()).isEqualTo(((ByteRange.Whole) range).maxBytes());
            });
  }

  private void assertTooShort(String key, long size, ByteRange range) {
    for (Mono<?> read :
        List.of(
            store().get(StoreKey.of(key), range),
            store().getVersioned(StoreKey.of(key), range, ReadCondition.ALWAYS),
            store().getPartialValues(List.of(new KeyRange(StoreKey.of(key), range))).then())) {
      assertThatThrownBy(() -> await(read))
          .as("%s of %s", range, key)
          .isInstanceOfSatisfying(
              RangeOutOfBoundsException.class,
              error -> {
                assertThat(error.location().storeKey()).endsWith(key);
                assertThat(error.size()).isIn(size, RangeOutOfBoundsException.UNKNOWN_SIZE);
              });
    }
  }
}
