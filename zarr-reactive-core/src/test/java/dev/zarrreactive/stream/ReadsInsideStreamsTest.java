package dev.zarrreactive.stream;

import static dev.zarrreactive.testing.ShardArrays.compressed;
import static dev.zarrreactive.testing.ShardArrays.sharding;
import static dev.zarrreactive.testing.Waiting.eventually;
import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;

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
import dev.zarrreactive.store.memory.MemoryStore;
import dev.zarrreactive.testing.NothingIsDropped;
import dev.zarrreactive.testing.TestArrays;
import dev.zarrreactive.testkit.HeldRequests;
import dev.zarrreactive.testkit.InstrumentedStore;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.reactivestreams.Subscription;
import reactor.core.publisher.BaseSubscriber;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/** Streams whose consumer reads the same array end, with decoded chunks kept and bytes bounded. */
@ExtendWith(NothingIsDropped.class)
class ReadsInsideStreamsTest {
  private static final Duration PATIENCE = Duration.ofSeconds(90);
  private static final int SIDE = 4;
  private static final int CHUNK_BYTES = SIDE * SIDE * Integer.BYTES;
  private static final int COLUMNS = 5;

  private final InstrumentedStore store =
      InstrumentedStore.of(MemoryStore.create()).delay(Duration.ofNanos(300_000));

  private void write(String kind, int rows) {
    ArrayMetadataBuilder metadata =
        ArrayMetadata.v3(Shape.of((long) SIDE * rows, (long) SIDE * COLUMNS), DataTypes.INT32)
            .uncompressed();
    TestArrays.counting(
        switch (kind) {
          case "plain" -> metadata.chunkShape(SIDE, SIDE);
          case "sharded" ->
              metadata
                  .chunkShape(2L * SIDE, (long) SIDE * COLUMNS)
                  .codecs(sharding("end", compressed(), SIDE, SIDE));
          default -> throw new IllegalArgumentException(kind);
        },
        store,
        ZarrOptions.defaults());
  }

  private ZarrHierarchy open(long cache, int budgetChunks) {
    return Zarr.hierarchy(
        store,
        ZarrOptions.defaults()
            .withDecodedChunkCache(cache)
            .withMaxInFlightBytes((long) budgetChunks * CHUNK_BYTES * 2));
  }

  /** Reads the chunk below; of the last row the first. */
  private static Mono<NdArray> below(ZarrArray array, Chunk chunk) {
    int first = chunk.data().getInt(0, 0) - 1;
    int columns = SIDE * COLUMNS;
    long row = (first / columns + SIDE) % array.shape().extent(0);
    long column = first % columns;
    return array
        .read(Selection.parse(row + ":" + (row + SIDE) + "," + column + ":" + (column + SIDE)))
        .doOnNext(
            read -> assertThat(read.getInt(0, 0)).isEqualTo((int) (row * columns + column + 1)));
  }

  private static Flux<Chunk> stream(ZarrArray array, boolean inOrder) {
    return inOrder ? array.chunksInOrder(Selection.all()) : array.chunks(Selection.all());
  }

  @ParameterizedTest
  @CsvSource({
    "plain, 40, 6, 512",
    "plain, 40, 6, 65536",
    "plain, 40, 16, 65536",
    "plain, 40, 16, 2000",
    "plain, 40, 40, 65536",
    "plain, 40, 1000, 65536",
    "plain, 40, 16, 0",
    "sharded, 30, 6, 65536",
    "sharded, 30, 16, 65536",
    "sharded, 30, 16, 512",
    "sharded, 30, 40, 4000",
    "sharded, 30, 1000, 65536",
    "plain, 1, 1, 65536",
    "sharded, 1, 1, 65536"
  })
  void a_stream_whose_consumer_reads_the_next_row_of_chunks_ends(
      String kind, int rows, int budgetChunks, long cache) {
    write(kind, rows);
    for (boolean inOrder : new boolean[] {false, true}) {
      for (int prefetch : new int[] {1, 32}) {
        ZarrHierarchy hierarchy = open(cache, budgetChunks);
        ZarrArray array = hierarchy.openArray("a").block();
        assertThat(
                stream(array, inOrder)
                    .concatMap(chunk -> below(array, chunk), prefetch)
                    .count()
                    .block(PATIENCE))
            .as("%s in order, prefetch %s", inOrder, prefetch)
            .isEqualTo((long) rows * COLUMNS);
        eventually("nothing is held", () -> hierarchy.bytesInFlight() == 0);
      }
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"plain", "sharded"})
  void streams_that_read_one_another_s_chunks_at_the_same_time_end(String kind) {
    write(kind, 20);
    ZarrHierarchy hierarchy = open(65536, 16);
    ZarrArray array = hierarchy.openArray("a").block();
    assertThat(
            Flux.range(0, 6)
                .flatMap(
                    i ->
                        stream(array, i % 2 == 0)
                            .concatMap(chunk -> below(array, chunk), i + 1)
                            .count())
                .collectList()
                .block(PATIENCE))
        .hasSize(6)
        .allMatch(count -> count == 20L * COLUMNS);
    eventually("nothing is held", () -> hierarchy.bytesInFlight() == 0);
  }

  @ParameterizedTest
  @CsvSource({"plain, 65536", "plain, 512", "sharded, 65536", "sharded, 512"})
  void a_client_that_stops_reading_holds_up_no_other_client(String kind, long cache) {
    write(kind, 20);
    for (boolean inOrder : new boolean[] {false, true}) {
      ZarrHierarchy hierarchy = open(cache, 16);
      ZarrArray array = hierarchy.openArray("a").block();
      CountDownLatch first = new CountDownLatch(1);
      BaseSubscriber<Chunk> stopped =
          new BaseSubscriber<>() {
            @Override
            protected void hookOnSubscribe(Subscription subscription) {
              request(1);
            }

            @Override
            protected void hookOnNext(Chunk chunk) {
              first.countDown();
            }
          };
      stream(array, inOrder).subscribe(stopped);
      eventually("the first chunk comes", () -> first.getCount() == 0);
      List<Mono<Long>> others = new ArrayList<>();
      for (int i = 0; i < 4; i++) {
        others.add(stream(array, i % 2 == 0).count());
        others.add(array.read(Selection.all()).map(read -> 20L * COLUMNS));
      }
      assertThat(Flux.merge(others).collectList().block(PATIENCE))
          .hasSize(8)
          .allMatch(count -> count == 20L * COLUMNS);
      stopped.cancel();
      eventually("nothing is held", () -> hierarchy.bytesInFlight() == 0);
    }
  }

  @Test
  void a_load_that_has_its_bytes_is_shared_and_ends_although_its_subscriber_demands_no_more() {
    write("plain", 4);
    ZarrHierarchy hierarchy = open(65536, 1000);
    ZarrArray array = hierarchy.openArray("a").block();
    HeldRequests held = store.hold(TestArrays.chunks());
    store.counts().reset();
    BaseSubscriber<Chunk> demandsNothing =
        new BaseSubscriber<>() {
          @Override
          protected void hookOnSubscribe(Subscription subscription) {}
        };
    array.chunks(Selection.all()).subscribe(demandsNothing);
    eventually("all chunks are asked for", () -> held.waiting() == 4 * COLUMNS);
    CompletableFuture<NdArray> read = array.read(Selection.all()).toFuture();
    CompletableFuture<Long> inOrder = array.chunksInOrder(Selection.all()).count().toFuture();
    eventually(
        "both join every load", () -> hierarchy.decodedChunkCounts().shared() == 8 * COLUMNS);
    held.release();
    assertThat(read.orTimeout(90, SECONDS).join().getInt(15, 19)).isEqualTo(16 * 20);
    assertThat(inOrder.orTimeout(90, SECONDS).join()).isEqualTo(4L * COLUMNS);
    assertThat(store.counts().total()).isEqualTo(4 * COLUMNS);
    demandsNothing.cancel();
    eventually("nothing is held", () -> hierarchy.bytesInFlight() == 0);
  }
}
