package dev.zarrreactive.cache;

import static dev.zarrreactive.testing.ShardArrays.data;
import static dev.zarrreactive.testing.ShardArrays.squares;
import static dev.zarrreactive.testing.TestArrays.chunks;
import static dev.zarrreactive.testing.TestArrays.counting;
import static dev.zarrreactive.testing.TestArrays.row;
import static dev.zarrreactive.testing.Waiting.eventually;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.zarrreactive.Zarr;
import dev.zarrreactive.ZarrArray;
import dev.zarrreactive.ZarrHierarchy;
import dev.zarrreactive.ZarrOptions;
import dev.zarrreactive.array.Chunk;
import dev.zarrreactive.array.NdArray;
import dev.zarrreactive.array.Shape;
import dev.zarrreactive.array.selection.Selection;
import dev.zarrreactive.datatype.DataTypes;
import dev.zarrreactive.datatype.FillValue;
import dev.zarrreactive.error.AccessDeniedException;
import dev.zarrreactive.error.Location;
import dev.zarrreactive.store.decorator.CacheCounts;
import dev.zarrreactive.store.decorator.CacheOptions;
import dev.zarrreactive.store.decorator.CachedStore;
import dev.zarrreactive.store.decorator.Stores;
import dev.zarrreactive.store.memory.MemoryStore;
import dev.zarrreactive.testing.NothingIsDropped;
import dev.zarrreactive.testing.TestArrays;
import dev.zarrreactive.testkit.HeldRequests;
import dev.zarrreactive.testkit.InstrumentedStore;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import reactor.core.Disposable;

/** Decoded chunks: kept while there is room, shared, forgotten when they change. */
@ExtendWith(NothingIsDropped.class)
class DecodedChunkCacheTest {
  private static final ZarrOptions KEEPING = ZarrOptions.defaults().withDecodedChunkCache(10 << 20);

  private final InstrumentedStore store = InstrumentedStore.of(MemoryStore.create());

  private ZarrHierarchy hierarchy(ZarrOptions options) {
    return Zarr.hierarchy(store, options);
  }

  @Test
  void every_array_of_the_hierarchy_shares_the_cached_chunks() {
    row(10, store, ZarrOptions.defaults());
    ZarrHierarchy hierarchy = hierarchy(KEEPING);
    assertThat(hierarchy.openArray("a").block().read(Selection.all()).block())
        .isEqualTo(counting(Shape.of(40)));
    ZarrArray again = hierarchy.openArray("a").block();
    store.counts().reset();
    assertThat(again.read(Selection.parse("1:39")).block().getInt(0)).isEqualTo(2);
    List<Chunk> inOrder = again.chunksInOrder(Selection.all()).collectList().block();
    assertThat(inOrder.get(7).data().getInt(0)).isEqualTo(29);
    assertThat(again.chunks(Selection.all()).count().block()).isEqualTo(10);
    assertThat(store.counts().total()).isZero();
    CacheCounts counts = hierarchy.decodedChunkCounts();
    assertThat(counts.hits()).isEqualTo(30);
    assertThat(counts.misses()).isEqualTo(10);
    assertThat(counts.entries()).isEqualTo(10);
  }

  @Test
  void what_another_program_has_changed_is_read_again_when_it_is_forgotten() {
    row(2, store, ZarrOptions.defaults());
    CachedStore cached = Stores.cached(store, CacheOptions.ofBytes(1 << 20));
    ZarrHierarchy hierarchy = Zarr.hierarchy(cached, KEEPING);
    ZarrArray array = hierarchy.openArray("a").block();
    array.read(Selection.all()).block();
    store.counts().reset();
    hierarchy.forget("b").block();
    array.read(Selection.all()).block();
    assertThat(store.counts().total()).as("another node is forgotten").isZero();
    hierarchy.forget("a").block();
    assertThat(hierarchy.decodedChunkCounts().entries()).isZero();
    assertThat(cached.counts().entries()).isZero();
    array.read(Selection.all()).block();
    assertThat(store.counts().total()).isEqualTo(2);
    hierarchy.forget("").block();
    assertThat(hierarchy.decodedChunkCounts().entries()).isZero();
  }

  @Test
  void inner_chunks_that_are_known_cost_nothing_and_the_others_only_themselves() {
    TestArrays.counting(squares(2, 1), store, ZarrOptions.defaults());
    ZarrHierarchy hierarchy = hierarchy(KEEPING);
    ZarrArray array = hierarchy.openArray("a").block();
    array.read(Selection.parse("0:8,0:8")).block();
    store.counts().reset();
    assertThat(array.read(Selection.parse("0:8,0:8")).block().getInt(7, 7)).isEqualTo(7 * 64 + 8);
    assertThat(store.counts().total()).isZero();
    assertThat(array.chunksInOrder(Selection.parse("0:8,0:12")).count().block()).isEqualTo(6);
    assertThat(store.counts().requests()).hasSize(1).allMatch(data());
    store.counts().reset();
    List<Chunk> overBoth = array.chunksInOrder(Selection.parse("::4,0:4")).collectList().block();
    assertThat(overBoth).hasSize(32);
    assertThat(overBoth.get(31).data().getInt(0, 0)).isEqualTo(124 * 64 + 1);
    assertThat(hierarchy.bytesInFlight()).isZero();
  }

  @Test
  void with_any_budget_and_anything_known_a_stream_ends() {
    TestArrays.counting(squares(3, 2), store, ZarrOptions.defaults());
    for (int budget : new int[] {1, 500, 5_000, 100_000}) {
      ZarrHierarchy hierarchy = hierarchy(KEEPING.withMaxInFlightBytes(budget));
      ZarrArray array = hierarchy.openArray("a").block();
      array.read(Selection.parse("70:100,0:30")).block();
      array.read(Selection.parse("64:128,64:128")).block();
      assertThat(array.chunksInOrder(Selection.all()).count().block()).isEqualTo(6 * 256);
      assertThat(array.chunks(Selection.all()).count().block()).isEqualTo(6 * 256);
      assertThat(hierarchy.bytesInFlight()).isZero();
    }
  }

  @Test
  void concurrent_readers_of_a_chunk_load_it_once() {
    row(1, store, ZarrOptions.defaults());
    ZarrHierarchy hierarchy = hierarchy(KEEPING);
    ZarrArray array = hierarchy.openArray("a").block();
    HeldRequests held = store.hold(chunks());
    store.counts().reset();
    List<CompletableFuture<NdArray>> reads = new ArrayList<>();
    for (int i = 0; i < 4; i++) {
      reads.add(array.read(Selection.parse("0:2")).toFuture());
    }
    eventually("the chunk is asked for", () -> held.waiting() == 1);
    eventually("others wait", () -> hierarchy.decodedChunkCounts().shared() == 3);
    held.release();
    reads.forEach(read -> assertThat(read.join().toIntArray()).containsExactly(1, 2));
    assertThat(store.counts().total()).isEqualTo(1);
  }

  @Test
  void a_reader_loads_the_chunk_itself_when_the_loading_reader_cancels() {
    row(1, store, ZarrOptions.defaults());
    ZarrHierarchy hierarchy = hierarchy(KEEPING);
    ZarrArray array = hierarchy.openArray("a").block();
    HeldRequests held = store.hold(chunks());
    Disposable first = array.read(Selection.all()).subscribe();
    eventually("the chunk is asked for", () -> held.waiting() == 1);
    CompletableFuture<NdArray> second = array.read(Selection.all()).toFuture();
    eventually("the other waits", () -> hierarchy.decodedChunkCounts().shared() == 1);
    first.dispose();
    held.release();
    assertThat(second.join()).isEqualTo(counting(Shape.of(4)));
    assertThat(hierarchy.bytesInFlight()).isZero();
  }

  @Test
  void a_second_request_that_finds_nothing_replaces_the_bytes_of_the_first() {
    TestArrays.counting(squares(1, 1), store, ZarrOptions.defaults());
    ZarrHierarchy hierarchy = hierarchy(KEEPING);
    ZarrArray array = hierarchy.openArray("a").block();
    array.read(Selection.parse("60:64,60:64")).block(); // the index is known
    store.counts().reset();
    AtomicBoolean isFirst = new AtomicBoolean(true);
    HeldRequests held = store.hold(request -> isFirst.getAndSet(false));
    Disposable first = array.read(Selection.parse("0:4,4:8")).subscribe();
    eventually("an inner chunk is asked for", () -> held.waiting() == 1);
    CompletableFuture<NdArray> both = array.read(Selection.parse("0:4,0:8")).toFuture();
    eventually("the other one has arrived", () -> store.counts().bytesRead() > 0);

    NdArray zeros = NdArray.filled(Shape.of(64, 64), FillValue.zero(DataTypes.INT32));
    array.write(Selection.all(), zeros).block();
    first.dispose();
    held.release();
    both.join();
    assertThat(array.read(Selection.parse("0:4,0:8")).block())
        .isEqualTo(NdArray.filled(Shape.of(4, 8), FillValue.zero(DataTypes.INT32)));
  }

  @Test
  void a_failure_is_not_kept() {
    row(1, store, ZarrOptions.defaults());
    ZarrArray array = hierarchy(KEEPING).openArray("a").block();
    store.failNext(1, chunks(), () -> new AccessDeniedException("not now", Location.UNKNOWN));
    assertThatThrownBy(() -> array.read(Selection.all()).block())
        .isInstanceOf(AccessDeniedException.class)
        .hasMessageContaining("chunk [0]");
    assertThat(array.read(Selection.all()).block()).isEqualTo(counting(Shape.of(4)));
  }

  @Test
  void writes_of_this_process_are_seen_by_every_hierarchy_even_while_a_chunk_is_loaded() {
    row(2, store, ZarrOptions.defaults());
    ZarrArray reading = hierarchy(KEEPING).openArray("a").block();
    ZarrArray writing = hierarchy(ZarrOptions.defaults()).openArray("a").block();
    reading.read(Selection.all()).block();
    NdArray nines = NdArray.ofInts(DataTypes.INT32, Shape.of(4), new int[] {9, 9, 9, 9});
    writing.write(Selection.parse("0:4"), nines).block();
    assertThat(reading.read(Selection.parse("3:5")).block().toIntArray()).containsExactly(9, 5);

    HeldRequests held = store.hold(chunks());
    ZarrArray another = hierarchy(KEEPING).openArray("a").block();
    CompletableFuture<NdArray> slow = another.read(Selection.parse("0:4")).toFuture();
    eventually("the chunk is asked for", () -> held.waiting() == 1);
    store.behave();
    slow.handle((value, error) -> value).join();
    writing.write(Selection.parse("0:4"), counting(Shape.of(4))).block();
    assertThat(another.read(Selection.parse("0:4")).block()).isEqualTo(counting(Shape.of(4)));
  }

  @Test
  void what_is_kept_is_bounded_and_missing_chunks_are_not() {
    row(10, store, ZarrOptions.defaults());
    ZarrHierarchy small = hierarchy(ZarrOptions.defaults().withDecodedChunkCache(600));
    ZarrArray array = small.openArray("a").block();
    array.read(Selection.all()).block();
    assertThat(small.decodedChunkCounts().bytes()).isBetween(1L, 600L);
    assertThat(small.decodedChunkCounts().evictions()).isPositive();
    assertThat(array.read(Selection.all()).block()).isEqualTo(counting(Shape.of(40)));
    assertThatThrownBy(() -> ZarrOptions.defaults().withDecodedChunkCache(-1))
        .isInstanceOf(IllegalArgumentException.class);
  }
}
