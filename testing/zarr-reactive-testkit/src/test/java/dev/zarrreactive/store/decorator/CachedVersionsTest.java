package dev.zarrreactive.store.decorator;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.zarrreactive.base.ByteRange;
import dev.zarrreactive.base.Bytes;
import dev.zarrreactive.base.StoreKey;
import dev.zarrreactive.base.StorePrefix;
import dev.zarrreactive.error.Location;
import dev.zarrreactive.error.PreconditionFailedException;
import dev.zarrreactive.error.TransientStoreException;
import dev.zarrreactive.store.AbstractStore;
import dev.zarrreactive.store.DelegatingStore;
import dev.zarrreactive.store.ReadCondition;
import dev.zarrreactive.store.Store;
import dev.zarrreactive.store.StoreCapability;
import dev.zarrreactive.store.Version;
import dev.zarrreactive.store.VersionedBytes;
import dev.zarrreactive.store.memory.MemoryStore;
import dev.zarrreactive.testkit.HeldRequests;
import dev.zarrreactive.testkit.InstrumentedStore;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.publisher.Sinks;

/** What a cache knows of versions, and when it asks again. */
class CachedVersionsTest {
  private static final Duration TIMEOUT = Duration.ofSeconds(30);
  private static final StoreKey KEY = StoreKey.of("a/c/0");
  private static final ByteRange HEAD = new ByteRange.Slice(0, 2);
  private static final ByteRange TAIL = new ByteRange.Suffix(2);
  private static final Bytes OLD = Bytes.utf8("old value");
  private static final Bytes NEW = Bytes.utf8("new values");
  private static final CacheOptions ALL = CacheOptions.ofBytes(1 << 20);

  private final Store values = MemoryStore.create();
  private final InstrumentedStore store = InstrumentedStore.of(values);
  private final AtomicLong clock = new AtomicLong(-5);

  @Test
  void the_version_is_kept_with_the_bytes() {
    CachedStore cached = cached(ALL);
    put(OLD);
    Version version = version(values);
    read(cached, null);
    assertThat(version(cached)).isEqualTo(version);
    assertThat(await(cached.getVersioned(KEY, TAIL, ReadCondition.ifMatch(version))))
        .isEqualTo(new VersionedBytes(Bytes.utf8("ue"), version));
    assertThat(store.counts().total()).isEqualTo(1);
  }

  @Test
  void without_revalidation_what_another_changes_is_not_seen() {
    CachedStore cached = cached(ALL);
    put(OLD);
    read(cached, null);
    put(NEW);
    clock.set(Long.MAX_VALUE / 2);
    assertThat(read(cached, null)).isEqualTo(OLD);
  }

  @Test
  void what_is_young_is_not_asked_for_and_what_is_old_costs_a_request_without_bytes() {
    CachedStore cached = cached(ALL.withRevalidation(Duration.ofNanos(100)));
    put(OLD);
    read(cached, null);
    clock.addAndGet(99);
    assertThat(read(cached, null)).isEqualTo(OLD);
    assertThat(store.counts().total()).isEqualTo(1);
    clock.addAndGet(1);
    store.counts().reset();
    assertThat(read(cached, null)).isEqualTo(OLD);
    assertThat(store.counts().total()).isEqualTo(1);
    assertThat(store.counts().bytesRead()).isZero();
    assertThat(cached.counts().revalidations()).isEqualTo(1);
    clock.addAndGet(99);
    read(cached, null);
    assertThat(store.counts().total()).as("young again").isEqualTo(1);
    clock.addAndGet(1);
    put(NEW);
    assertThat(read(cached, null)).isEqualTo(NEW);
    assertThat(store.counts().bytesRead()).isEqualTo(NEW.size());
    assertThat(cached.counts().revalidations()).isEqualTo(2);
    assertThat(cached.counts().misses()).isEqualTo(1);
    assertThat(cached.counts().hits()).isEqualTo(2);
    assertThat(cached.counts().entries()).isEqualTo(1);
  }

  @Test
  void an_age_of_zero_asks_each_time() {
    CachedStore cached = cached(ALL.withRevalidation(Duration.ZERO));
    put(OLD);
    for (int i = 0; i < 3; i++) {
      assertThat(read(cached, null)).isEqualTo(OLD);
    }
    assertThat(store.counts().total()).isEqualTo(3);
    assertThat(store.counts().bytesRead()).isEqualTo(OLD.size());
    put(NEW);
    assertThat(read(cached, null)).isEqualTo(NEW);
    await(values.erase(KEY));
    assertThat(read(cached, null)).isNull();
    assertThat(cached.counts().entries()).isZero();
  }

  @Test
  void concurrent_readers_of_a_stale_value_revalidate_it_once() {
    CachedStore cached = cached(ALL.withRevalidation(Duration.ZERO));
    put(OLD);
    read(cached, null);
    store.counts().reset();
    HeldRequests held = store.hold(request -> true);
    List<Bytes> got = new ArrayList<>();
    for (int i = 0; i < 50; i++) {
      cached.get(KEY).subscribe(got::add);
    }
    held.release();
    assertThat(got).hasSize(50).containsOnly(OLD);
    assertThat(store.counts().total()).isEqualTo(1);
    assertThat(store.counts().bytesRead()).isZero();
    assertThat(cached.counts().shared()).isEqualTo(49);
  }

  @Test
  void a_range_is_revalidated_against_the_whole_value_and_fetched_alone_where_it_has_changed() {
    CachedStore cached = cached(ALL.withRevalidation(Duration.ofNanos(10)));
    put(OLD);
    read(cached, null);
    clock.addAndGet(10);
    store.counts().reset();
    assertThat(read(cached, TAIL)).isEqualTo(Bytes.utf8("ue"));
    assertThat(store.counts().bytesRead()).isZero();
    assertThat(cached.counts().entries()).isEqualTo(1);
    clock.addAndGet(10);
    put(NEW);
    assertThat(read(cached, TAIL)).isEqualTo(Bytes.utf8("es"));
    assertThat(store.counts().bytesRead()).isEqualTo(2);
    assertThat(read(cached, null)).as("the whole old value is gone").isEqualTo(NEW);
  }

  @Test
  void a_range_outside_of_an_old_whole_value_is_asked_of_the_store() {
    CachedStore cached = cached(ALL.withRevalidation(Duration.ofNanos(10)));
    put(OLD);
    read(cached, null);
    clock.addAndGet(10);
    put(NEW);
    assertThat(read(cached, new ByteRange.Slice(8, 2))).isEqualTo(Bytes.utf8("es"));
  }

  @Test
  void a_range_of_a_required_version_is_not_looked_for_in_a_whole_value_of_another() {
    CachedStore cached = cached(ALL);
    put(NEW);
    ReadCondition longer = ReadCondition.ifMatch(Objects.requireNonNull(version(values)));
    put(OLD);
    read(cached, null);
    ByteRange outside = new ByteRange.Slice(8, 2);
    assertThatThrownBy(() -> await(cached.getVersioned(KEY, outside, longer)))
        .isInstanceOf(PreconditionFailedException.class);
  }

  @Test
  void a_required_version_of_a_value_that_is_shorter_now_is_gone() {
    CachedStore cached = cached(ALL.withRevalidation(Duration.ofNanos(10)));
    put(NEW);
    ByteRange end = new ByteRange.Slice(8, 2);
    read(cached, end);
    read(cached, HEAD);
    ReadCondition longer = ReadCondition.ifMatch(Objects.requireNonNull(version(values)));
    clock.addAndGet(10);
    put(OLD);
    assertThatThrownBy(() -> await(cached.getVersioned(KEY, end, longer)))
        .isInstanceOf(PreconditionFailedException.class);
    assertThat(cached.counts().entries()).as("what was cached of it").isZero();
  }

  @Test
  void one_answer_confirms_all_that_is_kept_of_the_version() {
    CachedStore cached = cached(ALL.withRevalidation(Duration.ofNanos(10)));
    put(OLD);
    read(cached, HEAD);
    read(cached, TAIL);
    clock.addAndGet(10);
    store.counts().reset();
    read(cached, HEAD);
    assertThat(read(cached, TAIL)).isEqualTo(Bytes.utf8("ue"));
    assertThat(store.counts().total()).isEqualTo(1);
  }

  @Test
  void ranges_of_one_value_are_never_of_two_versions() {
    CachedStore cached = cached(ALL);
    put(OLD);
    read(cached, HEAD);
    put(NEW);
    assertThat(read(cached, TAIL)).isEqualTo(Bytes.utf8("es"));
    assertThat(read(cached, HEAD)).isEqualTo(Bytes.utf8("ne"));
    assertThat(cached.counts().entries()).isEqualTo(2);
  }

  @Test
  void an_answer_that_was_asked_for_earlier_does_not_replace_a_later_one() {
    List<Sinks.One<VersionedBytes>> answers = new ArrayList<>();
    Store late =
        new DelegatingStore(values) {
          @Override
          public Mono<VersionedBytes> getVersioned(
              StoreKey key, @Nullable ByteRange range, ReadCondition condition) {
            return Mono.defer(
                () -> {
                  Sinks.One<VersionedBytes> answer = Sinks.one();
                  answers.add(answer);
                  return answer.asMono();
                });
          }
        };
    CachedStore cached = new CachedStore(late, ALL, clock::getAndIncrement);
    cached.get(KEY, HEAD).subscribe();
    cached.get(KEY, TAIL).subscribe();
    answers.get(1).tryEmitValue(new VersionedBytes(Bytes.utf8("22"), new Version("2")));
    answers.get(0).tryEmitValue(new VersionedBytes(Bytes.utf8("11"), new Version("1")));
    assertThat(read(cached, TAIL)).isEqualTo(Bytes.utf8("22"));
    cached.get(KEY, HEAD).subscribe();
    assertThat(answers).as("the head is asked for again").hasSize(3);
  }

  @Test
  void a_version_that_is_gone_is_forgotten_so_that_the_next_read_brings_the_new_one() {
    CachedStore cached = cached(ALL);
    put(OLD);
    read(cached, HEAD);
    Version version = Objects.requireNonNull(version(values));
    put(NEW);
    assertThatThrownBy(() -> await(cached.getVersioned(KEY, TAIL, ReadCondition.ifMatch(version))))
        .isInstanceOf(PreconditionFailedException.class);
    assertThat(read(cached, HEAD)).isEqualTo(Bytes.utf8("ne"));
  }

  @Test
  void a_required_version_is_asked_about_when_it_is_old() {
    CachedStore cached = cached(ALL.withRevalidation(Duration.ofNanos(100)));
    put(OLD);
    read(cached, HEAD);
    ReadCondition same = ReadCondition.ifMatch(Objects.requireNonNull(version(values)));
    VersionedBytes head = await(cached.getVersioned(KEY, HEAD, same));
    assertThat(store.counts().total()).isEqualTo(1);
    clock.addAndGet(100);
    store.counts().reset();
    assertThat(await(cached.getVersioned(KEY, HEAD, same))).isEqualTo(head);
    assertThat(store.counts().total()).isEqualTo(1);
    assertThat(store.counts().bytesRead()).isZero();
    clock.addAndGet(100);
    put(NEW);
    assertThatThrownBy(() -> await(cached.getVersioned(KEY, HEAD, same)))
        .isInstanceOf(PreconditionFailedException.class)
        .hasMessageContaining("wanted version")
        .hasMessageContaining(KEY.value());
    assertThat(read(cached, HEAD)).isEqualTo(Bytes.utf8("ne"));
  }

  @Test
  void whether_a_version_has_changed_is_always_asked_of_the_store() {
    CachedStore cached = cached(ALL);
    put(OLD);
    read(cached, HEAD);
    Version version = Objects.requireNonNull(version(values));
    ReadCondition changed = ReadCondition.ifChanged(version);
    assertThat(await(cached.getVersioned(KEY, HEAD, changed)).isUnchanged()).isTrue();
    put(NEW);
    assertThat(await(cached.getVersioned(KEY, HEAD, changed)).bytes()).isEqualTo(Bytes.utf8("ne"));
    store.counts().reset();
    assertThat(read(cached, HEAD)).isEqualTo(Bytes.utf8("ne"));
    assertThat(store.counts().total()).isZero();
  }

  @Test
  void where_asking_again_fails_the_read_fails() {
    CachedStore cached = cached(ALL.withRevalidation(Duration.ZERO));
    put(OLD);
    read(cached, null);
    store.failNext(
        1, any -> true, () -> new TransientStoreException("503", Location.ofKey(KEY.value())));
    assertThatThrownBy(() -> read(cached, null)).isInstanceOf(TransientStoreException.class);
    assertThat(read(cached, null)).isEqualTo(OLD);
  }

  @Test
  void a_value_that_is_forgotten_while_it_is_revalidated_is_not_kept() {
    CachedStore cached = cached(ALL.withRevalidation(Duration.ofNanos(10)));
    put(OLD);
    read(cached, null);
    clock.addAndGet(10);
    HeldRequests held = store.hold(request -> true);
    List<Bytes> got = new ArrayList<>();
    cached.get(KEY).subscribe(got::add);
    cached.forget(StorePrefix.ROOT);
    held.release();
    assertThat(got).containsExactly(OLD);
    assertThat(cached.counts().entries()).isZero();
  }

  @Test
  void a_store_without_versions_is_read_again_by_its_plain_operations() {
    InstrumentedStore plain = InstrumentedStore.of(new WithoutVersions(values));
    CachedStore cached =
        new CachedStore(plain, ALL.withRevalidation(Duration.ofNanos(10)), clock::get);
    put(OLD);
    read(cached, null);
    read(cached, null);
    clock.addAndGet(10);
    put(NEW);
    assertThat(read(cached, null)).isEqualTo(NEW);
    assertThat(plain.counts().total()).isEqualTo(2);
    assertThat(cached.counts().misses()).isEqualTo(2);
    assertThat(cached.counts().revalidations()).isZero();
  }

  @Test
  void that_a_key_is_missing_is_asked_again_too() {
    CachedStore cached = cached(ALL.withMissingKeys(true).withRevalidation(Duration.ofNanos(10)));
    assertThat(read(cached, null)).isNull();
    put(OLD);
    clock.addAndGet(9);
    assertThat(read(cached, TAIL)).isNull();
    clock.addAndGet(1);
    assertThat(read(cached, TAIL)).isEqualTo(Bytes.utf8("ue"));
    assertThat(read(cached, null)).isEqualTo(OLD);
  }

  @Test
  void a_cache_of_metadata_keeps_documents_and_lets_the_rest_past() {
    CachedStore cached = cached(CacheOptions.metadata(1 << 20));
    List<String> documents =
        List.of("zarr.json", "a/zarr.json", "a/.zarray", ".zgroup", "a/b/.zattrs", ".zmetadata");
    List<String> others = List.of("a/c/0", "a/zarr.json/0", "a/notzarr.json", "a/0.0");
    for (String key : documents) {
      await(values.set(StoreKey.of(key), OLD));
      await(cached.get(StoreKey.of(key)));
      await(cached.get(StoreKey.of(key)));
    }
    assertThat(store.counts().total()).isEqualTo(documents.size());
    store.counts().reset();
    for (String key : others) {
      await(values.set(StoreKey.of(key), OLD));
      assertThat(await(cached.get(StoreKey.of(key)))).isEqualTo(OLD);
      assertThat(await(cached.get(StoreKey.of(key), TAIL))).isEqualTo(Bytes.utf8("ue"));
      assertThat(await(cached.getVersioned(StoreKey.of(key), null, ReadCondition.ALWAYS)).bytes())
          .isEqualTo(OLD);
    }
    assertThat(store.counts().total()).isEqualTo(3 * others.size());
    HeldRequests held = store.hold(request -> true);
    List<Bytes> got = new ArrayList<>();
    Flux.merge(cached.get(KEY), cached.get(KEY)).subscribe(got::add);
    held.release();
    assertThat(got).containsExactly(OLD, OLD);
    assertThat(store.counts().total()).as("nothing is shared").isEqualTo(3 * others.size() + 2);
    assertThat(cached.counts().entries()).isEqualTo(documents.size());
    assertThat(cached.counts().misses()).isEqualTo(documents.size());
  }

  @Test
  void an_age_below_zero_is_refused() {
    assertThatThrownBy(() -> ALL.withRevalidation(Duration.ofNanos(-1)))
        .isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void a_read_does_not_wait_for_an_answer_that_is_older_than_a_known_change() {
    LateAnswers slow = new LateAnswers(store);
    CachedStore cached = new CachedStore(slow, ALL, clock::get);
    put(OLD);
    slow.isLate = true;
    List<Bytes> first = new ArrayList<>();
    cached.get(KEY).subscribe(first::add);
    slow.isLate = false;
    put(NEW);
    assertThat(read(cached, HEAD)).isEqualTo(Bytes.utf8("ne"));
    assertThat(read(cached, null)).isEqualTo(NEW);
    slow.arrive.tryEmitEmpty();
    assertThat(first).as("the read that began before the change").containsExactly(OLD);
    assertThat(read(cached, null)).isEqualTo(NEW);
  }

  private CachedStore cached(CacheOptions options) {
    return new CachedStore(store, options, clock::get);
  }

  private static @Nullable Bytes read(Store from, @Nullable ByteRange range) {
    return await(range == null ? from.get(KEY) : from.get(KEY, range));
  }

  private static @Nullable Version version(Store from) {
    return await(from.getVersioned(KEY, null, ReadCondition.ALWAYS)).version();
  }

  private static <T> T await(Mono<T> result) {
    return result.block(TIMEOUT);
  }

  private void put(Bytes value) {
    await(values.set(KEY, value));
  }

  /** Late answers tell the state of the value at the time of their request. */
  private static final class LateAnswers extends DelegatingStore {
    private final Sinks.Empty<Void> arrive = Sinks.empty();
    private boolean isLate;

    LateAnswers(Store delegate) {
      super(delegate);
    }

    @Override
    public Mono<VersionedBytes> getVersioned(
        StoreKey key, @Nullable ByteRange range, ReadCondition condition) {
      Mono<VersionedBytes> answer = delegate().getVersioned(key, range, condition);
      return isLate ? answer.delayUntil(told -> arrive.asMono()) : answer;
    }
  }

  /** As a store that says nothing of versions. */
  private static final class WithoutVersions extends AbstractStore {
    private final Store values;

    WithoutVersions(Store values) {
      this.values = values;
    }

    @Override
    public Set<StoreCapability> capabilities() {
      return Set.of(StoreCapability.READ);
    }

    @Override
    public Mono<Bytes> get(StoreKey key) {
      return values.get(key);
    }
  }
}
