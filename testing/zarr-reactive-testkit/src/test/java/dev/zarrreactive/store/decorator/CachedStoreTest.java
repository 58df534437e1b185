package dev.zarrreactive.store.decorator;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.zarrreactive.base.ByteRange;
import dev.zarrreactive.base.Bytes;
import dev.zarrreactive.base.StoreKey;
import dev.zarrreactive.base.StorePrefix;
import dev.zarrreactive.error.Location;
import dev.zarrreactive.error.StoreException;
import dev.zarrreactive.error.TransientStoreException;
import dev.zarrreactive.error.ValueTooLargeException;
import dev.zarrreactive.observation.StoreOperation;
import dev.zarrreactive.store.DelegatingStore;
import dev.zarrreactive.store.KeyRange;
import dev.zarrreactive.store.Precondition;
import dev.zarrreactive.store.ReadCondition;
import dev.zarrreactive.store.Store;
import dev.zarrreactive.store.VersionedBytes;
import dev.zarrreactive.store.memory.MemoryStore;
import dev.zarrreactive.testkit.HeldRequests;
import dev.zarrreactive.testkit.InstrumentedStore;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import reactor.core.Disposable;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.publisher.Sinks;
import reactor.core.scheduler.Schedulers;
import reactor.test.StepVerifier;

/** What a cached store asks the store below for; that it otherwise behaves is in the contract. */
class CachedStoreTest {
  private static final Duration TIMEOUT = Duration.ofSeconds(30);
  private static final StoreKey KEY = StoreKey.of("a/c/0");
  private static final StoreKey OTHER = StoreKey.of("b/c/0");
  private static final Bytes OLD = Bytes.utf8("old value");
  private static final Bytes NEW = Bytes.utf8("new value");
  private static final ByteRange RANGE = new ByteRange.Slice(1, 2);

  /** Everything that changes the value at a key. */
  private static final List<Function<Store, Mono<Void>>> CHANGES =
      List.of(
          store -> store.set(KEY, NEW),
          store -> store.set(KEY, NEW, Precondition.NONE),
          store -> store.erase(KEY),
          store -> store.eraseValues(Flux.just(KEY)),
          store -> store.erasePrefix(StorePrefix.of("a/")));

  private static final Set<StoreOperation> CHANGING =
      Set.of(StoreOperation.SET, StoreOperation.ERASE, StoreOperation.ERASE_PREFIX);

  private final Store values = MemoryStore.create();
  private final InstrumentedStore store = InstrumentedStore.of(values);
  private final CachedStore cached = Stores.cached(store, CacheOptions.ofBytes(1 << 20));

  @Test
  void a_bounded_whole_value_is_kept_as_the_whole_value_and_answered_from_it() {
    put(KEY, OLD);
    assertThat(cached.get(KEY, ByteRange.whole(100)).block(TIMEOUT)).isEqualTo(OLD);
    assertThat(cached.get(KEY, ByteRange.whole(9)).block(TIMEOUT)).isEqualTo(OLD);
    assertThat(get(cached, KEY)).isEqualTo(OLD);
    assertThat(cached.get(KEY, RANGE).block(TIMEOUT)).isEqualTo(Bytes.utf8("ld"));
    assertThatThrownBy(() -> cached.get(KEY, ByteRange.whole(8)).block(TIMEOUT))
        .isInstanceOf(ValueTooLargeException.class);
    assertThat(store.counts().total()).isEqualTo(1);
    assertThat(cached.counts().entries()).isEqualTo(1);
  }

  @Test
  void bounded_reads_at_the_same_time_share_one_request_and_its_refusal() {
    put(KEY, OLD);
    HeldRequests held = store.hold(request -> true);
    StepVerifier both =
        StepVerifier.create(
                Mono.zipDelayError(
                    cached.get(KEY, ByteRange.whole(8)).materialize(),
                    cached.get(KEY, ByteRange.whole(8)).materialize()))
            .assertNext(
                refusals -> {
                  assertThat(refusals.getT1().getThrowable())
                      .isInstanceOf(ValueTooLargeException.class);
                  assertThat(refusals.getT2().getThrowable())
                      .isInstanceOf(ValueTooLargeException.class)
                      .hasMessage(refusals.getT1().getThrowable().getMessage())
                      .isNotSameAs(refusals.getT1().getThrowable()); // each adds its own place
                })
            .expectComplete()
            .verifyLater();
    held.release();
    both.verify(TIMEOUT);
    assertThat(store.counts().total()).isEqualTo(1);
    assertThat(cached.counts().entries()).isZero();
  }

  @Test
  void a_value_is_asked_for_once() {
    put(KEY, OLD);
    for (int i = 0; i < 3; i++) {
      assertThat(get(cached, KEY)).isEqualTo(OLD);
    }
    assertThat(store.counts().total()).isEqualTo(1);
    assertThat(cached.counts().hits()).isEqualTo(2);
    assertThat(cached.counts().misses()).isEqualTo(1);
    assertThat(cached.counts().entries()).isEqualTo(1);
    assertThat(cached.counts().bytes()).isEqualTo(9 + 256 + 2 * 5);
  }

  @Test
  void a_range_is_asked_for_once_and_not_at_all_where_the_whole_value_is_there() {
    put(KEY, OLD);
    put(OTHER, OLD);
    for (int i = 0; i < 3; i++) {
      assertThat(cached.get(KEY, RANGE).block(TIMEOUT)).isEqualTo(Bytes.utf8("ld"));
    }
    assertThat(store.counts().total()).isEqualTo(1);
    get(cached, OTHER);
    store.counts().reset();
    assertThat(cached.get(OTHER, RANGE).block(TIMEOUT)).isEqualTo(Bytes.utf8("ld"));
    assertThat(
            cached
                .getPartialValues(List.of(new KeyRange(OTHER, new ByteRange.Suffix(1))))
                .blockLast(TIMEOUT)
                .bytes())
        .isEqualTo(Bytes.utf8("e"));
    assertThatThrownBy(() -> cached.get(OTHER, new ByteRange.Slice(5, 5)).block(TIMEOUT))
        .isInstanceOf(StoreException.class)
        .hasMessageContaining("too short")
        .hasMessageContaining("b/c/0");
    assertThat(store.counts().total()).isZero();
  }

  @Test
  void many_reads_at_the_same_time_make_one_request() {
    put(KEY, OLD);
    HeldRequests held = store.hold(request -> true);
    List<Bytes> got = new ArrayList<>();
    for (int i = 0; i < 100; i++) {
      cached.get(KEY).subscribe(got::add);
    }
    assertThat(store.counts().total()).isEqualTo(1);
    held.release();
    assertThat(got).hasSize(100).containsOnly(OLD);
    assertThat(cached.counts().shared()).isEqualTo(99);
  }

  @Test
  void a_reader_that_cancels_leaves_the_value_to_the_others() {
    put(KEY, OLD);
    HeldRequests held = store.hold(request -> true);
    List<Bytes> got = new ArrayList<>();
    Disposable first = cached.get(KEY).subscribe(got::add);
    cached.get(KEY).subscribe(got::add);
    Disposable third = cached.get(KEY).subscribe(got::add);
    first.dispose();
    third.dispose();
    assertThat(store.counts().cancelled()).isZero();
    held.release();
    assertThat(got).containsExactly(OLD);
    assertThat(store.counts().total()).isEqualTo(1);
  }

  @Test
  void the_request_is_cancelled_with_its_last_reader_and_the_next_read_requests_again() {
    put(KEY, OLD);
    HeldRequests held = store.hold(request -> true);
    List<Disposable> reads = new ArrayList<>();
    for (int i = 0; i < 5; i++) {
      reads.add(cached.get(KEY).subscribe());
    }
    reads.forEach(Disposable::dispose);
    assertThat(store.counts().cancelled()).isEqualTo(1);
    assertThat(store.counts().inFlight()).isZero();
    held.release();
    assertThat(get(cached, KEY)).isEqualTo(OLD);
    assertThat(store.counts().total()).isEqualTo(2);
  }

  @Test
  void a_reader_without_demand_does_not_block_the_others() {
    put(KEY, OLD);
    HeldRequests held = store.hold(request -> true);
    StepVerifier.create(cached.get(KEY), 0)
        .expectSubscription()
        .then(
            () -> {
              Mono<Bytes> other = cached.get(KEY).cache();
              other.subscribe();
              held.release();
              assertThat(other.block(TIMEOUT)).isEqualTo(OLD);
            })
        .thenRequest(1)
        .expectNext(OLD)
        .expectComplete()
        .verify(TIMEOUT);
  }

  @Test
  void an_error_goes_to_every_waiting_reader_and_is_not_cached() {
    put(KEY, OLD);
    HeldRequests held = store.hold(request -> true);
    store.failNext(
        1, any -> true, () -> new TransientStoreException("503", Location.ofKey(KEY.value())));
    List<Throwable> errors = new ArrayList<>();
    for (int i = 0; i < 10; i++) {
      cached.get(KEY).subscribe(value -> {}, errors::add);
    }
    held.release();
    assertThat(errors).hasSize(10).allMatch(TransientStoreException.class::isInstance);
    assertThat(get(cached, KEY)).isEqualTo(OLD);
    assertThat(store.counts().total()).isEqualTo(2);
  }

  @Test
  void missing_keys_are_kept_only_where_that_is_wanted() {
    assertThat(get(cached, KEY)).isNull();
    put(KEY, OLD);
    assertThat(get(cached, KEY)).isEqualTo(OLD);

    CachedStore keeping = Stores.cached(store, CacheOptions.ofBytes(1 << 20).withMissingKeys(true));
    assertThat(keeping.get(OTHER, RANGE).block(TIMEOUT)).isNull();
    store.counts().reset();
    assertThat(keeping.get(OTHER, new ByteRange.From(0)).block(TIMEOUT)).isNull();
    assertThat(get(keeping, OTHER)).isNull();
    assertThat(store.counts().total()).isZero();
    keeping.set(OTHER, NEW, Precondition.ABSENT).block(TIMEOUT);
    assertThat(get(keeping, OTHER)).isEqualTo(NEW);
  }

  @Test
  void missing_keys_weigh_something_too() {
    CachedStore small = Stores.cached(store, CacheOptions.ofBytes(10_000).withMissingKeys(true));
    for (int i = 0; i < 1000; i++) {
      get(small, StoreKey.of("c/" + i));
    }
    assertThat(small.counts().bytes()).isLessThanOrEqualTo(10_000);
    assertThat(small.counts().entries()).isBetween(30L, 38L);
    assertThat(small.counts().evictions()).isEqualTo(1000 - small.counts().entries());
  }

  @Test
  void a_value_larger_than_the_cache_passes_through() {
    CachedStore small = Stores.cached(store, CacheOptions.ofBytes(1000));
    put(KEY, Bytes.wrap(new byte[20]));
    put(OTHER, Bytes.wrap(new byte[1000]));
    get(small, KEY);
    assertThat(get(small, OTHER)).hasToString("Bytes[1000]");
    assertThat(get(small, OTHER)).hasToString("Bytes[1000]");
    get(small, KEY);
    assertThat(store.counts().requests()).hasSize(3);
    assertThat(small.counts().evictions()).isZero();
    assertThat(small.counts().entries()).isEqualTo(1);
  }

  @Test
  void reading_through_a_large_array_once_pushes_out_nothing_that_was_used_again() {
    CachedStore small = Stores.cached(store, CacheOptions.ofBytes(100_000));
    put(KEY, Bytes.wrap(new byte[1000]));
    get(small, KEY);
    get(small, KEY);
    for (int i = 0; i < 1000; i++) {
      StoreKey chunk = StoreKey.of("large/c/" + i);
      put(chunk, Bytes.wrap(new byte[1000]));
      get(small, chunk);
    }
    store.counts().reset();
    get(small, KEY);
    assertThat(store.counts().total()).isZero();
    assertThat(small.counts().bytes()).isBetween(98_000L, 100_000L);
  }

  @Test
  void a_part_of_a_large_array_in_memory_is_kept_without_the_rest() {
    put(KEY, Bytes.wrap(new byte[1_000_000]));
    assertThat(cached.get(KEY, RANGE).block(TIMEOUT).unsafeArray()).hasSize(2);
    assertThat(cached.get(KEY, RANGE).block(TIMEOUT).unsafeArray()).hasSize(2);
  }

  @Test
  void after_a_change_the_store_is_asked_again() {
    for (Function<Store, Mono<Void>> change : CHANGES) {
      put(KEY, OLD);
      cached.forget(StorePrefix.ROOT);
      get(cached, KEY);
      cached.get(KEY, RANGE).block(TIMEOUT);
      change.apply(cached).block(TIMEOUT);
      assertThat(get(cached, KEY)).isEqualTo(get(values, KEY)).isNotEqualTo(OLD);
      assertThat(cached.get(KEY, RANGE).block(TIMEOUT))
          .isEqualTo(values.get(KEY, RANGE).block(TIMEOUT));
    }
  }

  @Test
  void a_change_of_one_key_leaves_the_others() {
    put(KEY, OLD);
    put(OTHER, OLD);
    get(cached, OTHER);
    CHANGES.forEach(change -> change.apply(cached).block(TIMEOUT));
    store.counts().reset();
    get(cached, OTHER);
    assertThat(store.counts().total()).isZero();
  }

  @Test
  void a_read_that_began_before_a_change_does_not_bring_the_old_value_back() {
    for (Function<Store, Mono<Void>> change : CHANGES) {
      LateAnswers late = new LateAnswers(values);
      CachedStore overLate = Stores.cached(late, CacheOptions.ofBytes(1 << 20));
      put(KEY, OLD);
      List<Bytes> early = new ArrayList<>();
      overLate.get(KEY).subscribe(early::add);
      change.apply(overLate).block(TIMEOUT);
      List<Bytes> after = new ArrayList<>();
      overLate.get(KEY).defaultIfEmpty(Bytes.EMPTY).subscribe(after::add);
      late.answer();
      Bytes now = values.get(KEY).defaultIfEmpty(Bytes.EMPTY).block(TIMEOUT);
      assertThat(early).containsExactly(OLD);
      assertThat(after).containsExactly(now).isNotEqualTo(early);
      assertThat(overLate.get(KEY).defaultIfEmpty(Bytes.EMPTY).block(TIMEOUT)).isEqualTo(now);
    }
  }

  @Test
  void a_read_during_a_change_is_not_kept_beyond_it() {
    for (Function<Store, Mono<Void>> change : CHANGES) {
      put(KEY, OLD);
      cached.forget(StorePrefix.ROOT);
      HeldRequests held = store.hold(request -> CHANGING.contains(request.operation()));
      AtomicBoolean done = new AtomicBoolean();
      Disposable changing = change.apply(cached).doOnSuccess(end -> done.set(true)).subscribe();
      assertThat(get(cached, KEY)).isEqualTo(OLD);
      held.release();
      assertThat(done).isTrue();
      assertThat(get(cached, KEY)).isEqualTo(get(values, KEY)).isNotEqualTo(OLD);
      changing.dispose();
    }
  }

  @Test
  void after_a_failed_or_cancelled_change_the_store_is_read_again_and_the_cache_works_on() {
    for (Function<Store, Mono<Void>> change : CHANGES) {
      put(KEY, OLD);
      cached.forget(StorePrefix.ROOT);
      HeldRequests held = store.hold(request -> CHANGING.contains(request.operation()));
      Disposable changing = change.apply(cached).subscribe();
      get(cached, KEY);
      changing.dispose();
      put(KEY, NEW);
      assertThat(get(cached, KEY)).isEqualTo(NEW);
      held.release();
      store.fail(
          request -> CHANGING.contains(request.operation()),
          () -> new StoreException("broken", Location.ofKey(KEY.value())));
      assertThatThrownBy(() -> change.apply(cached).block(TIMEOUT)).hasMessageContaining("broken");
      store.behave();
      get(cached, KEY);
      store.counts().reset();
      get(cached, KEY);
      assertThat(store.counts().total()).isZero();
    }
  }

  @Test
  void closing_forgets_everything() {
    put(KEY, OLD);
    get(cached, KEY);
    cached.close().block(TIMEOUT);
    assertThat(cached.counts().entries()).isZero();
    assertThat(cached.counts().bytes()).isZero();
  }

  @Test
  void readers_and_writers_on_many_threads_never_see_a_value_older_than_their_own_write() {
    CachedStore small = Stores.cached(store, CacheOptions.ofBytes(4000).withMissingKeys(true));
    List<String> wrong =
        Flux.range(0, 8)
            .flatMap(
                writer ->
                    Flux.range(0, 500)
                        .concatMap(turn -> writeAndRead(small, writer, turn))
                        .subscribeOn(Schedulers.parallel()),
                8)
            .collectList()
            .block(TIMEOUT);
    assertThat(wrong).isEmpty();
    assertThat(store.counts().inFlight()).isZero();
    assertThat(small.counts().bytes()).isLessThanOrEqualTo(4000);
    assertThat(small.counts().hits()).isPositive();
  }

  /** Each writer has a key of its own, which all others read and stop reading at the same time. */
  private static Mono<String> writeAndRead(Store store, int writer, int turn) {
    StoreKey own = StoreKey.of("d/" + writer);
    StoreKey neighbour = StoreKey.of("d/" + (writer + 1) % 8);
    Bytes value = Bytes.utf8(writer + ":" + turn);
    Mono<Bytes> foreign = store.get(neighbour);
    Mono<?> reading = turn % 3 == 0 ? foreign.takeUntilOther(Mono.just(turn)) : foreign;
    return store
        .set(own, value)
        .then(reading)
        .then(store.get(own))
        .filter(read -> !read.equals(value))
        .map(read -> own + " is old");
  }

  private static @Nullable Bytes get(Store store, StoreKey key) {
    return store.get(key).block(TIMEOUT);
  }

  private void put(StoreKey key, Bytes value) {
    values.set(key, value).block(TIMEOUT);
  }

  /** Reads the value at once, and answers with it later. */
  private static final class LateAnswers extends DelegatingStore {
    private final Sinks.Empty<Void> gate = Sinks.empty();

    LateAnswers(Store delegate) {
      super(delegate);
    }

    @Override
    public Mono<Bytes> get(StoreKey key) {
      return super.get(key).flatMap(value -> gate.asMono().thenReturn(value));
    }

    @Override
    public Mono<VersionedBytes> getVersioned(
        StoreKey key, @Nullable ByteRange range, ReadCondition condition) {
      return super.getVersioned(key, range, condition)
          .flatMap(value -> gate.asMono().thenReturn(value));
    }

    void answer() {
      gate.tryEmitEmpty();
    }
  }
}
