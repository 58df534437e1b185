package dev.zarrreactive.cache;

import static dev.zarrreactive.testing.CodecThreads.settled;
import static dev.zarrreactive.testing.ShardArrays.data;
import static dev.zarrreactive.testing.ShardArrays.indexes;
import static dev.zarrreactive.testing.ShardArrays.squares;
import static dev.zarrreactive.testing.ShardArrays.written;
import static dev.zarrreactive.testing.Waiting.eventually;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.zarrreactive.ShardReading;
import dev.zarrreactive.Zarr;
import dev.zarrreactive.ZarrArray;
import dev.zarrreactive.ZarrHierarchy;
import dev.zarrreactive.ZarrOptions;
import dev.zarrreactive.array.NdArray;
import dev.zarrreactive.array.Shape;
import dev.zarrreactive.array.selection.Selection;
import dev.zarrreactive.base.Bytes;
import dev.zarrreactive.base.StoreKey;
import dev.zarrreactive.datatype.DataTypes;
import dev.zarrreactive.error.ChecksumMismatchException;
import dev.zarrreactive.error.Location;
import dev.zarrreactive.error.TransientStoreException;
import dev.zarrreactive.metadata.ArrayMetadata;
import dev.zarrreactive.metadata.ArrayMetadataBuilder;
import dev.zarrreactive.observation.StoreRequest;
import dev.zarrreactive.store.memory.MemoryStore;
import dev.zarrreactive.testing.NothingIsDropped;
import dev.zarrreactive.testing.ShardArrays;
import dev.zarrreactive.testing.TestArrays;
import dev.zarrreactive.testkit.HeldRequests;
import dev.zarrreactive.testkit.InstrumentedStore;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.Predicate;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import reactor.core.Disposable;

/** What is known of shards: fetched once, kept while there is room, forgotten when they change. */
@ExtendWith(NothingIsDropped.class)
class ShardIndexCacheTest {
  private static final ZarrOptions OPTIONS = ZarrOptions.defaults();
  private static final StoreKey SHARD = StoreKey.of("a/c/0/0");

  private final MemoryStore memory = MemoryStore.create();
  private final InstrumentedStore store = InstrumentedStore.of(memory);

  private long count(Predicate<StoreRequest> which) {
    return ShardArrays.count(store, which);
  }

  private static Selection at(int row, int column) {
    return Selection.parse(row + "," + column);
  }

  /** Compressed chunks: a change of one moves those behind it. */
  private static ArrayMetadataBuilder compressed() {
    return ArrayMetadata.v3(Shape.of(64, 64), DataTypes.INT32)
        .chunkShape(64, 64)
        .codecs(ShardArrays.sharding("end", ShardArrays.compressed(), 4, 4));
  }

  private static NdArray zeros(int rows, int columns) {
    return NdArray.ofInts(DataTypes.INT32, Shape.of(rows, columns), new int[rows * columns]);
  }

  @Test
  void look_ups_are_counted() {
    written(squares(1, 1), store, OPTIONS);
    ZarrHierarchy hierarchy = Zarr.hierarchy(store, OPTIONS);
    ZarrArray array = hierarchy.openArray("a").block();
    array.read(at(1, 1)).block();
    array.read(at(9, 9)).block();
    array.read(at(30, 30)).block();
    assertThat(hierarchy.shardIndexCounts().misses()).isEqualTo(1);
    assertThat(hierarchy.shardIndexCounts().hits()).isEqualTo(2);
    assertThat(hierarchy.shardIndexCounts().bytes()).isBetween(4096L, 5000L);
  }

  @Test
  void what_is_kept_is_bounded() {
    ZarrOptions two =
        OPTIONS.withShardReading(ShardReading.defaults().withIndexCacheBytes(2 * 4500));
    written(squares(1, 4), store, two);
    ZarrHierarchy hierarchy = Zarr.hierarchy(store, two);
    ZarrArray array = hierarchy.openArray("a").block();
    for (int shard = 0; shard < 4; shard++) {
      array.read(at(1, 1 + 64 * shard)).block();
    }
    assertThat(hierarchy.shardIndexCounts().bytes()).isBetween(8192L, 9000L);
    store.counts().reset();
    array.read(Selection.parse("1,200")).block();
    assertThat(count(indexes())).isZero();
    array.read(Selection.parse("1,1")).block();
    assertThat(count(indexes())).isEqualTo(1);
  }

  @Test
  void with_no_room_nothing_is_kept() {
    ZarrOptions none = OPTIONS.withShardReading(ShardReading.defaults().withIndexCacheBytes(0));
    ZarrArray array = written(squares(1, 1), store, none);
    array.read(at(1, 1)).block();
    array.read(at(1, 1)).block();
    assertThat(count(indexes())).isEqualTo(2);
  }

  @Test
  void a_reader_that_cancels_does_not_stop_the_others() {
    ZarrArray array = written(squares(1, 1), store, OPTIONS);
    HeldRequests held = store.hold(indexes());
    Disposable first = array.read(at(1, 1)).subscribe();
    CompletableFuture<NdArray> second = array.read(at(2, 2)).toFuture();
    eventually("the index is asked for", () -> held.waiting() == 1);
    settled(); // the second waits, too
    first.dispose();
    held.release();
    assertThat(second.join().getInt()).isEqualTo(2 * 64 + 3);
    assertThat(count(indexes())).isEqualTo(1);
  }

  @Test
  void the_fetch_is_cancelled_with_its_last_reader_and_the_next_reader_fetches_again() {
    ZarrArray array = written(squares(1, 1), store, OPTIONS);
    HeldRequests held = store.hold(indexes());
    Disposable first = array.read(at(1, 1)).subscribe();
    Disposable second = array.read(at(2, 2)).subscribe();
    eventually("the index is asked for", () -> held.waiting() == 1);
    settled(); // both wait for it
    first.dispose();
    second.dispose();
    assertThat(held.waiting()).isZero();
    assertThat(store.counts().inFlight()).isZero();
    held.release();
    assertThat(array.read(at(1, 1)).block().getInt()).isEqualTo(66);
    assertThat(count(indexes())).isEqualTo(2);
  }

  @Test
  void a_failed_fetch_fails_for_all_its_readers_and_is_not_cached() {
    ZarrArray array = written(squares(1, 1), store, OPTIONS);
    HeldRequests held = store.hold(indexes());
    store.failNext(1, indexes(), () -> new TransientStoreException("busy", Location.UNKNOWN));
    List<CompletableFuture<NdArray>> reads = new ArrayList<>();
    for (int i = 0; i < 10; i++) {
      reads.add(array.read(at(i, i)).toFuture());
    }
    eventually("the index is asked for", () -> held.waiting() == 1);
    settled(); // all wait for it
    held.release();
    for (CompletableFuture<NdArray> read : reads) {
      assertThatThrownBy(read::join).hasCauseInstanceOf(TransientStoreException.class);
    }
    assertThat(count(indexes())).isEqualTo(1);
    assertThat(array.read(at(1, 1)).block().getInt()).isEqualTo(66);
  }

  @Test
  void writes_of_this_process_are_seen_by_every_hierarchy() {
    ZarrArray array = written(compressed(), store, OPTIONS);
    assertThat(array.read(at(63, 63)).block().getInt()).isEqualTo(4096);
    ZarrArray other = Zarr.hierarchy(store).openArray("a").block();
    other.write(Selection.parse("0:8,:"), zeros(8, 64)).block();
    store.counts().reset();
    assertThat(array.read(at(63, 63)).block().getInt()).isEqualTo(4096);
    assertThat(count(indexes())).isEqualTo(1);
    assertThat(array.read(at(3, 3)).block().getInt()).isZero();
  }

  @Test
  void an_erasure_of_this_process_is_seen() {
    ZarrArray array = written(compressed(), store, OPTIONS);
    array.read(at(63, 63)).block();
    Zarr.hierarchy(store).erase("a").block();
    store.counts().reset();
    assertThat(array.read(at(63, 63)).block().getInt()).isZero();
    assertThat(count(indexes())).isEqualTo(1);
  }

  /** The index is that of a shard with 128 chunks fewer: ranges are of the old shard. */
  private Bytes withoutTheFirstHalf() {
    MemoryStore elsewhere = MemoryStore.create();
    ZarrArray other = TestArrays.counting(compressed(), elsewhere, OPTIONS);
    other.write(Selection.parse("0:32,:"), zeros(32, 64)).block();
    return elsewhere.get(SHARD).block();
  }

  @Test
  void a_shard_that_another_program_replaced_is_read_again_when_its_bytes_do_not_fit() {
    ZarrArray array = written(compressed(), store, OPTIONS);
    array.read(at(63, 63)).block();
    memory.set(SHARD, withoutTheFirstHalf()).block();
    store.counts().reset();
    assertThat(array.read(at(63, 63)).block().getInt()).isEqualTo(4096);
    assertThat(count(indexes())).isEqualTo(1);
    assertThat(array.read(Selection.parse("30:40,0:9")).block().getInt(2, 0))
        .isEqualTo(32 * 64 + 1);
  }

  @Test
  void a_shard_that_another_program_erased_is_missing() {
    ZarrArray array = written(compressed(), store, OPTIONS);
    array.read(at(63, 63)).block();
    memory.erase(SHARD).block();
    assertThat(array.read(at(63, 63)).block().getInt()).isZero();
  }

  @Test
  void damage_is_still_damage_after_a_second_look_at_the_index() {
    ZarrArray array = written(squares(1, 1), store, OPTIONS);
    byte[] shard = memory.get(SHARD).block().toByteArray();
    shard[0] ^= 1;
    memory.set(SHARD, Bytes.wrap(shard)).block();
    assertThatThrownBy(() -> array.read(Selection.parse("0:8,0:8")).block())
        .isInstanceOf(ChecksumMismatchException.class)
        .hasMessageContaining("inner chunk [0, 0]");
    assertThat(count(indexes())).isEqualTo(2);
  }

  @Test
  void a_shard_that_is_written_between_its_index_and_its_data_is_read_again() {
    ZarrArray array = written(compressed(), store, OPTIONS);
    HeldRequests held = store.hold(data());
    CompletableFuture<NdArray> read = array.read(at(63, 63)).toFuture();
    eventually("the data are asked for", () -> held.waiting() == 1);
    array.write(Selection.parse("0:32,:"), zeros(32, 64)).block();
    held.release();
    assertThat(read.join().getInt()).isEqualTo(4096);
  }
}
