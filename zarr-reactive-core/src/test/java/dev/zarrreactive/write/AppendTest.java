package dev.zarrreactive.write;

import static dev.zarrreactive.testing.TestArrays.chunk;
import static dev.zarrreactive.testing.TestArrays.chunks;
import static dev.zarrreactive.testing.TestArrays.counting;
import static dev.zarrreactive.testing.TestArrays.ints;
import static dev.zarrreactive.testing.TestArrays.row;
import static dev.zarrreactive.testing.Waiting.eventually;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.zarrreactive.Zarr;
import dev.zarrreactive.ZarrArray;
import dev.zarrreactive.ZarrGroup;
import dev.zarrreactive.ZarrHierarchy;
import dev.zarrreactive.ZarrOptions;
import dev.zarrreactive.array.NdArray;
import dev.zarrreactive.array.Shape;
import dev.zarrreactive.array.selection.Selection;
import dev.zarrreactive.chunkgrid.ShrinkMode;
import dev.zarrreactive.datatype.DataTypes;
import dev.zarrreactive.error.Location;
import dev.zarrreactive.error.NodeNotFoundException;
import dev.zarrreactive.error.TransientStoreException;
import dev.zarrreactive.error.UnfinishedAppendException;
import dev.zarrreactive.metadata.ArrayMetadata;
import dev.zarrreactive.metadata.ArrayMetadataBuilder;
import dev.zarrreactive.observation.StoreOperation;
import dev.zarrreactive.observation.StoreRequest;
import dev.zarrreactive.store.Store;
import dev.zarrreactive.store.decorator.Stores;
import dev.zarrreactive.store.file.FileSystemStore;
import dev.zarrreactive.store.memory.MemoryStore;
import dev.zarrreactive.testing.NothingIsDropped;
import dev.zarrreactive.testing.PlainValues;
import dev.zarrreactive.testing.TestArrays;
import dev.zarrreactive.testkit.HeldRequests;
import dev.zarrreactive.testkit.InstrumentedStore;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicLong;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import reactor.core.Disposable;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Schedulers;
import reactor.test.StepVerifier;
import reactor.test.publisher.TestPublisher;

/** Appends: their requests, their place, and their failures. */
@ExtendWith(NothingIsDropped.class)
class AppendTest {
  private static final Duration TIMEOUT = Duration.ofSeconds(60);
  private static final ZarrOptions DEFAULTS = ZarrOptions.defaults();

  private final Store values = MemoryStore.create();
  private final InstrumentedStore store = InstrumentedStore.of(values);

  @ParameterizedTest
  @CsvSource({"2, .zarray", "3, zarr.json"})
  void aligned_data_take_a_put_for_each_chunk_and_a_get_and_a_put_of_the_document(
      int zarrFormat, String document) {
    ArrayMetadataBuilder metadata = TestArrays.metadata(1).zarrFormat(zarrFormat);
    ZarrArray array = Zarr.hierarchy(store).createArray("", metadata.build()).block();
    store.counts().reset();
    ZarrArray longer = array.append(0, ints(1, 2, 3, 4, 5, 6, 7, 8)).block(TIMEOUT);
    assertThat(longer.shape()).isEqualTo(Shape.of(12));
    String chunk = zarrFormat == 2 ? "" : "c/";
    assertThat(requests())
        .containsExactlyInAnyOrder(
            "GET " + document, "SET " + document, "SET " + chunk + 1, "SET " + chunk + 2);
    assertThat(longer.read(Selection.parse("4:")).block().toIntArray())
        .containsExactly(1, 2, 3, 4, 5, 6, 7, 8);
  }

  @Test
  void each_group_above_is_checked_for_consolidated_metadata() {
    ZarrArray array = row(1, store, DEFAULTS);
    array.append(0, ints(1, 2, 3, 4)).block(TIMEOUT);
    assertThat(requests())
        .containsExactlyInAnyOrder(
            "GET a/zarr.json", "GET zarr.json", "SET a/zarr.json", "SET a/c/1");
  }

  @Test
  void a_chunk_that_the_block_begins_is_stored_without_a_read_and_a_shared_one_is_read() {
    ZarrArray array = row(1, store, DEFAULTS);
    ZarrArray longer = array.append(0, ints(5, 6)).block(TIMEOUT);
    assertThat(requests()).contains("SET a/c/1").doesNotContain("GET a/c/1");
    store.counts().reset();
    longer = longer.append(0, ints(7, 8, 9)).block(TIMEOUT);
    assertThat(requests())
        .containsExactlyInAnyOrder(
            "GET a/zarr.json",
            "GET zarr.json",
            "SET a/zarr.json",
            "GET a/c/1",
            "SET a/c/1",
            "SET a/c/2");
    assertThat(longer.read(Selection.all()).block()).isEqualTo(counting(Shape.of(9)));
  }

  @Test
  void a_block_of_fill_value_replaces_what_an_earlier_shrink_has_left() {
    ZarrArray array = row(2, store, DEFAULTS);
    ZarrArray small = array.resize(Shape.of(4), ShrinkMode.KEEP).block(TIMEOUT);
    ZarrArray longer = small.append(0, ints(0, 0)).block(TIMEOUT);
    assertThat(longer.read(Selection.all()).block().toIntArray()).containsExactly(1, 2, 3, 4, 0, 0);
  }

  @Test
  void nothing_is_requested_for_a_block_that_does_not_fit_and_for_an_empty_one() {
    ArrayMetadataBuilder metadata =
        ArrayMetadata.v3(Shape.of(2, 3), DataTypes.INT32).uncompressed().chunkShape(2, 2);
    ZarrArray array = TestArrays.empty(metadata, store, DEFAULTS);
    NdArray block = counting(Shape.of(1, 3));
    refused(() -> array.append(2, block), "no axis 2", "axes are 0 to 1");
    refused(() -> array.append(-1, block), "no axis -1");
    refused(() -> array.append(2, Flux.just(block)), "no axis 2");
    refused(() -> array.append(1, block), "shape [1, 3]", "along axis 1", "/a", "[2, 3]");
    refused(() -> array.append(0, ints(1, 2, 3)), "shape [3]");
    refused(
        () -> array.append(0, NdArray.ofLongs(DataTypes.INT64, Shape.of(1, 3), 1, 2, 3)),
        "a block of int64",
        "int32");
    refused(() -> array.append(0, Flux.just(block, ints(1))).block(TIMEOUT), "shape [1]");
    store.counts().reset();
    assertThat(array.append(1, counting(Shape.of(2, 0))).block()).isSameAs(array);
    assertThat(array.append(1, Flux.empty()).block()).isSameAs(array);
    assertThat(store.counts().total()).isZero();
  }

  @Test
  void an_array_is_not_longer_than_a_number_can_say() {
    ArrayMetadataBuilder metadata =
        ArrayMetadata.v3(Shape.of(Long.MAX_VALUE - 2), DataTypes.INT32)
            .uncompressed()
            .chunkShape(4);
    ZarrArray array = TestArrays.empty(metadata, store, DEFAULTS);
    refused(() -> array.append(0, ints(1, 2, 3)), "longer than 2^63 - 1 along axis 0");
    ZarrArray longest = array.append(0, ints(1, 2)).block(TIMEOUT);
    assertThat(longest.shape()).isEqualTo(Shape.of(Long.MAX_VALUE));
    long end = Long.MAX_VALUE - 2;
    assertThat(longest.read(Selection.parse(end + ":")).block()).isEqualTo(ints(1, 2));
  }

  private static void refused(ThrowingCallable call, String... words) {
    assertThatThrownBy(call)
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContainingAll(words);
  }

  @Test
  void an_array_that_is_gone_is_an_error() {
    ZarrArray array = row(1, store, DEFAULTS);
    Zarr.hierarchy(values).erase("a").block();
    assertThatThrownBy(() -> array.append(0, ints(1)).block(TIMEOUT))
        .isInstanceOf(NodeNotFoundException.class)
        .hasMessageContaining("gone since it was opened")
        .hasMessageContaining("a/zarr.json");
    assertThat(values.list().collectList().block()).hasSize(1);
  }

  @Test
  void two_programs_append_at_once_and_nothing_is_lost() {
    nothingIsLost(values, values, 60);
  }

  @Test
  void two_programs_append_in_one_directory_and_nothing_is_lost(@TempDir Path directory) {
    nothingIsLost(FileSystemStore.open(directory), FileSystemStore.open(directory), 25);
  }

  @Test
  void appends_through_one_store_object_lose_nothing_without_conditions() {
    Store plain = Stores.limited(new PlainValues(MemoryStore.create()), 8);
    appendedBy(plain, List.of(plain, plain), 40);
  }

  /** Stores of their own: the writers do not wait for each other. */
  private static void nothingIsLost(Store one, Store other, int rounds) {
    appendedBy(one, List.of(Stores.limited(one, 8), Stores.limited(other, 8)), rounds);
  }

  private static void appendedBy(Store store, List<Store> writers, int rounds) {
    ArrayMetadataBuilder metadata =
        ArrayMetadata.v3(Shape.of(0), DataTypes.INT32).uncompressed().chunkShape(4);
    TestArrays.empty(metadata, store, DEFAULTS);
    Flux.range(0, writers.size())
        .flatMap(
            writer -> {
              ZarrArray array = TestArrays.open(writers.get(writer), DEFAULTS);
              Flux<NdArray> blocks = Flux.range(0, rounds).map(round -> block(writer, round));
              return array.append(0, blocks).subscribeOn(Schedulers.parallel());
            })
        .blockLast(TIMEOUT);
    int[] all = TestArrays.open(store, DEFAULTS).read(Selection.all()).block().toIntArray();
    int[] round = new int[writers.size()];
    for (int at = 0; at < all.length; ) {
      int writer = all[at] % 10;
      NdArray expected = block(writer, round[writer]++);
      int end = at + expected.toIntArray().length;
      assertThat(Arrays.copyOfRange(all, at, end)).isEqualTo(expected.toIntArray());
      at = end;
    }
    assertThat(round).containsOnly(rounds);
  }

  /** Blocks of 1 to 7 elements, which are parts of chunks, whole ones, or more than one. */
  private static NdArray block(int writer, int round) {
    int[] elements = new int[1 + (3 * round + writer) % 7];
    Arrays.setAll(elements, i -> 1000 * (round + 1) + 100 * i + writer);
    return ints(elements);
  }

  @Test
  void two_appends_share_the_chunk_at_the_end() {
    ZarrArray array = row(1, store, DEFAULTS);
    HeldRequests held = store.hold(request -> isSet(request) && chunk(1).test(request));
    CompletableFuture<ZarrArray> first = array.append(0, ints(5)).toFuture();
    eventually("it wants to store its block", () -> held.waiting() == 1);
    ZarrArray other = TestArrays.open(values, DEFAULTS);
    assertThat(other.read(Selection.all()).block().toIntArray())
        .as("a reader in between")
        .containsExactly(1, 2, 3, 4, 0);
    other.append(0, ints(6, 7, 8)).block(TIMEOUT);
    held.release();
    first.join();
    assertThat(TestArrays.open(values, DEFAULTS).read(Selection.all()).block())
        .isEqualTo(counting(Shape.of(8)));
  }

  @Test
  void a_write_through_a_handle_from_before_keeps_what_was_appended() {
    ArrayMetadataBuilder metadata =
        ArrayMetadata.v3(Shape.of(2), DataTypes.INT32).uncompressed().chunkShape(4);
    ZarrArray array = TestArrays.counting(metadata, store, DEFAULTS);
    ZarrArray longer = array.append(0, ints(3, 4)).block(TIMEOUT);
    array.write(Selection.all(), ints(-1, -2)).block(TIMEOUT);
    assertThat(longer.read(Selection.all()).block().toIntArray()).containsExactly(-1, -2, 3, 4);
  }

  @Test
  void concurrent_changes_of_the_document_by_another_program_stay() {
    ZarrArray array = row(1, store, DEFAULTS);
    HeldRequests held = store.hold(AppendTest::isSet);
    CompletableFuture<ZarrArray> append = array.append(0, ints(5, 6, 7, 8)).toFuture();
    eventually("it wants to store", () -> held.waiting() == 1);
    ZarrArray other = TestArrays.open(values, DEFAULTS);
    other.updateAttributes(old -> old.with("units", "K")).block(TIMEOUT);
    held.release();
    assertThat(append.join().attributes()).hasToString("{\"units\":\"K\"}");
    ZarrArray now = TestArrays.open(values, DEFAULTS);
    assertThat(now.attributes()).hasToString("{\"units\":\"K\"}");
    assertThat(now.read(Selection.all()).block()).isEqualTo(counting(Shape.of(8)));
  }

  @Test
  void attributes_that_change_while_another_program_appends_leave_the_array_long() {
    ZarrArray array = row(1, store, DEFAULTS);
    HeldRequests held = store.hold(AppendTest::isSet);
    CompletableFuture<ZarrArray> change =
        array.updateAttributes(old -> old.with("units", "K")).toFuture();
    eventually("it wants to store", () -> held.waiting() == 1);
    TestArrays.open(values, DEFAULTS).append(0, ints(5, 6, 7, 8)).block(TIMEOUT);
    held.release();
    assertThat(change.join().shape()).isEqualTo(Shape.of(8));
    ZarrArray now = TestArrays.open(values, DEFAULTS);
    assertThat(now.attributes()).hasToString("{\"units\":\"K\"}");
    assertThat(now.read(Selection.all()).block()).isEqualTo(counting(Shape.of(8)));
  }

  @ParameterizedTest
  @CsvSource({"2", "3"})
  void consolidated_metadata_above_are_removed(int zarrFormat) {
    ZarrHierarchy hierarchy = Zarr.hierarchy(store);
    ZarrArray array =
        hierarchy.createArray("g/a", TestArrays.metadata(1).zarrFormat(zarrFormat).build()).block();
    for (String path : List.of("g", "")) {
      hierarchy.openGroup(path).flatMap(ZarrGroup::consolidate).block();
    }
    array.append(0, ints(5)).block(TIMEOUT);
    for (String path : List.of("g", "")) {
      ZarrGroup group = Zarr.hierarchy(values).openGroup(path).block();
      assertThat(group.metadata().document().get("consolidated_metadata")).isNull();
      assertThat(values.get(group.path().key(".zmetadata")).block()).isNull();
      String name = path.isEmpty() ? "g/a" : "a";
      assertThat(group.openArray(name).block().shape()).isEqualTo(Shape.of(5));
    }
  }

  @Test
  void an_error_after_the_growth_names_the_place_to_write_again() {
    ZarrArray array = row(1, store, DEFAULTS);
    TransientStoreException failure = new TransientStoreException("503", Location.UNKNOWN);
    store.fail(request -> isSet(request) && chunk(2).test(request), () -> failure);
    NdArray block = ints(5, 6, 7, 8, 9, 10);
    assertThatThrownBy(() -> array.append(0, block).block(TIMEOUT))
        .isInstanceOfSatisfying(
            UnfinishedAppendException.class,
            e -> {
              assertThat(e.place()).isEqualTo("4:10");
              assertThat(e).hasCause(failure).hasMessageContainingAll("grown by 4:10", "503");
              assertThat(e.location().nodePath()).isEqualTo("/a");
              assertThat(e.location().storeKey()).isEqualTo("a/c/2");
            });
    ZarrArray grown = TestArrays.open(values, DEFAULTS);
    assertThat(grown.read(Selection.parse("8:")).block().toIntArray()).containsExactly(0, 0);
    grown.write(Selection.parse("4:10"), block).block(TIMEOUT);
    assertThat(grown.read(Selection.all()).block()).isEqualTo(counting(Shape.of(10)));
  }

  @Test
  void an_error_before_the_growth_is_signalled_unchanged() {
    ZarrArray array = row(1, store, DEFAULTS);
    store.failNext(
        1, AppendTest::isSet, () -> new TransientStoreException("503", Location.UNKNOWN));
    assertThatThrownBy(() -> array.append(0, ints(5)).block(TIMEOUT))
        .isInstanceOf(TransientStoreException.class)
        .hasMessageContaining("/a");
    assertThat(TestArrays.open(values, DEFAULTS).shape()).isEqualTo(Shape.of(4));
  }

  @Test
  void after_a_cancel_the_array_is_long_and_holds_fill_value() {
    ZarrArray array = row(1, store, DEFAULTS);
    HeldRequests held = store.hold(chunks());
    Disposable append = array.append(0, ints(5, 6)).subscribe();
    eventually("it wants to store its block", () -> held.waiting() == 1);
    append.dispose();
    ZarrArray grown = TestArrays.open(values, DEFAULTS);
    assertThat(grown.read(Selection.parse("4:")).block().toIntArray()).containsExactly(0, 0);
    held.release();
    ZarrArray longer = array.append(0, ints(7)).block(TIMEOUT);
    assertThat(longer.shape()).isEqualTo(Shape.of(7));
    assertThat(longer.read(Selection.parse("6:")).block().toIntArray()).containsExactly(7);
  }

  @Test
  void blocks_are_demanded_up_to_a_row_of_chunks_while_the_store_works() {
    ZarrArray array = row(1, store, DEFAULTS);
    TestPublisher<NdArray> blocks = TestPublisher.create();
    AtomicLong demanded = new AtomicLong();
    HeldRequests held = store.hold(chunks());
    CompletableFuture<ZarrArray> append =
        array.append(0, blocks.flux().doOnRequest(demanded::addAndGet)).toFuture();
    assertThat(demanded).hasValue(1);
    blocks.next(ints(5, 6, 7, 8));
    eventually("it wants to store the block", () -> held.waiting() == 1);
    blocks.next(ints(9));
    blocks.next(ints(10, 11, 12));
    assertThat(demanded).as("the next row of chunks is complete").hasValue(3);
    held.release();
    eventually("the next one is demanded", () -> demanded.get() == 4);
    blocks.next(ints(13));
    eventually("a block that comes alone is stored", () -> requests().contains("SET a/c/3"));
    blocks.complete();
    assertThat(append.join().read(Selection.all()).block()).isEqualTo(counting(Shape.of(13)));
  }

  @Test
  void the_document_is_stored_once_for_each_row_of_chunks() {
    ZarrArray array = row(1, store, DEFAULTS);
    store.counts().reset();
    Flux<NdArray> blocks = Flux.range(5, 12).map(TestArrays::ints);
    assertThat(array.append(0, blocks).block(TIMEOUT).shape()).isEqualTo(Shape.of(16));
    assertThat(requests())
        .filteredOn(request -> request.contains(" a/"))
        .containsExactly(
            "GET a/zarr.json",
            "SET a/zarr.json",
            "SET a/c/1",
            "GET a/zarr.json",
            "SET a/zarr.json",
            "SET a/c/2",
            "GET a/zarr.json",
            "SET a/zarr.json",
            "SET a/c/3");
    assertThat(array.resize(Shape.of(16)).block().read().block()).isEqualTo(counting(Shape.of(16)));
  }

  @Test
  void blocks_along_the_last_axis_are_joined() {
    ArrayMetadataBuilder metadata =
        ArrayMetadata.v3(Shape.of(3, 1), DataTypes.INT32).chunkShape(2, 4).uncompressed();
    ZarrArray array = Zarr.hierarchy(store).createArray("wide", metadata.build()).block();
    NdArray all = counting(Shape.of(3, 10));
    array.write(Selection.all(), all.slice(Selection.parse(":,0:1"))).block();
    store.counts().reset();
    Flux<NdArray> blocks =
        Flux.just("1:2", "2:4", "4:5", "5:9", "9:10")
            .map(columns -> all.slice(Selection.parse(":," + columns)));
    ZarrArray longer = array.append(1, blocks).block(TIMEOUT);
    assertThat(longer.read().block()).isEqualTo(all);
    assertThat(requests().stream().filter("SET wide/zarr.json"::equals)).hasSize(3);
  }

  @Test
  void a_block_that_does_not_fit_leaves_the_blocks_before() {
    ZarrArray array = row(1, store, DEFAULTS);
    NdArray other = NdArray.ofFloats(DataTypes.FLOAT32, Shape.of(1), 1);
    StepVerifier.create(array.append(0, Flux.just(ints(5), ints(6), other, ints(7))))
        .expectError(IllegalArgumentException.class)
        .verify(TIMEOUT);
    assertThat(TestArrays.open(values, DEFAULTS).read(Selection.all()).block())
        .isEqualTo(counting(Shape.of(6)));
  }

  @Test
  void an_error_of_the_publisher_leaves_the_blocks_before() {
    ZarrArray array = row(1, store, DEFAULTS);
    Flux<NdArray> blocks =
        Flux.just(ints(5), ints(6, 7)).concatWith(Mono.error(new IllegalStateException("theirs")));
    StepVerifier.create(array.append(0, blocks)).expectErrorMessage("theirs").verify(TIMEOUT);
    assertThat(TestArrays.open(values, DEFAULTS).read(Selection.all()).block())
        .isEqualTo(counting(Shape.of(7)));
  }

  @Test
  void nothing_happens_before_a_subscription() {
    ZarrArray array = row(1, store, DEFAULTS);
    Mono<ZarrArray> append = array.append(0, ints(1));
    array.resize(Shape.of(9));
    assertThat(store.counts().total()).isZero();
    append.block(TIMEOUT);
    assertThat(append.block(TIMEOUT).shape())
        .as("each subscription appends")
        .isEqualTo(Shape.of(6));
  }

  private static boolean isSet(StoreRequest request) {
    return request.operation() == StoreOperation.SET;
  }

  private List<String> requests() {
    List<String> requests = new ArrayList<>();
    for (StoreRequest request : store.counts().requests()) {
      StoreOperation operation = request.operation();
      requests.add(
          (operation == StoreOperation.GET_RANGE ? "GET" : operation) + " " + request.target());
    }
    return requests;
  }
}
