package dev.zarrreactive.write;

import static dev.zarrreactive.testing.TestArrays.counting;
import static dev.zarrreactive.testing.TestArrays.ints;
import static dev.zarrreactive.testing.TestArrays.row;
import static dev.zarrreactive.testing.Waiting.eventually;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.zarrreactive.ZarrArray;
import dev.zarrreactive.ZarrOptions;
import dev.zarrreactive.array.NdArray;
import dev.zarrreactive.array.Shape;
import dev.zarrreactive.array.selection.Selection;
import dev.zarrreactive.datatype.DataTypes;
import dev.zarrreactive.metadata.ArrayMetadata;
import dev.zarrreactive.observation.StoreOperation;
import dev.zarrreactive.store.memory.MemoryStore;
import dev.zarrreactive.testing.NothingIsDropped;
import dev.zarrreactive.testing.TestArrays;
import dev.zarrreactive.testkit.InstrumentedStore;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import reactor.core.Disposable;

/** Views, broadcasts and scalars in place of data. */
@ExtendWith(NothingIsDropped.class)
class WrittenViewsTest {
  private final InstrumentedStore store = InstrumentedStore.of(MemoryStore.create());

  @Test
  void a_number_is_written_to_every_element() {
    ZarrArray array = row(3, store, ZarrOptions.defaults());
    array.write(Selection.parse("2:7:2"), 9).block();
    assertThat(array.read("0:8").block().toIntArray()).containsExactly(1, 2, 9, 4, 9, 6, 9, 8);
    array.write(Selection.points(new long[] {0}, new long[] {11}), -1).block();
    assertThat(array.read("[0,11]").block().toIntArray()).containsExactly(-1, -1);
  }

  @Test
  void a_number_has_to_be_of_the_data_type() {
    ZarrArray array = row(1, store, ZarrOptions.defaults());
    assertThatIllegalArgumentException()
        .isThrownBy(() -> array.write(Selection.all(), 1L << 31))
        .withMessageContaining("2147483648");
    assertThatIllegalArgumentException().isThrownBy(() -> array.write(Selection.all(), 1.5));
    ZarrArray floats =
        TestArrays.empty(
            ArrayMetadata.v3(Shape.of(2), DataTypes.FLOAT32).uncompressed(),
            MemoryStore.create(),
            ZarrOptions.defaults());
    floats.write(Selection.all(), 0.1).block();
    floats.write(Selection.parse("1"), 3).block();
    assertThat(floats.read().block().toFloatArray()).containsExactly(0.1f, 3);
  }

  @Test
  void scalars_of_any_type_are_broadcast() {
    ZarrArray texts =
        TestArrays.empty(
            ArrayMetadata.v3(Shape.of(2, 2), DataTypes.STRING).uncompressed().chunkShape(1, 2),
            MemoryStore.create(),
            ZarrOptions.defaults());
    texts.write(Selection.all(), NdArray.ofStrings(DataTypes.STRING, Shape.SCALAR, "x")).block();
    assertThat(texts.read().block().toStringArray()).containsExactly("x", "x", "x", "x");
  }

  @Test
  void rows_and_columns_are_broadcast() {
    ZarrArray array =
        TestArrays.empty(
            ArrayMetadata.v3(Shape.of(3, 5), DataTypes.INT32).uncompressed().chunkShape(2, 2),
            store,
            ZarrOptions.defaults());
    array.write("...", ints(1, 2, 3, 4, 5)).block();
    assertThat(array.read("2").block().toIntArray()).containsExactly(1, 2, 3, 4, 5);
    array.write(":,1:3", ints(7, 8, 9).newAxis(1)).block();
    assertThat(array.read().block().toInt2d())
        .isEqualTo(new int[][] {{1, 7, 7, 4, 5}, {1, 8, 8, 4, 5}, {1, 9, 9, 4, 5}});
    assertThatIllegalArgumentException()
        .isThrownBy(() -> array.write("...", ints(1, 2, 3)))
        .withMessage("data of int32 and shape [3] for a selection of int32 and shape [3, 5]");
  }

  @Test
  void a_view_is_written_as_its_copy() {
    ZarrArray array =
        TestArrays.empty(
            ArrayMetadata.v3(Shape.of(6, 4), DataTypes.INT32).uncompressed().chunkShape(4, 3),
            store,
            ZarrOptions.defaults());
    NdArray view = counting(Shape.of(4, 12)).slice(Selection.parse(":,1::2")).transpose();
    assertThat(view.isContiguous()).isFalse();
    array.write("...", view).block();
    assertThat(array.read().block()).isEqualTo(view);
    array.write("1::2,-1", view.slice(Selection.parse(":3,0"))).block();
    assertThat(array.read("1::2,-1").block()).isEqualTo(view.slice(Selection.parse(":3,0")));
  }

  @Test
  void a_scalar_fills_a_selection_of_any_size_chunk_by_chunk() {
    ZarrArray array =
        TestArrays.empty(
            ArrayMetadata.v3(Shape.of(1L << 50), DataTypes.INT8).uncompressed().chunkShape(1 << 10),
            store,
            ZarrOptions.defaults());
    Disposable running =
        array.write(Selection.all(), 0).subscribe(); // the fill value, so that chunks are erased
    eventually("many are done", () -> store.counts().total(StoreOperation.ERASE) > 100);
    running.dispose();
    eventually("nothing is in flight", () -> store.counts().inFlight() == 0);
  }

  @Test
  void clipped_selections_take_what_is_there() {
    ZarrArray array = row(2, store, ZarrOptions.defaults());
    assertThat(array.read(Selection.parse("6:99").clipped()).block().toIntArray())
        .containsExactly(7, 8);
    assertThatIllegalArgumentException()
        .isThrownBy(() -> array.write(Selection.parse("6:9").clipped(), ints(1, 2, 3)))
        .withMessageContaining("shape [3] for a selection of int32 and shape [2]");
  }

  @Test
  void short_forms_read_everything() {
    ZarrArray array = row(3, store, ZarrOptions.defaults());
    assertThat(array.read().block()).isEqualTo(counting(Shape.of(12)));
    assertThat(array.chunks().collectList().block()).hasSize(3);
  }
}
