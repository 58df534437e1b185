package dev.zarrreactive.observation;

import static dev.zarrreactive.testing.CodecThreads.settled;
import static dev.zarrreactive.testing.ShardArrays.squares;
import static dev.zarrreactive.testing.TestArrays.chunk;
import static dev.zarrreactive.testing.TestArrays.chunks;
import static dev.zarrreactive.testing.TestArrays.row;
import static dev.zarrreactive.testing.Waiting.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import dev.zarrreactive.ShardReading;
import dev.zarrreactive.Zarr;
import dev.zarrreactive.ZarrArray;
import dev.zarrreactive.ZarrHierarchy;
import dev.zarrreactive.ZarrOptions;
import dev.zarrreactive.array.NdArray;
import dev.zarrreactive.array.Shape;
import dev.zarrreactive.array.selection.Selection;
import dev.zarrreactive.datatype.DataTypes;
import dev.zarrreactive.error.Location;
import dev.zarrreactive.error.TransientStoreException;
import dev.zarrreactive.metadata.ArrayMetadata;
import dev.zarrreactive.metadata.ArrayMetadataBuilder;
import dev.zarrreactive.store.Coalescing;
import dev.zarrreactive.store.Store;
import dev.zarrreactive.store.decorator.CacheOptions;
import dev.zarrreactive.store.decorator.RequestLimit;
import dev.zarrreactive.store.decorator.RetryOptions;
import dev.zarrreactive.store.decorator.Stores;
import dev.zarrreactive.store.memory.MemoryStore;
import dev.zarrreactive.testing.NothingIsDropped;
import dev.zarrreactive.testing.ShardArrays;
import dev.zarrreactive.testkit.Distance;
import dev.zarrreactive.testkit.DistantStore;
import dev.zarrreactive.testkit.HeldRequests;
import dev.zarrreactive.testkit.InstrumentedStore;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.assertj.core.data.Offset;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import reactor.core.Disposable;
import reactor.core.publisher.Mono;
import reactor.test.scheduler.VirtualTimeScheduler;

/** A hierarchy on a decorated store limits and measures what reaches the store itself. */
@ExtendWith(NothingIsDropped.class)
class LimitsOfDecoratedStoresTest {
  private static final Duration TIMEOUT = Duration.ofSeconds(60);
  private static final ZarrOptions DEFAULTS = ZarrOptions.defaults();
  private static final CacheOptions CACHE = CacheOptions.ofBytes(1 << 20);
  private static final Selection FIRST = Selection.parse("0:4");
  private static final Selection SECOND = Selection.parse("4:8");

  private final InstrumentedStore store = InstrumentedStore.of(MemoryStore.create());

  @Test
  void a_hit_is_answered_while_all_permits_are_taken() {
    ZarrArray array =
        row(2, Stores.cached(store, CACHE), DEFAULTS.withRequestLimit(RequestLimit.fixed(1)));
    NdArray first = array.read(FIRST).block(TIMEOUT);
    HeldRequests held = store.hold(chunk(1));
    CompletableFuture<NdArray> second = array.read(SECOND).toFuture();
    eventually("the permit is taken", () -> held.waiting() == 1);
    assertThat(array.read(FIRST).block(TIMEOUT)).isEqualTo(first);
    assertThat(second).isNotDone();
    held.release();
    ended(second);
  }

  @Test
  void a_back_off_holds_no_permit() {
    RequestLimit one = RequestLimit.fixed(1);
    Store retrying =
        Stores.retrying(store, RetryOptions.defaults().withDeadline(Duration.ofHours(2)));
    ZarrArray array = row(2, retrying, DEFAULTS.withRequestLimit(one));
    store.failNext(
        1,
        chunk(0),
        () -> new TransientStoreException("503", Location.UNKNOWN, Duration.ofHours(1)));
    long failed = store.counts().failed();
    Disposable first = array.read(FIRST).subscribe();
    eventually("it backs off", () -> store.counts().failed() > failed && one.underWay() == 0);
    assertThat(array.read(SECOND).block(TIMEOUT).toIntArray()).containsExactly(5, 6, 7, 8);
    first.dispose();
  }

  @Test
  void an_adaptive_limit_learns_from_refusals_that_are_retried() {
    RequestLimit adaptive = RequestLimit.adaptive();
    int before = adaptive.current();
    Store retrying = Stores.retrying(store, RetryOptions.defaults());
    ZarrArray array = row(1, retrying, DEFAULTS.withRequestLimit(adaptive));
    store.failNext(1, chunks(), () -> new TransientStoreException("503", Location.UNKNOWN));
    array.read(Selection.all()).block(TIMEOUT);
    assertThat(adaptive.current()).isLessThan(before);
  }

  @Test
  void the_limit_of_a_stack_replaces_the_default() {
    Store stack = Stores.cached(Stores.limited(store, 5), CACHE);
    ZarrArray array = row(8, stack, DEFAULTS.withMaxConcurrency(3));
    assertThat(readTogether(array, Zarr.hierarchy(stack).openArray("a").block(TIMEOUT)))
        .isEqualTo(5);
  }

  @Test
  void without_a_limit_of_their_own_two_stacks_over_one_store_share_the_default() {
    ZarrOptions three = DEFAULTS.withMaxConcurrency(3);
    ZarrArray one = row(8, Stores.cached(store, CACHE), three);
    Store other = Stores.retrying(store, RetryOptions.defaults());
    ZarrArray another = Zarr.hierarchy(other, three).openArray("a").block(TIMEOUT);
    assertThat(readTogether(one, another)).isEqualTo(3);
  }

  /** Returns how many requests wait at the store when two arrays are read at the same time. */
  private int readTogether(ZarrArray one, ZarrArray other) {
    store.counts().reset();
    HeldRequests held = store.hold(chunks());
    CompletableFuture<NdArray> first = one.read(Selection.parse("0:16")).toFuture();
    CompletableFuture<NdArray> second = other.read(Selection.parse("16:32")).toFuture();
    eventually("requests wait", () -> held.waiting() >= 3);
    settled(); // no other request is made before one is answered
    held.release();
    ended(first);
    ended(second);
    return store.counts().maxInFlight();
  }

  private static void ended(CompletableFuture<?> future) {
    future.orTimeout(TIMEOUT.toSeconds(), TimeUnit.SECONDS).join();
  }

  /** Planes through a shard, two inner chunks in sixteen: one request where only time counts. */
  @ParameterizedTest
  @ValueSource(ints = {0, 30, 90})
  void hits_in_a_cache_do_not_change_how_ranges_are_merged(int percentOfHits) {
    VirtualTimeScheduler time = VirtualTimeScheduler.create();
    ZarrOptions options =
        DEFAULTS
            .withCodecScheduler(time)
            .withShardReading(ShardReading.defaults().withCoalescing(Coalescing.fastest()));
    Store near = MemoryStore.create();
    ShardArrays.written(squares(1, 16), near, DEFAULTS);
    DistantStore far = DistantStore.of(near, Distance.of(Duration.ofMillis(50)), time);
    Store cached = Stores.cached(far, CACHE);
    ZarrArray array = taken(time, Zarr.hierarchy(cached, options).openArray("a"));
    int cold = 0;
    for (int i = 0; i < 50; i++) {
      boolean isHit = cold > 0 && 2 * i < percentOfHits;
      int column = isHit ? 0 : 8 * cold++;
      taken(time, array.read(plane(column)));
    }
    far.reset();
    taken(time, array.read(plane(1016)));
    assertThat(far.requests()).as("the index, and 32 inner chunks together").isEqualTo(2);
  }

  /** Planes through inner chunks of 16 × 16 × 16 elements, of which four shards have 16 each. */
  @ParameterizedTest
  @ValueSource(ints = {0, 50, 90})
  void a_plane_of_four_shards_costs_the_same_requests_with_and_without_a_cache(int percentOfHits) {
    Store near = MemoryStore.create();
    ArrayMetadataBuilder cubes =
        ArrayMetadata.v3(Shape.of(128, 128, 64L * 6), DataTypes.INT32)
            .chunkShape(64, 64, 64)
            .codecs(ShardArrays.sharding("end", ShardArrays.checked(), 16, 16, 16));
    ShardArrays.written(cubes, near, DEFAULTS);
    long without = requestsOfAPlane(near, false, percentOfHits);
    long with = requestsOfAPlane(near, true, percentOfHits);
    assertThat(with).isCloseTo(without, Offset.offset(1L));
    assertThat(without).as("four indexes, 64 inner chunks").isLessThanOrEqualTo(4 + 64);
  }

  /** Returns the requests of one plane that no read has touched, after reads of other planes. */
  private static long requestsOfAPlane(Store near, boolean isCached, int percentOfHits) {
    VirtualTimeScheduler time = VirtualTimeScheduler.create();
    DistantStore far = DistantStore.of(near, Distance.of(Duration.ofMillis(50)), time);
    Store store = isCached ? Stores.cached(far, CacheOptions.ofBytes(64 << 20)) : far;
    ZarrHierarchy hierarchy = Zarr.hierarchy(store, DEFAULTS.withCodecScheduler(time));
    ZarrArray array = taken(time, hierarchy.openArray("a"));
    int cold = 0;
    for (int i = 0; i < 20; i++) {
      boolean isHit = cold > 0 && 5 * i < percentOfHits;
      int column = isHit ? 0 : 16 * cold++;
      taken(time, array.read(Selection.parse(":,:," + column)));
    }
    far.reset();
    taken(time, array.read(Selection.parse(":,:,383")));
    return far.requests();
  }

  private static Selection plane(int column) {
    return Selection.parse(":64," + column + ":" + (column + 8));
  }

  private static <T> T taken(VirtualTimeScheduler time, Mono<T> work) {
    List<T> taken = new ArrayList<>();
    work.subscribe(taken::add);
    time.advanceTimeBy(Duration.ofMinutes(10));
    assertThat(taken).hasSize(1);
    return taken.get(0);
  }
}
