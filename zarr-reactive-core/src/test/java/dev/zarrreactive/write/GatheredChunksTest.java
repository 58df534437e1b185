package dev.zarrreactive.write;

import static dev.zarrreactive.testing.CodecThreads.settled;
import static dev.zarrreactive.testing.TestArrays.counting;
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
import dev.zarrreactive.metadata.ArrayMetadata;
import dev.zarrreactive.metadata.ArrayMetadataBuilder;
import dev.zarrreactive.observation.StoreOperation;
import dev.zarrreactive.store.Store;
import dev.zarrreactive.store.memory.MemoryStore;
import dev.zarrreactive.testing.NothingIsDropped;
import dev.zarrreactive.testing.TestArrays;
import dev.zarrreactive.testkit.HeldRequests;
import dev.zarrreactive.testkit.InstrumentedStore;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import reactor.core.Disposable;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.test.publisher.TestPublisher;

/** Chunks of another chunk grid, which are gathered until those of the array are complete. */
@ExtendWith(NothingIsDropped.class)
class GatheredChunksTest {
  private static final Duration TIMEOUT = Duration.ofSeconds(60);

  private final Store values = MemoryStore.create();
  private final InstrumentedStore store = InstrumentedStore.of(values);
  private ZarrHierarchy hierarchy;

  private void assertRequests(int gets, int sets) {
    assertThat(store.counts().total(StoreOperation.GET)).as("gets").isEqualTo(gets);
    assertThat(store.counts().total(StoreOperation.SET)).as("sets").isEqualTo(sets);
    assertThat(store.counts().total()).isEqualTo(gets + sets);
    store.counts().reset();
  }

  private ZarrArray create(ArrayMetadataBuilder metadata, ZarrOptions options) {
    hierarchy = Zarr.hierarchy(store, options);
    ZarrArray made = hierarchy.createArray("a", metadata.build()).block();
    store.counts().reset();
    return made;
  }

  /** A square in shards of 300 × 300, 360,000 bytes each. */
  private ZarrArray shards(int extent, ZarrOptions options) {
    return create(
        ArrayMetadata.v3(Shape.of(extent, extent), DataTypes.INT32)
            .chunkShape(50, 50)
            .shardShape(300, 300),
        options);
  }

  /** A row of chunks of four elements. */
  private ZarrArray row(int chunks, ZarrOptions options) {
    return create(
        ArrayMetadata.v3(Shape.of(4L * chunks), DataTypes.INT32).chunkShape(4).uncompressed(),
        options);
  }

  private static Chunk chunk(String selection, Shape shape, int... elements) {
    var resolved = Selection.parse(selection).resolve(shape);
    return new Chunk(
        new long[shape.rank()],
        resolved,
        NdArray.ofInts(DataTypes.INT32, resolved.shape(), elements));
  }

  private static List<Chunk> squares(NdArray data, int extent) {
    List<Chunk> chunks = new ArrayList<>();
    for (int i = 0; i < data.shape().extent(0); i += extent) {
      for (int j = 0; j < data.shape().extent(1); j += extent) {
        Selection box = Selection.box(new long[] {i, j}, new long[] {extent, extent});
        chunks.add(
            new Chunk(
                new long[] {i / extent, j / extent}, box.resolve(data.shape()), data.slice(box)));
      }
    }
    return chunks;
  }

  @ParameterizedTest
  @ValueSource(longs = {0, 1, 2})
  void parts_of_shards_in_any_order_are_a_put_for_each_shard_and_no_get(long seed) {
    ZarrArray array = shards(900, ZarrOptions.defaults());
    NdArray data = counting(Shape.of(900, 900));
    List<Chunk> chunks = squares(data, 100);
    if (seed > 0) {
      Collections.shuffle(chunks, new Random(seed));
    }
    array.write(Flux.fromIterable(chunks)).block(TIMEOUT);
    assertRequests(0, 9);
    assertThat(array.read().block()).isEqualTo(data);
  }

  @Test
  void beyond_the_bound_the_chunk_that_was_begun_first_is_written_as_it_is() {
    ZarrOptions twoShards = ZarrOptions.defaults().withMaxInFlightBytes(4 * 2 * 380_000);
    ZarrArray array = shards(900, twoShards);
    NdArray data = counting(Shape.of(900, 900));
    List<Chunk> chunks = squares(data, 100);
    List<Chunk> firsts = List.of(chunks.get(0), chunks.get(3), chunks.get(6));
    array.write(Flux.fromIterable(firsts)).block(TIMEOUT);
    assertRequests(3, 3);
    array.write(Flux.fromIterable(chunks)).block(TIMEOUT); // three shards at a time
    assertThat(array.read().block()).isEqualTo(data);
  }

  @Test
  void chunks_larger_than_the_bound_are_changed_by_each_part() {
    ZarrArray array = shards(300, ZarrOptions.defaults().withMaxInFlightBytes(4 * 100_000));
    NdArray data = counting(Shape.of(300, 300));
    array.write(Flux.fromIterable(squares(data, 100))).block(TIMEOUT);
    assertRequests(9, 9);
    assertThat(array.read().block()).isEqualTo(data);
  }

  @Test
  void of_parts_that_overlap_the_later_one_stays() {
    ZarrArray array = row(1, ZarrOptions.defaults());
    array
        .write(
            Flux.just(
                chunk("0:3", array.shape(), 1, 2, 3),
                chunk("1:3", array.shape(), 4, 5),
                chunk("1:4", array.shape(), 6, 7, 8)))
        .block(TIMEOUT);
    assertRequests(0, 1);
    assertThat(array.read().block().toIntArray()).containsExactly(1, 6, 7, 8);
  }

  @Test
  void parts_that_arrive_twice_do_not_complete_a_chunk() {
    ZarrArray array = row(1, ZarrOptions.defaults());
    array.write(Selection.all(), counting(Shape.of(4))).block();
    store.counts().reset();
    Chunk part = chunk("0:2", array.shape(), -1, -2);
    array.write(Flux.just(part, part, part)).block(TIMEOUT);
    assertRequests(1, 1);
    assertThat(array.read().block().toIntArray()).containsExactly(-1, -2, 3, 4);
  }

  @Test
  void a_chunk_that_covers_a_gathered_one_replaces_it() {
    ZarrArray array = row(1, ZarrOptions.defaults());
    array
        .write(
            Flux.just(
                chunk("0:2", array.shape(), 1, 2),
                chunk("0:4", array.shape(), 3, 4, 5, 6),
                chunk("3:4", array.shape(), 7)))
        .block(TIMEOUT);
    assertRequests(1, 2); // the last part begins the chunk again
    assertThat(array.read().block().toIntArray()).containsExactly(3, 4, 5, 7);
  }

  @Test
  void what_is_incomplete_at_the_end_changes_its_chunks_once() {
    ZarrArray array = shards(600, ZarrOptions.defaults());
    NdArray old = counting(Shape.of(600, 600));
    array.write(Selection.all(), old).block();
    store.counts().reset();
    int[] expected = old.toIntArray();
    List<Chunk> parts = new ArrayList<>();
    for (int i = 7; i < 600; i += 50) { // elements of many inner chunks of each shard
      parts.add(chunk(i + ",::3", array.shape(), new int[200]));
      for (int j = 0; j < 600; j += 3) {
        expected[600 * i + j] = 0;
      }
    }
    array.write(Flux.fromIterable(parts)).block(TIMEOUT);
    assertRequests(4, 4);
    assertThat(array.read().block().toIntArray()).isEqualTo(expected);
  }

  @Test
  void a_chunk_at_the_end_is_complete_with_the_elements_inside_of_the_array() {
    ArrayMetadataBuilder metadata =
        ArrayMetadata.v3(Shape.of(5), DataTypes.INT32).chunkShape(4).uncompressed();
    ZarrArray array = create(metadata, ZarrOptions.defaults());
    array
        .write(Flux.just(chunk("2:5", array.shape(), 3, 4, 5), chunk("0:2", array.shape(), 1, 2)))
        .block(TIMEOUT);
    assertRequests(0, 2);
    assertThat(array.read().block().toIntArray()).containsExactly(1, 2, 3, 4, 5);
  }

  @Test
  void the_producer_waits_while_the_store_is_slow() {
    ZarrArray array = row(100, ZarrOptions.defaults().withMaxConcurrency(4));
    AtomicLong demanded = new AtomicLong();
    HeldRequests held = store.hold(TestArrays.chunks());
    Flux<Chunk> halves =
        Flux.range(0, 200)
            .map(i -> chunk(2 * i + ":" + (2 * i + 2), array.shape(), 2 * i + 1, 2 * i + 2))
            .doOnRequest(demanded::addAndGet);
    CompletableFuture<Void> write = array.write(halves).toFuture();
    eventually("chunks are being stored", () -> held.waiting() == 4);
    settled();
    assertThat(demanded.get()).isBetween(8L, 12L);
    held.release();
    write.join();
    assertRequests(0, 100);
    assertThat(array.read().block()).isEqualTo(counting(Shape.of(400)));
  }

  @Test
  void the_bound_counts_chunks_that_are_being_stored() {
    ZarrOptions oneShard = ZarrOptions.defaults().withMaxInFlightBytes(4 * 380_000);
    ZarrArray array = shards(900, oneShard);
    AtomicLong demanded = new AtomicLong();
    HeldRequests held = store.hold(TestArrays.chunks());
    NdArray data = counting(Shape.of(900, 900));
    List<Chunk> byShard = new ArrayList<>(squares(data, 100));
    byShard.sort((a, b) -> Arrays.compare(shardOf(a), shardOf(b)));
    CompletableFuture<Void> write =
        array.write(Flux.fromIterable(byShard).doOnRequest(demanded::addAndGet)).toFuture();
    eventually("a shard is being stored", () -> held.waiting() == 1);
    settled();
    assertThat(held.waiting()).isEqualTo(1);
    assertThat(demanded.get()).isBetween(9L, 12L);
    held.release();
    write.join();
    assertRequests(0, 9);
    assertThat(array.read().block()).isEqualTo(data);
  }

  private static long[] shardOf(Chunk chunk) {
    return Arrays.stream(chunk.index()).map(index -> index / 3).toArray();
  }

  @Test
  void an_error_of_the_publisher_ends_the_write_and_gives_the_bytes_back() {
    ZarrArray array = row(2, ZarrOptions.defaults());
    IllegalStateException error = new IllegalStateException("source");
    Flux<Chunk> chunks = Flux.just(chunk("0:2", array.shape(), 1, 2)).concatWith(Mono.error(error));
    assertThatThrownBy(() -> array.write(chunks).block(TIMEOUT)).isSameAs(error);
    assertRequests(0, 0);
    assertThat(hierarchy.bytesInFlight()).isZero();
  }

  @Test
  void a_cancel_ends_the_publisher_and_stores_nothing_more() {
    ZarrArray array = row(2, ZarrOptions.defaults());
    TestPublisher<Chunk> chunks = TestPublisher.create();
    Disposable write = array.write(chunks).subscribe();
    chunks.assertMinRequested(1);
    chunks.next(chunk("0:2", array.shape(), 1, 2));
    settled();
    write.dispose();
    eventually("the publisher is cancelled", chunks::wasCancelled);
    settled();
    assertRequests(0, 0);
  }
}
