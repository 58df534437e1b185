package dev.zarrreactive.write;

import static dev.zarrreactive.testing.CodecThreads.settled;
import static dev.zarrreactive.testing.TestArrays.chunk;
import static dev.zarrreactive.testing.TestArrays.chunks;
import static dev.zarrreactive.testing.TestArrays.counting;
import static dev.zarrreactive.testing.TestArrays.ints;
import static dev.zarrreactive.testing.TestArrays.row;
import static dev.zarrreactive.testing.Waiting.eventually;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.zarrreactive.ZarrArray;
import dev.zarrreactive.ZarrOptions;
import dev.zarrreactive.array.Axis;
import dev.zarrreactive.array.Chunk;
import dev.zarrreactive.array.NdArray;
import dev.zarrreactive.array.ResolvedSelection;
import dev.zarrreactive.array.ResolvedSelection.Orthogonal;
import dev.zarrreactive.array.ResolvedSelection.Points;
import dev.zarrreactive.array.Shape;
import dev.zarrreactive.array.selection.Selection;
import dev.zarrreactive.base.Bytes;
import dev.zarrreactive.base.StoreKey;
import dev.zarrreactive.datatype.DataType;
import dev.zarrreactive.datatype.DataTypes;
import dev.zarrreactive.datatype.FillValue;
import dev.zarrreactive.error.Location;
import dev.zarrreactive.error.StoreCapabilityException;
import dev.zarrreactive.error.StoreException;
import dev.zarrreactive.error.TransientStoreException;
import dev.zarrreactive.error.UnsupportedFeatureException;
import dev.zarrreactive.metadata.ArrayMetadata;
import dev.zarrreactive.metadata.ArrayMetadataBuilder;
import dev.zarrreactive.observation.StoreOperation;
import dev.zarrreactive.store.decorator.Stores;
import dev.zarrreactive.store.memory.MemoryStore;
import dev.zarrreactive.testing.NothingIsDropped;
import dev.zarrreactive.testing.TestArrays;
import dev.zarrreactive.testkit.HeldRequests;
import dev.zarrreactive.testkit.InstrumentedStore;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Schedulers;

/** What writing asks of the store, and what is there afterwards. */
@ExtendWith(NothingIsDropped.class)
class WriteRequestsTest {
  private static final ZarrOptions DEFAULTS = ZarrOptions.defaults();

  private final InstrumentedStore store = InstrumentedStore.of(MemoryStore.create());

  private void assertRequests(int gets, int sets, int erases) {
    assertThat(store.counts().total(StoreOperation.GET)).as("gets").isEqualTo(gets);
    assertThat(store.counts().total(StoreOperation.SET)).as("sets").isEqualTo(sets);
    assertThat(store.counts().total(StoreOperation.ERASE)).as("erases").isEqualTo(erases);
    assertThat(store.counts().total()).isEqualTo(gets + sets + erases);
    store.counts().reset();
  }

  @Test
  void chunks_that_are_covered_whole_are_set_without_a_read() {
    ZarrArray array = row(10, store, DEFAULTS);
    array.write(Selection.all(), counting(Shape.of(40))).block();
    assertRequests(0, 10, 0);
    array.write(Selection.parse("4:12"), counting(Shape.of(8))).block();
    assertRequests(0, 2, 0);
  }

  @Test
  void of_a_chunk_that_is_covered_in_part_the_rest_is_read_once_and_stays() {
    ZarrArray array = row(3, store, DEFAULTS);
    array.write(Selection.parse("3:9"), ints(-1, -2, -3, -4, -5, -6)).block();
    assertRequests(2, 3, 0); // the chunk in the middle is whole
    assertThat(array.read(Selection.all()).block().toIntArray())
        .containsExactly(1, 2, 3, -1, -2, -3, -4, -5, -6, 10, 11, 12);
  }

  @Test
  void a_chunk_at_the_end_is_whole_where_everything_inside_the_array_is_written() {
    ArrayMetadataBuilder metadata =
        ArrayMetadata.v3(Shape.of(5, 6), DataTypes.INT32)
            .uncompressed()
            .chunkShape(4, 4)
            .fillValue(FillValue.of(DataTypes.INT32, 7));
    ZarrArray array = TestArrays.empty(metadata, store, DEFAULTS);
    array.write(Selection.all(), counting(Shape.of(5, 6))).block();
    assertRequests(0, 4, 0);
    array.write(Selection.parse("4,4:"), ints(-1, -2)).block();
    assertRequests(0, 1, 0);
    array.write(Selection.parse("4,5"), NdArray.ofInts(DataTypes.INT32, Shape.SCALAR, -3)).block();
    assertRequests(1, 1, 0);
    assertThat(array.readChunk(1, 1).block().toIntArray())
        .as("what lies beyond the end is fill value")
        .containsExactly(-1, -3, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7);
  }

  @Test
  void the_rest_of_a_missing_chunk_is_fill_value() {
    ArrayMetadataBuilder metadata =
        TestArrays.metadata(2).fillValue(FillValue.of(DataTypes.INT32, 9));
    ZarrArray array = TestArrays.empty(metadata, store, DEFAULTS);
    array.write(Selection.parse("[1,2]"), ints(1, 2)).block();
    assertRequests(1, 1, 0);
    assertThat(array.read(Selection.all()).block().toIntArray())
        .containsExactly(9, 1, 2, 9, 9, 9, 9, 9);
  }

  @Test
  void a_chunk_that_becomes_all_fill_value_is_erased_unless_an_option_forbids_it() {
    ZarrArray array = row(2, store, DEFAULTS);
    array.write(Selection.parse("0:4"), ints(0, 0, 0, 0)).block();
    assertRequests(0, 0, 1);
    array.write(Selection.parse("4:7"), ints(0, 0, 0)).block();
    array.write(Selection.parse("7:8"), ints(0)).block();
    assertRequests(2, 1, 1);
    assertThat(array.readEncodedChunk(0).blockOptional()).isEmpty();
    assertThat(array.readEncodedChunk(1).blockOptional()).isEmpty();
    assertThat(array.read(Selection.all()).block().toIntArray()).containsOnly(0);

    ZarrArray stored = TestArrays.open(store, DEFAULTS.withWriteEmptyChunks(true));
    store.counts().reset();
    stored.write(Selection.all(), ints(0, 0, 0, 0, 0, 0, 0, 0)).block();
    assertRequests(0, 2, 0);
    assertThat(array.readEncodedChunk(0).block().size()).isEqualTo(16);
  }

  @ParameterizedTest
  @CsvSource({
    "0.0, 0.0, true",
    "0.0, -0.0, false",
    "-0.0, 0.0, false",
    "NaN, NaN, true",
    "1.5, 1.5, true",
    "1.5, NaN, false"
  })
  void fill_value_is_compared_bit_by_bit(double fill, double value, boolean erased) {
    ArrayMetadataBuilder metadata =
        ArrayMetadata.v3(Shape.of(2), DataTypes.FLOAT64)
            .uncompressed()
            .fillValue(FillValue.of(DataTypes.FLOAT64, fill));
    ZarrArray array = TestArrays.empty(metadata, store, DEFAULTS);
    array.write(Selection.all(), NdArray.ofDoubles(Shape.of(2), value, value)).block();
    assertRequests(0, erased ? 0 : 1, erased ? 1 : 0);
  }

  @Test
  void another_nan_than_the_fill_value_s_is_stored() {
    ArrayMetadataBuilder metadata =
        ArrayMetadata.v3(Shape.of(1), DataTypes.FLOAT32)
            .uncompressed()
            .fillValue(FillValue.of(DataTypes.FLOAT32, new byte[] {0, 0, (byte) 0xc0, 0x7f}));
    ZarrArray array = TestArrays.empty(metadata, store, DEFAULTS);
    Bytes payload = Bytes.wrap(new byte[] {1, 0, (byte) 0xc0, 0x7f});
    array.write(Selection.all(), NdArray.wrap(DataTypes.FLOAT32, Shape.of(1), payload)).block();
    assertRequests(0, 1, 0);
    assertThat(array.read(Selection.all()).block().bytes()).isEqualTo(payload);
  }

  @Test
  void concurrent_writers_of_one_chunk_lose_nothing() {
    ArrayMetadataBuilder metadata =
        ArrayMetadata.v3(Shape.of(64), DataTypes.INT32).uncompressed().chunkShape(64);
    ZarrArray array = TestArrays.empty(metadata, store, DEFAULTS);
    store.delay(Duration.ofNanos(200_000));
    Flux.range(0, 64)
        .flatMap(
            i ->
                array
                    .write(Selection.parse(i + ":" + (i + 1)), ints(i + 1))
                    .subscribeOn(Schedulers.parallel()),
            64)
        .blockLast();
    assertThat(store.counts().maxInFlight()).as("one at a time").isEqualTo(1);
    assertRequests(64, 64, 0);
    assertThat(array.read(Selection.all()).block()).isEqualTo(counting(Shape.of(64)));
  }

  @Test
  void writers_of_different_chunks_do_not_wait_for_each_other() {
    ZarrArray array = row(8, store, DEFAULTS);
    HeldRequests held = store.hold(chunks());
    CompletableFuture<Void> write =
        array.write(Selection.parse("1::4"), counting(Shape.of(8))).toFuture();
    eventually("all wait for the store", () -> held.waiting() == 8);
    held.release();
    write.join();
  }

  @Test
  void a_cancelled_writer_passes_the_lock_to_one_other() {
    ZarrArray array = row(1, store, DEFAULTS);
    HeldRequests held = store.hold(chunk(0));
    var first = array.write(Selection.parse("0:1"), ints(-1)).subscribe();
    eventually("the first writer waits for the store", () -> held.waiting() == 1);
    var second = array.write(Selection.parse("1:2"), ints(-2)).subscribe();
    CompletableFuture<Void> third = array.write(Selection.parse("2:3"), ints(-3)).toFuture();
    settled();
    assertThat(held.waiting()).isEqualTo(1);
    second.dispose(); // it waited
    assertThat(held.waiting()).isEqualTo(1);
    first.dispose(); // it worked
    eventually("the third writer waits for the store", () -> held.waiting() == 1);
    held.release();
    third.join();
    assertThat(array.read(Selection.all()).block().toIntArray()).containsExactly(1, 2, -3, 4);
  }

  @Test
  void chunks_of_another_chunk_grid_are_written_as_they_come() {
    ZarrArray source = row(6, MemoryStore.create(), DEFAULTS);
    ZarrArray target = TestArrays.empty(TestArrays.metadata(6).chunkShape(6), store, DEFAULTS);
    target.write(source.chunks(Selection.all())).block();
    assertThat(target.read(Selection.all()).block()).isEqualTo(counting(Shape.of(24)));
  }

  @Test
  void a_publisher_is_asked_for_two_chunks_more_than_are_worked_on() {
    ZarrArray array =
        TestArrays.empty(TestArrays.metadata(100), store, DEFAULTS.withMaxConcurrency(4));
    AtomicLong demanded = new AtomicLong();
    HeldRequests held = store.hold(chunks());
    Flux<Chunk> source =
        Flux.range(0, 100).map(WriteRequestsTest::chunkOfRow).doOnRequest(demanded::addAndGet);
    CompletableFuture<Void> write = array.write(source).toFuture();
    eventually("chunks are being stored", () -> held.waiting() == 4);
    settled();
    assertThat(demanded.get()).isBetween(4L, 6L);
    held.release();
    write.join();
    assertThat(store.counts().maxInFlight()).isEqualTo(4);
    assertThat(array.read(Selection.all()).block()).isEqualTo(counting(Shape.of(400)));
  }

  private static Chunk chunkOfRow(int index) {
    ResolvedSelection selection = new Orthogonal(List.of(new Axis.Range(4L * index, 4, 1, false)));
    int first = 4 * index;
    return new Chunk(
        new long[] {index}, selection, ints(first + 1, first + 2, first + 3, first + 4));
  }

  @Test
  void an_error_of_the_publisher_ends_the_write() {
    ZarrArray array = row(3, store, DEFAULTS);
    IllegalStateException error = new IllegalStateException("source");
    assertThatThrownBy(
            () -> array.write(Flux.concat(Mono.just(chunkOfRow(0)), Mono.error(error))).block())
        .isSameAs(error);
  }

  @Test
  void a_chunk_that_does_not_fit_the_array_is_refused_before_anything_of_it_is_written() {
    ZarrArray array = row(3, store, DEFAULTS);
    List<Chunk> strangers = new ArrayList<>();
    strangers.add(chunkOfRow(3)); // beyond the end
    strangers.add(
        new Chunk(
            new long[] {2},
            new Orthogonal(List.of(new Axis.Range(10, 4, 1, false))),
            ints(1, 2, 3, 4)));
    strangers.add(
        new Chunk(new long[] {0}, new Orthogonal(List.of(new Axis.Indices(3, -1))), ints(1, 2)));
    strangers.add(
        new Chunk(
            new long[] {0, 0},
            new Orthogonal(List.of(new Axis.Range(0, 1, 1, true), new Axis.Range(0, 2, 1, false))),
            ints(1, 2)));
    strangers.add(new Chunk(new long[] {}, new Orthogonal(List.of()), counting(Shape.SCALAR)));
    strangers.add(new Chunk(new long[] {0}, new Points(1, new long[] {12}), ints(1)));
    for (Chunk stranger : strangers) {
      assertThatThrownBy(() -> array.write(Flux.just(stranger)).block())
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("is not of the array /a of shape [12]");
    }
    assertThatThrownBy(
            () -> array.write(Flux.just(chunkOf(DataTypes.UINT32, chunkOfRow(0)))).block())
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("data of uint32");
    assertRequests(0, 0, 0);
  }

  private static Chunk chunkOf(DataType type, Chunk chunk) {
    NdArray data = chunk.data();
    return new Chunk(
        chunk.index(), chunk.selection(), NdArray.wrap(type, data.shape(), data.bytes()));
  }

  @Test
  void data_of_another_type_or_shape_are_refused_at_once() {
    ZarrArray array = row(3, store, DEFAULTS);
    assertThatIllegalArgumentException()
        .isThrownBy(() -> array.write(Selection.all(), counting(Shape.of(11))))
        .withMessageContaining("shape [11] for a selection of int32 and shape [12]");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> array.write(Selection.parse("3"), ints(1)))
        .withMessageContaining("shape []");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> array.write(Selection.all(), chunkOf(DataTypes.FLOAT32, all()).data()))
        .withMessageContaining("data of float32");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> array.write(Selection.parse("0:13"), counting(Shape.of(13))));
    assertRequests(0, 0, 0);
  }

  private static Chunk all() {
    return new Chunk(
        new long[] {0},
        new Orthogonal(List.of(new Axis.Range(0, 12, 1, false))),
        counting(Shape.of(12)));
  }

  @Test
  void an_array_with_an_unknown_codec_that_may_be_ignored_is_read_but_not_written() {
    row(3, store, DEFAULTS);
    StoreKey key = StoreKey.of("a/zarr.json");
    String document = new String(store.get(key).block().toByteArray(), StandardCharsets.UTF_8);
    String changed =
        document.replaceFirst(
            "(\"codecs\" *: *\\[)", "$1{\"name\": \"tomorrow\", \"must_understand\": false},");
    store.set(key, Bytes.utf8(changed)).block();
    ZarrArray other = TestArrays.open(store, DEFAULTS);
    store.counts().reset();
    assertThat(other.read(Selection.all()).block()).isEqualTo(counting(Shape.of(12)));
    assertRequests(3, 0, 0);
    for (Mono<Void> write :
        List.of(
            other.write(Selection.all(), counting(Shape.of(12))),
            other.write(Flux.just(chunkOfRow(0))),
            other.write(Flux.empty()))) {
      assertThatThrownBy(write::block)
          .isInstanceOf(UnsupportedFeatureException.class)
          .hasMessageContaining("can be read but not written")
          .hasMessageContaining("node /a");
    }
    assertRequests(0, 0, 0);
  }

  @Test
  void a_read_only_store_gets_no_request() {
    row(3, store, DEFAULTS);
    ZarrArray array = TestArrays.open(Stores.readOnly(store), DEFAULTS);
    store.counts().reset();
    assertThatThrownBy(() -> array.write(Selection.parse("1:2"), ints(1)).block())
        .isInstanceOfSatisfying(
            StoreCapabilityException.class,
            e -> {
              assertThat(e.location().nodePath()).isEqualTo("/a");
              assertThat(e.statement()).contains("cannot be written to");
            });
    assertRequests(0, 0, 0);
  }

  @ParameterizedTest
  @CsvSource({"GET, 4", "SET, 4", "SET, 3"})
  void a_failing_request_fails_the_write_and_says_where(StoreOperation operation, int failing) {
    ZarrArray array = row(5, store, DEFAULTS);
    store.fail(
        request -> chunk(failing).test(request) && request.operation() == operation,
        () -> new TransientStoreException("busy", Location.UNKNOWN));
    assertThatThrownBy(() -> array.write(Selection.parse("1:-1"), counting(Shape.of(18))).block())
        .isInstanceOfSatisfying(
            TransientStoreException.class,
            e -> {
              assertThat(e.location().nodePath()).isEqualTo("/a");
              assertThat(e.location().chunkIndex()).containsExactly(failing);
              assertThat(e.location().storeKey()).isEqualTo("a/c/" + failing);
            });
  }

  @Test
  void what_cannot_be_read_is_not_overwritten() {
    ZarrArray array = row(1, store, DEFAULTS);
    store.fail(
        request -> request.operation() == StoreOperation.GET,
        () -> new StoreException("broken", Location.UNKNOWN));
    assertThatThrownBy(() -> array.write(Selection.parse("0:1"), ints(7)).block())
        .isInstanceOf(StoreException.class);
    store.behave();
    assertThat(array.read(Selection.all()).block().toIntArray()).containsExactly(1, 2, 3, 4);
  }

  @Test
  void where_an_index_repeats_the_last_element_wins() {
    ZarrArray array = row(2, store, DEFAULTS);
    int[] places = {1, 5, 1, 5, 1};
    array.write(Selection.parse("[1,5,1,5,1]"), counting(Shape.of(5))).block();
    int[] expected = IntStream.rangeClosed(1, 8).toArray();
    for (int i = 0; i < places.length; i++) {
      expected[places[i]] = i + 1;
    }
    assertThat(array.read(Selection.all()).block().toIntArray())
        .containsExactly(Arrays.stream(expected).toArray());
  }
}
