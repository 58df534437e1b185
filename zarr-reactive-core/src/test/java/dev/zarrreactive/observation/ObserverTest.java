package dev.zarrreactive.observation;

import static dev.zarrreactive.testing.CodecThreads.settled;
import static dev.zarrreactive.testing.ShardArrays.data;
import static dev.zarrreactive.testing.ShardArrays.squares;
import static dev.zarrreactive.testing.Waiting.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import dev.zarrreactive.ShardReading;
import dev.zarrreactive.Zarr;
import dev.zarrreactive.ZarrArray;
import dev.zarrreactive.ZarrHierarchy;
import dev.zarrreactive.ZarrOptions;
import dev.zarrreactive.array.NdArray;
import dev.zarrreactive.array.selection.Selection;
import dev.zarrreactive.base.ByteRange;
import dev.zarrreactive.base.Bytes;
import dev.zarrreactive.base.StoreKey;
import dev.zarrreactive.error.Location;
import dev.zarrreactive.error.TransientStoreException;
import dev.zarrreactive.store.Coalescing;
import dev.zarrreactive.store.DelegatingStore;
import dev.zarrreactive.store.ReadCondition;
import dev.zarrreactive.store.Store;
import dev.zarrreactive.store.VersionedBytes;
import dev.zarrreactive.store.decorator.CacheOptions;
import dev.zarrreactive.store.decorator.CachedStore;
import dev.zarrreactive.store.decorator.HedgeOptions;
import dev.zarrreactive.store.decorator.RequestLimit;
import dev.zarrreactive.store.decorator.RetryOptions;
import dev.zarrreactive.store.decorator.Stores;
import dev.zarrreactive.store.memory.MemoryStore;
import dev.zarrreactive.testing.ShardArrays;
import dev.zarrreactive.testing.TestArrays;
import dev.zarrreactive.testkit.HeldRequests;
import dev.zarrreactive.testkit.InstrumentedStore;
import java.time.Duration;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import reactor.core.Disposable;
import reactor.core.publisher.Hooks;
import reactor.core.publisher.Mono;
import reactor.test.StepVerifier;

/** An observer is told what happens: as often as a store that counts sees it. */
class ObserverTest {
  private final RecordingObserver heard = new RecordingObserver();
  private final ZarrOptions options = ZarrOptions.defaults().withObserver(heard);
  private final InstrumentedStore store = InstrumentedStore.of(MemoryStore.create());

  private ZarrArray row(int chunks, Store over, ZarrOptions with) {
    TestArrays.row(chunks, store, ZarrOptions.defaults());
    ZarrArray array = TestArrays.open(over, with);
    store.counts().reset();
    heard.forget();
    return array;
  }

  private void assertAllRequestsHeard() {
    assertThat(heard.started.stream().map(ObserverTest::described))
        .containsExactlyInAnyOrderElementsOf(
            store.counts().requests().stream().map(ObserverTest::described).toList());
    assertThat(heard.ended).hasSize(store.counts().total());
    assertThat(heard.bytes()).isEqualTo(store.counts().bytesRead() + store.counts().bytesWritten());
  }

  private static String described(StoreRequest request) {
    return request.operation() + " " + request.target() + " " + request.range();
  }

  @Test
  void an_observer_hears_of_reads_of_chunks_with_their_requests_and_decodings() {
    ZarrArray array = row(10, store, options);
    array.read(Selection.parse("2:30")).block();
    assertAllRequestsHeard();
    assertThat(heard.operations).containsExactly("READ /a COMPLETED");
    assertThat(heard.waits).hasSize(8);
    assertThat(heard.decodings)
        .hasSize(8)
        .allSatisfy(
            decoding -> {
              assertThat(decoding.decodedBytes()).isEqualTo(TestArrays.CHUNK_BYTES);
              assertThat(decoding.duration()).isPositive();
              assertThat(decoding.error()).isNull();
            });
    assertThat(heard.decodings.stream().mapToLong(decoding -> decoding.encodedBytes()).sum())
        .isEqualTo(store.counts().bytesRead());
    array.chunks(Selection.all()).blockLast();
    array.chunksInOrder(Selection.all()).blockLast();
    array.readChunk(3).block();
    array.readEncodedChunk(3).block();
    array.chunkExists(3).block();
    array.write(Selection.parse("1:3"), TestArrays.ints(5, 6)).block();
    assertAllRequestsHeard();
    assertThat(heard.decodings).hasSize(8 + 10 + 10 + 1);
    assertThat(heard.operations)
        .containsExactly(
            "READ /a COMPLETED",
            "READ_CHUNKS /a COMPLETED",
            "READ_CHUNKS /a COMPLETED",
            "READ_CHUNK /a COMPLETED",
            "READ_CHUNK /a COMPLETED",
            "EXISTS /a COMPLETED",
            "WRITE /a COMPLETED");
  }

  @Test
  void an_observer_hears_of_operations_on_nodes() {
    ZarrHierarchy hierarchy = Zarr.hierarchy(store, options);
    hierarchy.createArray("g/a", TestArrays.metadata(1).build()).block();
    hierarchy.openGroup("g").flatMapMany(group -> group.children()).blockLast();
    hierarchy.exists("nothing").block();
    StepVerifier.create(hierarchy.open("nothing")).expectError().verify();
    hierarchy.erase("g").block();
    assertThat(heard.operations)
        .containsExactly(
            "WRITE_METADATA /g/a COMPLETED",
            "OPEN /g COMPLETED",
            "LIST /g COMPLETED",
            "EXISTS /nothing COMPLETED",
            "OPEN /nothing FAILED",
            "ERASE /g COMPLETED");
    assertAllRequestsHeard();
  }

  @Test
  void an_operation_that_fails_and_one_that_is_cancelled_end_once() {
    ZarrArray array = row(3, store, options);
    store.set(StoreKey.of("a/c/1"), Bytes.utf8("damaged")).block();
    StepVerifier.create(array.readChunk(1)).expectError().verify();
    assertThat(heard.decodings).hasSize(1).allMatch(decoding -> decoding.error() != null);
    HeldRequests held = store.hold(TestArrays.chunks());
    Disposable reading = array.read(Selection.all()).subscribe();
    eventually("requests are held", () -> held.waiting() > 0);
    reading.dispose();
    assertThat(heard.operations).containsExactly("READ_CHUNK /a FAILED", "READ /a CANCELLED");
  }

  @Test
  void an_observer_hears_of_merged_ranges_with_their_surplus_bytes() {
    ZarrOptions merging =
        options.withShardReading(
            ShardReading.defaults()
                .withCoalescing(new Coalescing(ShardArrays.INNER_BYTES, 1 << 20, 0.5)));
    ShardArrays.written(squares(1, 2), store, ZarrOptions.defaults());
    ZarrHierarchy hierarchy = Zarr.hierarchy(store, merging);
    ZarrArray array = hierarchy.openArray("a").block();
    store.counts().reset();
    heard.forget();
    array.read(Selection.parse("0:4,[64, 72, 84]")).block();
    assertAllRequestsHeard();
    assertThat(heard.ranges)
        .containsExactlyInAnyOrder(
            new RangeRequest(2, 3L * ShardArrays.INNER_BYTES, ShardArrays.INNER_BYTES),
            new RangeRequest(1, ShardArrays.INNER_BYTES, 0));
    assertThat(heard.ranges.stream().mapToLong(RangeRequest::bytes).sum())
        .isEqualTo(
            store.counts().requests().stream()
                .filter(data())
                .mapToLong(request -> ((ByteRange.Slice) request.range()).length())
                .sum());
    assertThat(heard.decodings).hasSize(3);
    array.read(Selection.parse("0:4,64:68")).block();
    assertThat(heard.lookUps).containsExactlyInAnyOrder("shard-indexes MISS", "shard-indexes HIT");
    assertThat(hierarchy.shardIndexCounts().hits())
        .isEqualTo(heard.lookUps("shard-indexes", CacheOutcome.HIT));
    assertThat(hierarchy.shardIndexCounts().misses())
        .isEqualTo(heard.lookUps("shard-indexes", CacheOutcome.MISS));
  }

  @Test
  void an_observer_hears_of_look_ups_as_the_cache_counts_them() {
    CachedStore cached = Stores.cached(store, CacheOptions.ofBytes(1 << 20));
    ZarrArray array = row(6, cached, options);
    long missesBefore = cached.counts().misses();
    array.read(Selection.parse("0:12")).block();
    array.read(Selection.all()).block();
    assertThat(heard.lookUps("values", CacheOutcome.MISS))
        .isEqualTo(cached.counts().misses() - missesBefore)
        .isEqualTo(store.counts().total())
        .isEqualTo(6);
    assertThat(heard.lookUps("values", CacheOutcome.HIT))
        .isEqualTo(cached.counts().hits())
        .isEqualTo(3);
    assertThat(heard.started).hasSize(9);
  }

  @Test
  void an_observer_hears_of_look_ups_of_decoded_chunks_as_they_are_counted() {
    TestArrays.row(6, store, ZarrOptions.defaults());
    ZarrHierarchy hierarchy = Zarr.hierarchy(store, options.withDecodedChunkCache(1 << 20));
    ZarrArray array = hierarchy.openArray("a").block();
    array.read(Selection.parse("0:12")).block();
    heard.decodings.clear();
    array.read(Selection.all()).block();
    assertThat(heard.lookUps("chunks", CacheOutcome.HIT))
        .isEqualTo(hierarchy.decodedChunkCounts().hits())
        .isEqualTo(3);
    assertThat(heard.lookUps("chunks", CacheOutcome.MISS))
        .isEqualTo(hierarchy.decodedChunkCounts().misses())
        .isEqualTo(6);
    assertThat(heard.decodings).hasSize(3);
  }

  @Test
  void an_observer_hears_of_retries() {
    RetryOptions quick =
        RetryOptions.defaults().withBackoff(Duration.ofMillis(1), Duration.ofMillis(2));
    ZarrArray array = row(3, Stores.retrying(store, quick), options);
    store.failNext(
        2, TestArrays.chunk(1), () -> new TransientStoreException("busy", Location.UNKNOWN));
    array.read(Selection.all()).block();
    assertThat(heard.retries)
        .extracting(retry -> retry.place() + " " + retry.attempt())
        .containsExactly("key a/c/1 2", "key a/c/1 3");
    assertThat(store.counts().total()).isEqualTo(heard.started.size() + heard.retries.size());
  }

  @Test
  void an_observer_hears_of_hedged_requests() {
    Store hedged = Stores.observed(Stores.hedged(store, HedgeOptions.defaults()), heard);
    StoreKey key = StoreKey.of("k");
    store.set(key, Bytes.utf8("1")).block();
    hedged.get(key).repeat(60).blockLast();
    HeldRequests held = store.hold(request -> request.id() == store.counts().total() - 1);
    Disposable late = hedged.get(key).subscribe();
    eventually("there is a second request", () -> !heard.hedges.isEmpty());
    held.release();
    late.dispose();
    assertThat(heard.hedges).allMatch(wait -> !wait.isNegative());
  }

  @Test
  void an_observer_hears_of_waits_for_permits_and_the_length_of_the_queue() {
    RequestLimit two = RequestLimit.fixed(2);
    ZarrArray array = row(8, store, options.withRequestLimit(two));
    HeldRequests held = store.hold(TestArrays.chunks());
    Mono<NdArray> read = array.read(Selection.all());
    Disposable reading = read.subscribe();
    eventually("others wait", () -> two.waiting() == 6);
    assertThat(two.underWay()).isEqualTo(2);
    assertThat(heard.waits).hasSize(2);
    long known = System.nanoTime(); // the others wait since before
    settled();
    Duration least = Duration.ofNanos(System.nanoTime() - known);
    held.release();
    store.behave();
    eventually("it ends", () -> heard.operations.contains("READ /a COMPLETED"));
    assertThat(heard.waits).hasSize(8).filteredOn(wait -> wait.compareTo(least) >= 0).hasSize(6);
    assertThat(two.waiting() + two.underWay()).isZero();
    reading.dispose();
  }

  @Test
  void bytes_in_flight_can_be_asked_for() {
    ZarrArray array = row(4, store, options.withMaxInFlightBytes(1 << 20));
    assertThat(heard.opened).hasSize(1);
    assertThat(heard.opened.element().most()).isEqualTo(1 << 20);
    HeldRequests held = store.hold(TestArrays.chunks());
    Disposable reading = array.read(Selection.all()).subscribe();
    eventually("requests are held", () -> held.waiting() == 4);
    assertThat(heard.opened.element().held()).isEqualTo(4 * 2 * TestArrays.CHUNK_BYTES);
    reading.dispose();
    eventually("all is given back", () -> heard.opened.element().held() == 0);
  }

  @Test
  void the_subscribers_context_goes_through_and_what_is_added_reaches_the_store() {
    Queue<String> seen = new ConcurrentLinkedQueue<>();
    Store below =
        new DelegatingStore(store) {
          @Override
          public Mono<VersionedBytes> getVersioned(
              StoreKey key, @Nullable ByteRange range, ReadCondition condition) {
            return Mono.deferContextual(
                context -> {
                  seen.add(context.getOrDefault(RecordingObserver.TRACE, "nobody"));
                  return super.getVersioned(key, range, condition);
                });
          }
        };
    CachedStore cached = Stores.cached(below, CacheOptions.ofBytes(1 << 20));
    ShardArrays.written(squares(1, 1), store, ZarrOptions.defaults());
    ZarrArray array = Zarr.hierarchy(cached, options).openArray("a").block();
    seen.clear();
    heard.forget();
    array
        .read(Selection.parse("0:4,[0, 20]"))
        .contextWrite(context -> context.put(RecordingObserver.TRACE, "me"))
        .block();
    assertThat(seen).hasSizeBetween(2, 3).containsOnly("me > READ /a > a/c/0/0");
    assertThat(heard.traces).contains("me > READ /a");
  }

  @Test
  void an_observer_that_throws_disturbs_nothing_and_keeps_nothing_from_others() {
    ShardArrays.written(squares(1, 1), store, ZarrOptions.defaults());
    Queue<Throwable> dropped = new ConcurrentLinkedQueue<>();
    Hooks.onErrorDropped(dropped::add);
    try {
      ThrowingObserver bad = new ThrowingObserver();
      for (ZarrObserver observer : List.of(bad, ZarrObserver.all(bad, heard))) {
        heard.forget();
        RetryOptions quick =
            RetryOptions.defaults().withBackoff(Duration.ofMillis(1), Duration.ofMillis(2));
        Store stack = Stores.cached(Stores.retrying(store, quick), CacheOptions.ofBytes(1));
        ZarrArray array = TestArrays.open(stack, ZarrOptions.defaults().withObserver(observer));
        store.failNext(1, data(), () -> new TransientStoreException("busy", Location.UNKNOWN));
        NdArray read = array.read(Selection.parse("0:4,0:4")).block();
        assertThat(read.getInt(3, 3)).isEqualTo(3 * 64 + 4);
      }
      assertThat(bad.told)
          .containsExactlyInAnyOrder(
              "operation",
              "end of operation",
              "request",
              "end of request",
              "ranges",
              "decoding",
              "open",
              "retry",
              "permit",
              "look-up");
      assertThat(heard.operations).containsExactly("OPEN /a COMPLETED", "READ /a COMPLETED");
      assertThat(heard.retries).hasSize(1);
      assertThat(dropped).isNotEmpty().allMatch(IllegalStateException.class::isInstance);
    } finally {
      Hooks.resetOnErrorDropped();
    }
  }
}
