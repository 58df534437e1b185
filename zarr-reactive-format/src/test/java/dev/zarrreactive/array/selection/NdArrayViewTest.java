package dev.zarrreactive.array.selection;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.zarrreactive.array.NdArray;
import dev.zarrreactive.array.Shape;
import dev.zarrreactive.base.Bytes;
import dev.zarrreactive.datatype.DataType;
import dev.zarrreactive.datatype.DataTypes;
import dev.zarrreactive.datatype.StructField;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Views by hand-made examples; {@link NdArrayViewPropertyTest} compares them with a model. */
class NdArrayViewTest {
  /** 0 to 11 in three rows. */
  private static final NdArray ROWS =
      NdArray.ofInts(DataTypes.INT32, Shape.of(3, 4), IntStream.range(0, 12).toArray());

  private static NdArray slice(NdArray array, String notation) {
    return array.slice(Selection.parse(notation));
  }

  @Test
  void slices_and_indices_select_as_in_numpy() {
    assertThat(slice(ROWS, "1:").toInt2d()).isEqualTo(new int[][] {{4, 5, 6, 7}, {8, 9, 10, 11}});
    assertThat(slice(ROWS, "::2,1::2").toInt2d()).isEqualTo(new int[][] {{1, 3}, {9, 11}});
    assertThat(slice(ROWS, ":,-1").toIntArray()).containsExactly(3, 7, 11);
    assertThat(slice(ROWS, "1,2").getInt()).isEqualTo(6);
    assertThat(slice(ROWS, "3:").shape()).isEqualTo(Shape.of(0, 4));
  }

  @Test
  void a_view_shares_the_memory() {
    byte[] memory = {1, 2, 3, 4, 5, 6};
    NdArray array = NdArray.wrap(DataTypes.UINT8, Shape.of(6), Bytes.wrap(memory));
    NdArray even = slice(array, "::2");
    NdArray end = slice(array, "4:");
    memory[4] = 50; // against the rules, to see the sharing
    assertThat(even.toIntArray()).containsExactly(1, 3, 50);
    assertThat(end.toIntArray()).containsExactly(50, 6);
  }

  @Test
  void a_part_without_gaps_is_contiguous() {
    assertThat(slice(ROWS, "1:").isContiguous()).isTrue();
    assertThat(slice(ROWS, "1,1:3").isContiguous()).isTrue();
    assertThat(slice(ROWS, ":,1:3").isContiguous()).isFalse();
    assertThat(slice(ROWS, "0:0,::2").isContiguous()).isTrue();
    NdArray contiguous = slice(ROWS, "1:");
    assertThat(contiguous.toContiguous()).isSameAs(contiguous);
    assertThat(slice(ROWS, ":,1").toContiguous().isContiguous()).isTrue();
  }

  @Test
  void lists_masks_and_points_copy() {
    assertThat(slice(ROWS, "[2,0,2],1:3").toInt2d())
        .isEqualTo(new int[][] {{9, 10}, {1, 2}, {9, 10}});
    assertThat(slice(ROWS, "0,[3,1]").toIntArray()).containsExactly(3, 1);
    NdArray columns = slice(ROWS, ":,::3");
    NdArray mask = NdArray.ofBooleans(Shape.of(3, 2), true, false, false, true, false, true);
    assertThat(columns.slice(Selection.mask(mask)).toIntArray()).containsExactly(0, 7, 11);
    NdArray falseInside = slice(ROWS.cast(DataTypes.UINT8), "0:2,1:3");
    assertThat(
            falseInside.slice(Selection.points(new long[] {1, 1}, new long[] {0, 0})).toIntArray())
        .containsExactly(6, 1);
  }

  @Test
  void a_mask_may_be_a_view() {
    NdArray mask = NdArray.ofBooleans(Shape.of(2, 2), true, false, true, true).transpose();
    NdArray numbers = NdArray.ofInts(DataTypes.INT32, Shape.of(2, 2), 1, 2, 3, 4);
    assertThat(numbers.slice(Selection.mask(mask)).toIntArray()).containsExactly(1, 2, 4);
  }

  @Test
  void dimensions_are_permuted_dropped_and_added() {
    assertThat(ROWS.transpose().toInt2d())
        .isEqualTo(new int[][] {{0, 4, 8}, {1, 5, 9}, {2, 6, 10}, {3, 7, 11}});
    NdArray three = ROWS.newAxis(1);
    assertThat(three.shape()).isEqualTo(Shape.of(3, 1, 4));
    assertThat(three.transpose(2, 0, 1).shape()).isEqualTo(Shape.of(4, 3, 1));
    assertThat(three.transpose(2, 0, 1).getInt(3, 2, 0)).isEqualTo(11);
    assertThat(three.squeeze()).isEqualTo(ROWS);
    assertThat(ROWS.newAxis(2).newAxis(0).shape()).isEqualTo(Shape.of(1, 3, 4, 1));
    assertThat(three.transpose().isContiguous()).isFalse();
    assertThat(three.isContiguous()).isTrue();
  }

  @Test
  void a_wrong_dimension_is_refused() {
    assertThatThrownBy(() -> ROWS.transpose(0, 0))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("[0, 0] is not a permutation of the dimensions 0 to 1");
    assertThatThrownBy(() -> ROWS.transpose(1)).isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> ROWS.newAxis(3)).isInstanceOf(IndexOutOfBoundsException.class);
    assertThatThrownBy(() -> slice(ROWS, "0:4")).isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> ROWS.slice(any -> Selection.all().resolve(Shape.of(9, 9))))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("the selection 0:9,0:9 is not of an array of shape [3, 4]");
    assertThatThrownBy(() -> slice(ROWS, "::2,::2").getInt(2, 0))
        .isInstanceOf(IndexOutOfBoundsException.class)
        .hasMessage("index [2, 0] in an array of shape [2, 2]");
    assertThatThrownBy(() -> ROWS.toDouble3d())
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("an array of shape [3, 4] has 2 dimensions, not 3");
  }

  @Test
  void a_broadcast_repeats_by_the_rules_of_numpy() {
    NdArray row = NdArray.ofInts(DataTypes.INT32, Shape.of(2), 1, 2);
    assertThat(row.broadcastTo(Shape.of(2, 2)).toInt2d()).isEqualTo(new int[][] {{1, 2}, {1, 2}});
    NdArray column = row.newAxis(1);
    assertThat(column.broadcastTo(Shape.of(2, 3)).toInt2d())
        .isEqualTo(new int[][] {{1, 1, 1}, {2, 2, 2}});
    assertThat(column.broadcastTo(Shape.of(2, 0)).shape()).isEqualTo(Shape.of(2, 0));
    for (Shape wrong : List.of(Shape.of(3), Shape.of(2, 1), Shape.SCALAR, Shape.of(0))) {
      assertThatThrownBy(() -> row.broadcastTo(wrong))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessage("an array of shape [2] cannot be broadcast to shape " + wrong);
    }
  }

  @Test
  void a_broadcast_may_be_larger_than_memory() {
    NdArray large =
        NdArray.scalar(DataTypes.FLOAT64, 1.5).broadcastTo(Shape.of(1L << 40, 1L << 20));
    assertThat(large.getDouble((1L << 40) - 1, 7)).isEqualTo(1.5);
    assertThat(large.toString()).startsWith("float64 [1099511627776, 1048576]\n[[1.5 1.5 1.5 ...");
    assertThat(slice(large, "5,:3").toDoubleArray()).containsExactly(1.5, 1.5, 1.5);
    assertThat(slice(large, ":,[]").shape()).isEqualTo(Shape.of(1L << 40, 0));
    assertThatThrownBy(large::bytes)
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("2 GiB");
  }

  @Test
  void a_view_equals_and_prints_as_a_copy() {
    NdArray view = slice(ROWS, ":,::3");
    NdArray copy = NdArray.ofInts(DataTypes.INT32, Shape.of(3, 2), 0, 3, 4, 7, 8, 11);
    assertThat(view).isEqualTo(copy).hasSameHashCodeAs(copy).hasToString(copy.toString());
    assertThat(copy).isEqualTo(view);
    assertThat(view).isNotEqualTo(slice(ROWS, ":,::2"));
    assertThat(view).isNotEqualTo(view.reshape(Shape.of(2, 3)));
    assertThat(view.reshape(Shape.of(6)).toIntArray()).containsExactly(0, 3, 4, 7, 8, 11);
  }

  @Test
  void a_field_is_a_view_also_of_a_view() {
    DataType type =
        DataTypes.struct(
            new StructField("x", DataTypes.UINT8), new StructField("y", DataTypes.INT16));
    byte[] memory = {1, 10, 0, 2, 20, 0, 3, 30, 0, 4, 40, 0};
    NdArray structs = NdArray.wrap(type, Shape.of(2, 2), Bytes.wrap(memory));
    NdArray y = structs.field("y");
    assertThat(y.isContiguous()).isFalse();
    assertThat(y.toInt2d()).isEqualTo(new int[][] {{10, 20}, {30, 40}});
    assertThat(structs.transpose().field("y").toInt2d())
        .isEqualTo(new int[][] {{10, 30}, {20, 40}});
    assertThat(y.slice(Selection.parse("1")).asShortBuffer().get(1)).isEqualTo((short) 40);
    memory[10] = 44;
    assertThat(y.getShort(1, 1)).isEqualTo((short) 44);
    assertThat(slice(structs, "0:0").field("x").toIntArray()).isEmpty();
  }

  @Test
  void objects_have_views_too() {
    NdArray texts = NdArray.ofStrings(DataTypes.STRING, Shape.of(2, 2), "a", "b", "c", "d");
    assertThat(texts.transpose().toStringArray()).containsExactly("a", "c", "b", "d");
    assertThat(slice(texts, "1").toStringArray()).containsExactly("c", "d");
    assertThat(slice(texts, "[1,1],0").toStringArray()).containsExactly("c", "c");
    assertThat(slice(texts, "0:0,1:").toStringArray()).isEmpty();
    assertThat(texts.transpose()).hasToString("string [2, 2]\n[['a' 'c']\n ['b' 'd']]");
  }

  @Test
  void elements_are_copied_to_a_buffer_in_c_order() {
    ByteBuffer heap = ByteBuffer.allocate(20).position(2);
    NdArray column = slice(ROWS, ":,1");
    column.copyTo(heap);
    assertThat(heap.position()).isEqualTo(14);
    assertThat(Arrays.copyOfRange(heap.array(), 0, 15))
        .isEqualTo(new byte[] {0, 0, 1, 0, 0, 0, 5, 0, 0, 0, 9, 0, 0, 0, 0});
    ByteBuffer direct = ByteBuffer.allocateDirect(48);
    ROWS.transpose().copyTo(direct);
    assertThat(Bytes.copyOf(direct.flip())).isEqualTo(ROWS.transpose().bytes());
    assertThatThrownBy(() -> ROWS.copyTo(ByteBuffer.allocate(47)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("int32 of shape [3, 4] has 48 bytes; the buffer has room for 47");
  }

  @Test
  void a_long_row_is_copied_in_parts() {
    int count = 300_000;
    NdArray array =
        NdArray.ofInts(DataTypes.INT32, Shape.of(count), IntStream.range(0, count).toArray());
    NdArray odd = slice(array, "1::2");
    int[] expected = IntStream.range(0, count / 2).map(i -> 2 * i + 1).toArray();
    assertThat(odd.toIntArray()).isEqualTo(expected);
    ByteBuffer buffer = ByteBuffer.allocate(2 * count);
    odd.copyTo(buffer);
    assertThat(Bytes.copyOf(buffer.flip())).isEqualTo(odd.bytes());
  }

  @Test
  void indices_are_passed_in_c_order() {
    List<String> seen = new ArrayList<>();
    NdArray view = slice(ROWS, "1:,::3");
    view.forEachIndex(index -> seen.add(Arrays.toString(index) + view.getInt(index)));
    assertThat(seen).containsExactly("[0, 0]4", "[0, 1]7", "[1, 0]8", "[1, 1]11");
    slice(ROWS, "3:").forEachIndex(index -> seen.add("none"));
    assertThat(seen).hasSize(4);
    NdArray scalar = slice(ROWS, "0,0");
    scalar.forEachIndex(index -> seen.add("rank " + index.length));
    assertThat(seen).endsWith("rank 0");
  }

  @Test
  void matrices_become_nested_arrays() {
    assertThat(slice(ROWS, ":2,:2").toDouble2d()).isEqualTo(new double[][] {{0, 1}, {4, 5}});
    assertThat(slice(ROWS, ":2,:2").toLong2d()).isEqualTo(new long[][] {{0, 1}, {4, 5}});
    assertThat(ROWS.reshape(Shape.of(3, 2, 2)).toDouble3d()[2])
        .isEqualTo(new double[][] {{8, 9}, {10, 11}});
    NdArray floats = NdArray.ofFloats(DataTypes.FLOAT32, Shape.of(1, 2), 1.5f, 2);
    assertThat(floats.toFloat2d()).isEqualTo(new float[][] {{1.5f, 2}});
    assertThat(floats.newAxis(0).toFloat3d()).isEqualTo(new float[][][] {{{1.5f, 2}}});
    assertThat(slice(ROWS, "0:0").toInt2d()).isEmpty();
    assertThatThrownBy(() -> slice(ROWS, "0").toInt2d())
        .isInstanceOf(IllegalArgumentException.class);
  }
}
