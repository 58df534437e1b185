package dev.zarrreactive.write;

import static dev.zarrreactive.testing.TestArrays.counting;
import static dev.zarrreactive.testing.TestArrays.ints;
import static dev.zarrreactive.testing.TestArrays.row;
import static dev.zarrreactive.testing.Waiting.errorOf;
import static dev.zarrreactive.testing.Waiting.eventually;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.zarrreactive.Zarr;
import dev.zarrreactive.ZarrArray;
import dev.zarrreactive.ZarrOptions;
import dev.zarrreactive.array.NdArray;
import dev.zarrreactive.array.Shape;
import dev.zarrreactive.array.selection.Selection;
import dev.zarrreactive.base.StoreKey;
import dev.zarrreactive.codec.Codecs;
import dev.zarrreactive.datatype.DataTypes;
import dev.zarrreactive.error.Location;
import dev.zarrreactive.error.TransientStoreException;
import dev.zarrreactive.error.UnfinishedWriteException;
import dev.zarrreactive.metadata.ArrayMetadata;
import dev.zarrreactive.observation.StoreOperation;
import dev.zarrreactive.store.Store;
import dev.zarrreactive.store.decorator.RequestLimit;
import dev.zarrreactive.store.decorator.Stores;
import dev.zarrreactive.store.memory.MemoryStore;
import dev.zarrreactive.testing.NothingIsDropped;
import dev.zarrreactive.testkit.HeldRequests;
import dev.zarrreactive.testkit.InstrumentedStore;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.publisher.Sinks;
import reactor.test.StepVerifier;
import reactor.test.publisher.TestPublisher;

/** Writing a selection from a stream of blocks: requests, demand, cancel and errors. */
@ExtendWith(NothingIsDropped.class)
class BlockStreamTest {
  private static final Duration TIMEOUT = Duration.ofSeconds(60);

  /** Rows of shards are 4 KiB, decoded. */
  private static final ZarrOptions SMALL = ZarrOptions.defaults().withMaxInFlightBytes(8 << 10);

  private final Store values = MemoryStore.create();
  private final InstrumentedStore store = InstrumentedStore.of(values);

  private void assertRequests(int gets, int sets, int erases) {
    assertThat(store.counts().total(StoreOperation.GET)).as("gets").isEqualTo(gets);
    assertThat(store.counts().total(StoreOperation.SET)).as("sets").isEqualTo(sets);
    assertThat(store.counts().total(StoreOperation.ERASE)).as("erases").isEqualTo(erases);
    assertThat(store.counts().total()).isEqualTo(gets + sets + erases);
    store.counts().reset();
  }

  /** Shards of 32 × 32 elements with inner chunks of 8 × 8, in rows of two. */
  private ZarrArray shards(int rows, ZarrOptions options) {
    ArrayMetadata metadata =
        ArrayMetadata.v3(Shape.of(rows, 64), DataTypes.INT32)
            .chunkShape(8, 8)
            .shardShape(32, 32)
            .compressors(Codecs.zstd(1))
            .build();
    ZarrArray made = Zarr.hierarchy(store, options).createArray("shards", metadata).block();
    store.counts().reset();
    return made;
  }

  private static NdArray rows(int from, int count) {
    int[] data = IntStream.range(from * 64, (from + count) * 64).map(i -> i + 1).toArray();
    return NdArray.ofInts(DataTypes.INT32, Shape.of(count, 64), data);
  }

  private static Flux<NdArray> rowsOf(int rows, int block) {
    return Flux.range(0, (rows + block - 1) / block)
        .map(i -> rows(i * block, Math.min(block, rows - i * block)));
  }

  @Test
  void aligned_blocks_are_a_put_for_each_chunk_and_no_get() {
    ZarrArray array = row(10, store, ZarrOptions.defaults());
    array.write(Selection.all(), Flux.range(0, 10).map(i -> ints(i, i, i, i + 1))).block(TIMEOUT);
    assertRequests(0, 10, 0);
  }

  @Test
  void blocks_that_do_not_align_are_gathered_and_each_chunk_is_stored_once() {
    ZarrArray array = row(4, store, ZarrOptions.defaults());
    Flux<NdArray> blocks = Flux.range(0, 5).map(i -> ints(3 * i + 1, 3 * i + 2, 3 * i + 3));
    array.write(Selection.all(), blocks.concatWith(Flux.just(ints(16)))).block(TIMEOUT);
    assertRequests(0, 4, 0);
    assertThat(array.read().block().toIntArray()).isEqualTo(IntStream.rangeClosed(1, 16).toArray());
  }

  @Test
  void blocks_of_texts_are_gathered_too() {
    ArrayMetadata metadata = ArrayMetadata.v3(Shape.of(7), DataTypes.STRING).chunkShape(3).build();
    ZarrArray array = Zarr.hierarchy(store).createArray("texts", metadata).block(TIMEOUT);
    store.counts().reset();
    NdArray all =
        NdArray.ofStrings(DataTypes.STRING, Shape.of(7), "a", "", "ü", "long", "b", "c", "d");
    Flux<NdArray> blocks =
        Flux.just("0:2", "2:4", "4:5", "5:7").map(rows -> all.slice(Selection.parse(rows)));
    array.write(Selection.all(), blocks).block(TIMEOUT);
    assertRequests(0, 3, 0);
    assertThat(array.read().block()).isEqualTo(all);
  }

  @Test
  void chunks_at_the_ends_of_a_selection_are_read_once() {
    ZarrArray array = row(4, store, ZarrOptions.defaults());
    array.write(Selection.parse("2:13"), Flux.range(0, 11).map(i -> ints(-i - 1))).block(TIMEOUT);
    assertRequests(2, 4, 0);
  }

  @Test
  void rows_with_a_step_change_each_chunk_once() {
    ZarrArray array = row(8, store, ZarrOptions.defaults());
    array.write(Selection.parse("::3"), Flux.range(0, 11).map(i -> ints(i + 1))).block(TIMEOUT);
    assertRequests(8, 8, 0);
    assertThat(array.read("::3").block().toIntArray())
        .isEqualTo(IntStream.rangeClosed(1, 11).toArray());
  }

  @Test
  void a_row_of_chunks_beyond_the_bound_is_changed_in_bands_as_thick_as_the_bound() {
    ArrayMetadata metadata =
        ArrayMetadata.v3(Shape.of(64, 64), DataTypes.INT32).chunkShape(32, 8).build();
    ZarrArray array = Zarr.hierarchy(store, SMALL).createArray("chunks", metadata).block();
    store.counts().reset();
    array.write(Selection.all(), rowsOf(64, 3)).block(TIMEOUT);
    int bands = 64 / 8; // of 8 rows of 256 bytes: a quarter of the bytes in flight
    assertRequests(8 * bands, 8 * bands, 0);
    assertThat(array.read().block()).isEqualTo(rows(0, 64));
  }

  @Test
  void a_shard_that_fits_is_one_put() {
    ZarrArray array = shards(64, ZarrOptions.defaults());
    array.write(Selection.all(), rowsOf(64, 5)).block(TIMEOUT);
    assertRequests(0, 4, 0);
    assertThat(array.read().block()).isEqualTo(rows(0, 64));
  }

  @Test
  void a_row_of_shards_beyond_the_bound_is_stored_while_it_arrives() {
    ZarrArray array = shards(80, SMALL); // the last row of shards reaches beyond the array
    Sinks.Many<NdArray> blocks = Sinks.many().unicast().onBackpressureBuffer();
    StepVerifier.create(array.write(Selection.all(), blocks.asFlux()))
        .then(() -> blocks.tryEmitNext(rows(0, 8)))
        .then(() -> eventually("two uploads", () -> store.counts().inFlight() == 2))
        .then(
            () -> {
              for (int row = 8; row < 80; row += 9) {
                blocks.tryEmitNext(rows(row, Math.min(9, 80 - row)));
              }
              blocks.tryEmitComplete();
            })
        .expectComplete()
        .verify(TIMEOUT);
    assertRequests(0, 6, 0);
    assertThat(array.read().block()).isEqualTo(rows(0, 80));
  }

  @Test
  void a_shard_of_fill_value_is_erased_also_beyond_the_bound() {
    ZarrArray array = shards(64, SMALL);
    array.write(Selection.all(), rowsOf(64, 7)).block(TIMEOUT);
    store.counts().reset();
    NdArray zeros = NdArray.ofInts(DataTypes.INT32, Shape.of(16, 64), new int[16 * 64]);
    array
        .write(Selection.all(), Flux.just(zeros, zeros).concatWith(Flux.just(rows(0, 32))))
        .block(TIMEOUT);
    assertRequests(0, 2, 2);
    assertThat(values.get(StoreKey.of("shards/c/0/0")).block()).isNull();
  }

  @Test
  void a_part_of_a_shard_is_one_get_and_one_put_and_keeps_the_other_inner_chunks() {
    ZarrArray array = shards(32, ZarrOptions.defaults());
    array.write(Selection.all(), rows(0, 32)).block(TIMEOUT);
    store.counts().reset();
    array.write(Selection.parse("3:5,1:4"), 7).block(TIMEOUT);
    assertRequests(1, 1, 0);
    assertThat(array.read("3:5,0:5").block().toIntArray())
        .containsExactly(193, 7, 7, 7, 197, 257, 7, 7, 7, 261);
    assertThat(array.read("5:").block()).isEqualTo(rows(5, 27));
  }

  @Test
  void no_more_blocks_are_demanded_than_are_worked_on() {
    ZarrArray array = row(64, store, ZarrOptions.defaults().withMaxConcurrency(2));
    HeldRequests held = store.hold(request -> request.operation() == StoreOperation.SET);
    AtomicLong produced = new AtomicLong();
    Flux<NdArray> blocks =
        Flux.range(0, 64).map(i -> ints(i, i, i, i + 1)).doOnNext(b -> produced.incrementAndGet());
    StepVerifier.create(
            array
                .withOptions(ZarrOptions.defaults().withMaxInFlightBytes(256))
                .write(Selection.all(), blocks))
        .then(() -> eventually("a write", () -> store.counts().inFlight() > 0))
        .then(() -> assertThat(produced.get()).isLessThan(16))
        .then(held::release)
        .expectComplete()
        .verify(TIMEOUT);
    assertThat(produced.get()).isEqualTo(64);
  }

  @Test
  void a_cancel_stops_the_producer_and_leaves_whole_shards() {
    ZarrArray array = shards(64, SMALL);
    array.write(Selection.all(), rowsOf(64, 16)).block(TIMEOUT);
    NdArray before = array.read().block();
    TestPublisher<NdArray> blocks = TestPublisher.create();
    StepVerifier.create(array.write(Selection.all(), blocks))
        .then(() -> blocks.next(rows(100, 20)))
        .then(() -> eventually("uploads", () -> store.counts().inFlight() == 2))
        .thenCancel()
        .verify(TIMEOUT);
    blocks.assertCancelled();
    eventually("no request", () -> store.counts().inFlight() == 0);
    assertThat(array.read().block()).isEqualTo(before);
    array.write(Selection.all(), rowsOf(64, 16)).block(TIMEOUT); // the keys are free again
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void an_error_of_the_producer_says_what_is_stored(boolean isLarge) {
    ZarrArray array = shards(64, isLarge ? SMALL : ZarrOptions.defaults());
    IllegalStateException error = new IllegalStateException("the sensor is gone");
    Throwable thrown =
        errorOf(array.write(Selection.all(), rowsOf(40, 5).concatWith(Mono.<NdArray>error(error))));
    assertThat(thrown)
        .isInstanceOfSatisfying(
            UnfinishedWriteException.class, e -> assertThat(e.writtenRows()).isEqualTo(32))
        .hasMessageContaining("the sensor is gone")
        .hasMessageContaining("the first 32 of 64 rows")
        .hasMessageContaining("2048 elements")
        .hasCause(error);
    eventually("no request", () -> store.counts().inFlight() == 0);
    assertThat(array.read("0:32").block()).isEqualTo(rows(0, 32));
    assertThat(array.read("32:").block().toIntArray()).containsOnly(0);
  }

  @Test
  void too_few_and_too_many_rows_and_other_shapes_are_refused() {
    ZarrArray array = shards(64, ZarrOptions.defaults());
    assertThat(errorOf(array.write(Selection.all(), rowsOf(63, 9))))
        .isInstanceOf(UnfinishedWriteException.class)
        .hasMessageContaining("too few elements")
        .hasMessageContaining("63 came");
    assertThat(errorOf(array.write(Selection.all(), rowsOf(65, 9))))
        .isInstanceOf(UnfinishedWriteException.class)
        .hasMessageContaining("too many elements");
    assertThat(errorOf(array.write(Selection.all(), Flux.just(counting(Shape.of(3, 63))))))
        .isInstanceOf(UnfinishedWriteException.class)
        .hasMessageContaining("[3, 63]");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> array.write(Selection.parse("3,4"), Flux.just(rows(0, 1))))
        .withMessageContaining("single element");
  }

  @Test
  void an_error_of_the_store_stops_the_producer() {
    ZarrArray array = shards(64, SMALL);
    store.fail(
        request -> request.operation() == StoreOperation.SET,
        () -> new TransientStoreException("503", Location.UNKNOWN));
    TestPublisher<NdArray> blocks = TestPublisher.create();
    StepVerifier.create(array.write(Selection.all(), blocks))
        .then(() -> blocks.next(rows(0, 8)))
        .expectError(TransientStoreException.class)
        .verify(TIMEOUT);
    blocks.assertCancelled();
  }

  @Test
  void blocks_may_be_read_from_the_same_store_with_one_permit() {
    Store limited = Stores.limited(store, RequestLimit.fixed(1));
    ZarrArray source = shards(64, SMALL);
    source.write(Selection.all(), rowsOf(64, 64)).block(TIMEOUT);
    ZarrArray array = Zarr.hierarchy(limited, SMALL).createArray("copy", source.metadata()).block();
    ZarrArray from = Zarr.hierarchy(limited, SMALL).openArray("shards").block();
    Flux<NdArray> blocks =
        Flux.range(0, 16).concatMap(i -> from.read(Selection.parse(4 * i + ":" + (4 * i + 4))), 1);
    array.write(Selection.all(), blocks).block(TIMEOUT);
    assertThat(array.read().block()).isEqualTo(rows(0, 64));
  }
}
