package dev.zarrreactive.testkit;

import static dev.zarrreactive.store.StoreCapability.CONDITIONAL_ERASE;
import static dev.zarrreactive.store.StoreCapability.CONDITIONAL_WRITE;
import static dev.zarrreactive.store.StoreCapability.ERASE;
import static dev.zarrreactive.store.StoreCapability.VERSIONS;
import static dev.zarrreactive.store.StoreCapability.WRITE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeFalse;

import dev.zarrreactive.base.ByteRange;
import dev.zarrreactive.base.Bytes;
import dev.zarrreactive.base.StoreKey;
import dev.zarrreactive.error.PreconditionFailedException;
import dev.zarrreactive.error.StoreCapabilityException;
import dev.zarrreactive.error.StoreException;
import dev.zarrreactive.store.Precondition;
import dev.zarrreactive.store.ReadCondition;
import dev.zarrreactive.store.Version;
import dev.zarrreactive.store.VersionedBytes;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Schedulers;
import reactor.util.retry.Retry;

/** Versions of values, and what is read and written on condition of one. */
abstract class StoreVersionContract extends StoreWriteContract {
  private static final int CHANGERS = 6;
  private static final int CHANGES = 5;
  private static final Version UNKNOWN = new Version("\"no value has this version\"");

  StoreVersionContract() {}

  @Test
  void bytes_that_are_read_with_their_version_are_the_same_bytes() {
    seed(TEN, ten());
    assertThat(versioned(TEN, null).bytes()).isEqualTo(ten());
    assertThat(versioned(TEN, slice(3, 4)).bytes()).isEqualTo(bytes(3, 4, 5, 6));
    assertThat(versioned(TEN, suffix(2)).bytes()).isEqualTo(bytes(8, 9));
    assertThat(versioned(TEN, from(10)).bytes()).isEqualTo(Bytes.EMPTY);
    assertThat(errorOf(versioned(TEN, slice(8, 5), ReadCondition.ALWAYS)))
        .isInstanceOf(StoreException.class)
        .hasMessageContaining(TEN);
  }

  @Test
  void a_missing_key_has_no_version_and_is_empty_under_every_condition() {
    seed("array/zarr.json");
    assertThat(await(versioned("array/c/0", null, ReadCondition.ALWAYS))).isNull();
    assertThat(await(versioned("array/c/0", suffix(1), ReadCondition.ALWAYS))).isNull();
    needs(VERSIONS);
    assertThat(await(versioned("array/c/0", null, ReadCondition.ifMatch(UNKNOWN)))).isNull();
    assertThat(await(versioned("array/c/0", null, ReadCondition.ifChanged(UNKNOWN)))).isNull();
  }

  @Test
  void nothing_is_read_with_its_version_before_a_subscription() {
    Mono<VersionedBytes> read = versioned("a", null, ReadCondition.ALWAYS);
    assertThat(await(read)).isNull();
    seed("a", bytes(1, 2));
    assertThat(Objects.requireNonNull(await(read)).bytes()).isEqualTo(bytes(1, 2));
  }

  @Test
  void a_store_without_versions_returns_none_and_refuses_conditions() {
    assumeFalse(can(VERSIONS));
    seed("a", bytes(1));
    assertThat(versioned("a", null).version()).isNull();
    assertThat(versioned("a", suffix(1)).version()).isNull();
    assertRefused(versioned("a", null, ReadCondition.ifMatch(UNKNOWN)), VERSIONS);
    assertRefused(versioned("a", suffix(1), ReadCondition.ifChanged(UNKNOWN)), VERSIONS);
    assertThat(errorOf(setMatching("a", UNKNOWN, bytes(2))))
        .isInstanceOf(StoreCapabilityException.class);
    assertThat(get("a")).isEqualTo(bytes(1));
  }

  @Test
  void a_value_that_does_not_change_keeps_its_version_and_all_its_ranges_have_it() {
    needs(VERSIONS);
    seed(TEN, ten());
    Version version = version(TEN);
    assertThat(version(TEN)).isEqualTo(version);
    for (ByteRange range : List.of(slice(0, 1), slice(4, 0), from(7), suffix(3))) {
      assertThat(versioned(TEN, range).version()).as("%s", range).isEqualTo(version);
    }
  }

  @Test
  void other_bytes_have_another_version() {
    needs(VERSIONS);
    seed("a", bytes(1));
    Version first = version("a");
    seed("a", bytes(1, 2));
    assertThat(version("a")).isNotEqualTo(first);
  }

  @Test
  void other_bytes_of_the_same_length_that_are_written_at_once_have_other_versions() {
    needs(VERSIONS, WRITE);
    Flux<Version> versions =
        Flux.range(0, 20)
            .concatMap(
                i ->
                    store()
                        .set(StoreKey.of("a"), bytes(i))
                        .then(versioned("a", null, ReadCondition.ALWAYS)))
            .mapNotNull(VersionedBytes::version);
    assertThat(await(versions)).hasSize(20).doesNotHaveDuplicates();
  }

  @Test
  void a_value_that_was_erased_and_set_again_has_another_version_where_the_bytes_are_others() {
    needs(VERSIONS, WRITE, ERASE);
    set("a", bytes(1));
    Version first = version("a");
    await(store().erase(StoreKey.of("a")));
    assertThat(await(versioned("a", null, ReadCondition.ifMatch(first)))).isNull();
    set("a", bytes(2));
    assertThat(version("a")).isNotEqualTo(first);
  }

  @Test
  void of_a_version_that_is_known_no_bytes_come() {
    needs(VERSIONS);
    seed(TEN, ten());
    Version version = version(TEN);
    ReadCondition changed = ReadCondition.ifChanged(version);
    for (VersionedBytes answer :
        List.of(
            Objects.requireNonNull(await(versioned(TEN, null, changed))),
            Objects.requireNonNull(await(versioned(TEN, slice(1, 2), changed))))) {
      assertThat(answer.isUnchanged()).isTrue();
      assertThat(answer.version()).isEqualTo(version);
    }
    seed(TEN, bytes(1, 2, 3));
    VersionedBytes now = Objects.requireNonNull(await(versioned(TEN, suffix(2), changed)));
    assertThat(now.isUnchanged()).isFalse();
    assertThat(now.bytes()).isEqualTo(bytes(2, 3));
    assertThat(now.version()).isEqualTo(version(TEN)).isNotEqualTo(version);
  }

  @Test
  void of_a_version_that_is_asked_for_and_gone_there_is_an_error_and_never_other_bytes() {
    needs(VERSIONS);
    seed(TEN, ten());
    Version version = version(TEN);
    ReadCondition match = ReadCondition.ifMatch(version);
    assertThat(await(versioned(TEN, slice(1, 2), match)))
        .isEqualTo(new VersionedBytes(bytes(1, 2), version));
    seed(TEN, bytes(5));
    for (ByteRange range : List.of(slice(0, 1), slice(8, 2), suffix(1))) {
      assertThat(errorOf(versioned(TEN, range, match)))
          .as("%s, also where the value is too short now", range)
          .isInstanceOfSatisfying(
              PreconditionFailedException.class,
              error -> assertThat(error.location().storeKey()).endsWith(TEN));
    }
    assertThat(errorOf(versioned(TEN, null, match)))
        .isInstanceOf(PreconditionFailedException.class);
    assertThat(versioned(TEN, null).bytes()).isEqualTo(bytes(5));
  }

  @Test
  void a_value_is_replaced_only_where_it_has_the_version() {
    needs(VERSIONS, WRITE, CONDITIONAL_WRITE);
    set("a/b", bytes(1));
    Version first = version("a/b");
    await(setMatching("a/b", first, bytes(2)));
    assertThat(get("a/b")).isEqualTo(bytes(2));
    assertThat(version("a/b")).isNotEqualTo(first);
    assertThat(errorOf(setMatching("a/b", first, bytes(3))))
        .isInstanceOfSatisfying(
            PreconditionFailedException.class,
            error -> assertThat(error.location().storeKey()).endsWith("a/b"));
    assertThat(get("a/b")).isEqualTo(bytes(2));
    assertThat(errorOf(setMatching("missing/b", first, bytes(3))))
        .isInstanceOf(PreconditionFailedException.class);
    assertThat(get("missing/b")).isNull();
  }

  @Test
  void a_value_is_erased_only_where_it_has_the_version() {
    needs(VERSIONS, WRITE, ERASE, CONDITIONAL_ERASE);
    set("a/b", bytes(1));
    Version first = version("a/b");
    set("a/b", bytes(2));
    assertThat(errorOf(store().erase(StoreKey.of("a/b"), first)))
        .isInstanceOfSatisfying(
            PreconditionFailedException.class,
            error -> assertThat(error.location().storeKey()).endsWith("a/b"));
    assertThat(get("a/b")).isEqualTo(bytes(2));
    await(store().erase(StoreKey.of("a/b"), version("a/b")));
    assertThat(get("a/b")).isNull();
    await(store().erase(StoreKey.of("a/b"), first));
  }

  @Test
  void a_store_that_cannot_erase_one_version_refuses_to() {
    assumeFalse(can(CONDITIONAL_ERASE));
    seed("a", bytes(1));
    assertRefused(store().erase(StoreKey.of("a"), UNKNOWN), can(ERASE) ? CONDITIONAL_ERASE : ERASE);
    assertThat(get("a")).isEqualTo(bytes(1));
  }

  /**
   * Each changer counts in a byte of its own, and looks each time whether its last count is there.
   */
  @Test
  void nothing_is_lost_when_many_change_a_value_on_condition() {
    needs(VERSIONS, WRITE, CONDITIONAL_WRITE);
    set("count", Bytes.wrap(new byte[CHANGERS]));
    Collection<String> lost = new ConcurrentLinkedQueue<>();
    await(
        Flux.range(0, CHANGERS)
            .flatMap(
                changer ->
                    Flux.range(0, CHANGES)
                        .concatMap(turn -> countUp(changer, turn, lost))
                        .then()
                        .subscribeOn(Schedulers.parallel()),
                CHANGERS)
            .then());
    assertThat(lost).isEmpty();
    byte[] all = new byte[CHANGERS];
    Arrays.fill(all, (byte) CHANGES);
    assertThat(get("count")).isEqualTo(Bytes.wrap(all));
  }

  private Mono<Void> countUp(int changer, int turn, Collection<String> lost) {
    return versioned("count", null, ReadCondition.ALWAYS)
        .flatMap(
            old -> {
              byte[] counts = Objects.requireNonNull(old.bytes()).toByteArray();
              if (counts[changer] != turn) {
                lost.add(
                    "changer " + changer + " had counted to " + turn + ", not " + counts[changer]);
              }
              counts[changer] = (byte) (turn + 1);
              return setMatching(
                  "count", Objects.requireNonNull(old.version()), Bytes.wrap(counts));
            })
        .retryWhen(Retry.max(10_000).filter(PreconditionFailedException.class::isInstance));
  }

  private VersionedBytes versioned(String key, @Nullable ByteRange range) {
    return Objects.requireNonNull(await(versioned(key, range, ReadCondition.ALWAYS)));
  }

  private Mono<VersionedBytes> versioned(
      String key, @Nullable ByteRange range, ReadCondition condition) {
    return store().getVersioned(StoreKey.of(key), range, condition);
  }

  private Version version(String key) {
    return Objects.requireNonNull(versioned(key, suffix(1)).version(), "a version");
  }

  private Mono<Void> setMatching(String key, Version version, Bytes value) {
    return store().set(StoreKey.of(key), value, Precondition.matches(version));
  }
}
