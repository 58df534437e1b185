package dev.zarrreactive.write;

import static dev.zarrreactive.testing.TestArrays.counting;
import static dev.zarrreactive.testing.TestArrays.ints;
import static dev.zarrreactive.testing.TestArrays.row;
import static dev.zarrreactive.testing.Waiting.eventually;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.zarrreactive.Zarr;
import dev.zarrreactive.ZarrArray;
import dev.zarrreactive.ZarrOptions;
import dev.zarrreactive.array.Shape;
import dev.zarrreactive.array.selection.Selection;
import dev.zarrreactive.base.Bytes;
import dev.zarrreactive.base.StoreKey;
import dev.zarrreactive.base.StorePrefix;
import dev.zarrreactive.chunkgrid.ShrinkMode;
import dev.zarrreactive.datatype.DataTypes;
import dev.zarrreactive.error.Location;
import dev.zarrreactive.error.PreconditionFailedException;
import dev.zarrreactive.error.StoreCapabilityException;
import dev.zarrreactive.error.TransientStoreException;
import dev.zarrreactive.error.UnfinishedResizeException;
import dev.zarrreactive.metadata.ArrayMetadata;
import dev.zarrreactive.metadata.ArrayMetadataBuilder;
import dev.zarrreactive.observation.StoreOperation;
import dev.zarrreactive.store.Store;
import dev.zarrreactive.store.StoreCapability;
import dev.zarrreactive.store.decorator.Stores;
import dev.zarrreactive.store.memory.MemoryStore;
import dev.zarrreactive.testing.NothingIsDropped;
import dev.zarrreactive.testing.PlainValues;
import dev.zarrreactive.testing.TestArrays;
import dev.zarrreactive.testkit.HeldRequests;
import dev.zarrreactive.testkit.InstrumentedStore;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Arrays that become smaller: their requests, the chunks outside, other writers, and failures. */
@ExtendWith(NothingIsDropped.class)
class ShrinkTest {
  private static final Duration TIMEOUT = Duration.ofSeconds(60);
  private static final ZarrOptions DEFAULTS = ZarrOptions.defaults();

  private final Store values = MemoryStore.create();
  private final InstrumentedStore store = InstrumentedStore.of(values);

  private List<String> chunks() {
    return values
        .listPrefix(StorePrefix.of("a/c/"))
        .map(StoreKey::value)
        .sort()
        .collectList()
        .block(TIMEOUT);
  }

  @ParameterizedTest
  @EnumSource
  void an_array_that_grows_again_shows_what_the_shrink_has_left(ShrinkMode outside) {
    ZarrArray array = row(4, store, DEFAULTS);
    ZarrArray small = array.resize(Shape.of(6), outside).block(TIMEOUT);
    assertThat(small.read(Selection.all()).block()).isEqualTo(counting(Shape.of(6)));
    assertThat(chunks()).hasSize(outside == ShrinkMode.KEEP ? 4 : 2);
    ZarrArray large = small.resize(Shape.of(12)).block(TIMEOUT);
    int[] expected =
        switch (outside) {
          case KEEP -> new int[] {7, 8, 9, 10, 11, 12};
          case ERASE -> new int[] {7, 8, 0, 0, 0, 0};
          case TRIM -> new int[6];
        };
    assertThat(large.read(Selection.parse("6:")).block().toIntArray()).isEqualTo(expected);
  }

  @Test
  void the_short_form_trims() {
    ZarrArray small = row(2, store, DEFAULTS).resize(Shape.of(5)).block(TIMEOUT);
    assertThat(small.resize(Shape.of(8)).block(TIMEOUT).read(Selection.parse("4:")).block())
        .isEqualTo(ints(5, 0, 0, 0));
  }

  @Test
  void a_chunk_that_trimming_leaves_as_it_is_is_not_stored_again() {
    ArrayMetadataBuilder metadata =
        ArrayMetadata.v3(Shape.of(8), DataTypes.INT32).uncompressed().chunkShape(4);
    ZarrArray array = TestArrays.empty(metadata, store, DEFAULTS);
    array.write(Selection.parse("4:6"), ints(1, 2)).block(TIMEOUT);
    store.counts().reset();
    array.resize(Shape.of(6)).block(TIMEOUT);
    assertThat(store.counts().total(StoreOperation.SET)).as("the document").isEqualTo(1);
  }

  @Test
  void chunks_at_the_end_of_an_axis_that_stays_are_not_read() {
    ArrayMetadataBuilder metadata =
        ArrayMetadata.v3(Shape.of(8, 3), DataTypes.INT32).uncompressed().chunkShape(2, 2);
    ZarrArray array = TestArrays.counting(metadata, store, DEFAULTS);
    ZarrArray small = array.resize(Shape.of(4, 3)).block(TIMEOUT);
    assertThat(
            store.counts().requests().stream()
                .filter(request -> request.operation() == StoreOperation.GET)
                .filter(request -> request.target().startsWith("a/c")))
        .isEmpty();
    assertThat(chunks()).containsExactly("a/c/0/0", "a/c/0/1", "a/c/1/0", "a/c/1/1");
    assertThat(small.read(Selection.all()).block()).isEqualTo(counting(Shape.of(4, 3)));
  }

  @Test
  void to_grow_or_to_keep_everything_requests_no_chunk_and_no_listing() {
    ZarrArray array = row(2, store, DEFAULTS);
    ZarrArray larger = array.resize(Shape.of(20)).block(TIMEOUT);
    larger.resize(Shape.of(2), ShrinkMode.KEEP).block(TIMEOUT);
    assertThat(store.counts().total(StoreOperation.GET)).as("two documents each").isEqualTo(4);
    assertThat(store.counts().total(StoreOperation.SET)).isEqualTo(2);
    assertThat(store.counts().total()).isEqualTo(6);
  }

  @Test
  void an_equal_shape_stores_no_document_and_erases_what_is_left_outside() {
    ZarrArray array = row(4, store, DEFAULTS);
    ZarrArray small = array.resize(Shape.of(6), ShrinkMode.KEEP).block(TIMEOUT);
    store.counts().reset();
    small.resize(Shape.of(6), ShrinkMode.KEEP).block(TIMEOUT);
    assertThat(store.counts().total()).isEqualTo(1);
    small.resize(Shape.of(6)).block(TIMEOUT);
    assertThat(chunks()).hasSize(2);
    assertThat(small.resize(Shape.of(8)).block(TIMEOUT).read(Selection.parse("6:")).block())
        .isEqualTo(ints(0, 0));
  }

  @Test
  void foreign_files_stay() {
    ZarrArray array = row(2, store, DEFAULTS);
    for (String name : List.of("a/c/09", "a/c/1.bak", "a/c/1/0", "a/notes", "b/c/7")) {
      values.set(StoreKey.of(name), Bytes.utf8("x")).block();
    }
    array.resize(Shape.of(0)).block(TIMEOUT);
    assertThat(values.list().map(StoreKey::value).collectList().block())
        .containsExactlyInAnyOrder(
            "zarr.json", "a/zarr.json", "a/c/09", "a/c/1.bak", "a/c/1/0", "a/notes", "b/c/7");
  }

  @Test
  void elements_that_the_handle_does_not_know_are_not_cut_off() {
    ZarrArray array = row(1, store, DEFAULTS);
    TestArrays.open(values, DEFAULTS).append(0, ints(5, 6)).block(TIMEOUT);
    for (long extent : new long[] {2, 4, 5}) {
      assertThatThrownBy(() -> array.resize(Shape.of(extent)).block(TIMEOUT))
          .isInstanceOf(PreconditionFailedException.class)
          .hasMessageContainingAll(
              "opened with shape [4]", "the shape [6]", "open the array again");
    }
    assertThat(store.counts().total()).as("a read of the document each").isEqualTo(3);
    assertThat(array.resize(Shape.of(6)).block(TIMEOUT).read(Selection.all()).block())
        .isEqualTo(counting(Shape.of(6)));
  }

  @Test
  void what_another_program_appends_while_chunks_are_erased_stays() {
    ZarrArray array = row(4, store, DEFAULTS);
    HeldRequests held = store.hold(request -> request.operation() == StoreOperation.ERASE);
    CompletableFuture<ZarrArray> shrink = array.resize(Shape.of(4)).toFuture();
    eventually("it wants to erase", () -> held.waiting() == 3);
    TestArrays.open(values, DEFAULTS).append(0, ints(-5, -6, -7, -8, -9)).block(TIMEOUT);
    held.release();
    shrink.join();
    ZarrArray now = TestArrays.open(values, DEFAULTS);
    assertThat(now.read(Selection.parse("4:")).block()).isEqualTo(ints(-5, -6, -7, -8, -9));
    assertThat(chunks()).containsExactly("a/c/0", "a/c/1", "a/c/2");
  }

  @Test
  void what_another_program_appends_while_a_chunk_is_trimmed_stays() {
    ZarrArray array = row(1, store, DEFAULTS);
    HeldRequests held =
        store.hold(
            request ->
                request.operation() == StoreOperation.SET && request.target().equals("a/c/0"));
    CompletableFuture<ZarrArray> shrink = array.resize(Shape.of(1)).toFuture();
    eventually("it wants to trim", () -> held.waiting() == 1);
    TestArrays.open(values, DEFAULTS).append(0, ints(-2)).block(TIMEOUT);
    held.release();
    shrink.join();
    ZarrArray now = TestArrays.open(values, DEFAULTS);
    assertThat(now.resize(Shape.of(4)).block(TIMEOUT).read(Selection.all()).block())
        .isEqualTo(ints(1, -2, 0, 0));
  }

  @Test
  void an_append_of_this_process_waits_until_the_chunks_are_erased() {
    Store plain = new PlainValues(store);
    ZarrArray array = row(3, plain, DEFAULTS);
    HeldRequests held = store.hold(request -> request.operation() == StoreOperation.ERASE);
    CompletableFuture<ZarrArray> shrink = array.resize(Shape.of(4)).toFuture();
    eventually("it wants to erase", () -> held.waiting() == 2);
    ZarrArray other = TestArrays.open(plain, DEFAULTS);
    CompletableFuture<ZarrArray> append = other.append(0, ints(-5, -6, -7, -8)).toFuture();
    assertThat(append).isNotDone();
    held.release();
    shrink.join();
    assertThat(append.join().read(Selection.parse("4:")).block()).isEqualTo(ints(-5, -6, -7, -8));
  }

  @Test
  void a_crash_leaves_the_new_shape_and_a_repetition_erases_the_rest() {
    ZarrArray array = row(4, store, DEFAULTS);
    store.fail(
        request -> request.operation() == StoreOperation.ERASE && request.target().equals("a/c/3"),
        () -> new TransientStoreException("503", Location.UNKNOWN));
    assertThatThrownBy(() -> array.resize(Shape.of(6)).block(TIMEOUT))
        .isInstanceOf(UnfinishedResizeException.class)
        .hasCauseInstanceOf(TransientStoreException.class)
        .hasMessageContainingAll("new shape [6]", "503", "a/c/3", "/a");
    ZarrArray small = TestArrays.open(values, DEFAULTS);
    assertThat(small.read(Selection.all()).block()).isEqualTo(counting(Shape.of(6)));
    small.resize(Shape.of(6)).block(TIMEOUT);
    assertThat(chunks()).hasSize(2);
    assertThat(small.resize(Shape.of(16)).block(TIMEOUT).read(Selection.parse("6:")).block())
        .isEqualTo(ints(new int[10]));
  }

  @Test
  void a_store_that_cannot_list_or_erase_says_so_and_the_array_stays() {
    for (StoreCapability lacking : List.of(StoreCapability.LIST, StoreCapability.ERASE)) {
      ZarrArray array =
          Zarr.hierarchy(new PlainValues(store, lacking))
              .createArray("of-" + lacking, TestArrays.metadata(2).build())
              .block();
      store.counts().reset();
      assertThatThrownBy(() -> array.resize(Shape.of(3)).block(TIMEOUT))
          .isInstanceOf(StoreCapabilityException.class)
          .hasMessageContainingAll("it lacks " + lacking, "ShrinkMode.KEEP");
      assertThat(store.counts().total()).isZero();
      assertThat(array.resize(Shape.of(3), ShrinkMode.KEEP).block(TIMEOUT).shape())
          .isEqualTo(Shape.of(3));
    }
  }

  @Test
  void a_wrong_rank_and_a_read_only_store_are_refused_before_any_request() {
    ZarrArray array = row(1, store, DEFAULTS);
    assertThatThrownBy(() -> array.resize(Shape.of(1, 2)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContainingAll("2 dimensions", "/a", "[4]");
    ZarrArray readOnly = TestArrays.open(Stores.readOnly(store), DEFAULTS);
    store.counts().reset();
    assertThatThrownBy(() -> readOnly.resize(Shape.of(9)).block(TIMEOUT))
        .isInstanceOf(StoreCapabilityException.class);
    assertThatThrownBy(() -> readOnly.append(0, ints(1)).block(TIMEOUT))
        .isInstanceOf(StoreCapabilityException.class);
    assertThat(store.counts().total()).isZero();
  }
}
