package dev.zarrreactive.array.selection;

import static dev.zarrreactive.array.selection.DimensionSelection.at;
import static dev.zarrreactive.array.selection.DimensionSelection.ellipsis;
import static dev.zarrreactive.array.selection.DimensionSelection.from;
import static dev.zarrreactive.array.selection.DimensionSelection.full;
import static dev.zarrreactive.array.selection.DimensionSelection.indices;
import static dev.zarrreactive.array.selection.DimensionSelection.mask;
import static dev.zarrreactive.array.selection.DimensionSelection.slice;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.zarrreactive.array.Axis;
import dev.zarrreactive.array.NdArray;
import dev.zarrreactive.array.ResolvedSelection;
import dev.zarrreactive.array.Shape;
import dev.zarrreactive.base.Bytes;
import dev.zarrreactive.datatype.DataTypes;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SelectionResolveTest {
  private static final Shape SHAPE = Shape.of(10, 4, 6);

  @ParameterizedTest(name = "{0} of [10, 4, 6]")
  @CsvSource(
      delimiter = '|',
      value = {
        "...            | 0:10,0:4,0:6     | [10, 4, 6]",
        "2              | 2,0:4,0:6        | [4, 6]",
        "-1,-1,-1       | 9,3,5            | []",
        "...,-2         | 0:10,0:4,4       | [10, 4]",
        "1,...,2        | 1,0:4,2          | [4]",
        "1,2,3,...      | 1,2,3            | []",
        "::3,1:3,-2:    | 0:10:3,1:3,4:6   | [4, 2, 2]",
        "1::100         | 1:2,0:4,0:6      | [1, 4, 6]",
        "5:5            | 5:5,0:4,0:6      | [0, 4, 6]",
        "10:            | 10:10,0:4,0:6    | [0, 4, 6]",
        "7:3            | 7:7,0:4,0:6      | [0, 4, 6]",
        "-10:10         | 0:10,0:4,0:6     | [10, 4, 6]",
        "[3,-1,3],:,[]  | [3, 9, 3],0:4,[] | [3, 4, 0]",
      })
  void gives_absolute_indices_for_every_dimension(String notation, String resolved, String shape) {
    ResolvedSelection selection = Selection.parse(notation).resolve(SHAPE);
    assertThat(selection).hasToString(resolved);
    assertThat(selection.shape()).hasToString(shape);
  }

  @ParameterizedTest(name = "{0} of [10, 4, 6]")
  @CsvSource(
      delimiter = '|',
      value = {
        "10          | index 10 is out of bounds for dimension 0 of extent 10",
        "-11         | index -11 is out of bounds for dimension 0 of extent 10",
        "...,6       | index 6 is out of bounds for dimension 2 of extent 6",
        ":,0:5       | slice 0:5 is out of bounds for dimension 1 of extent 4",
        "0:100       | slice 0:100 is out of bounds for dimension 0 of extent 10",
        "11:         | slice 11: is out of bounds for dimension 0 of extent 10",
        ":-11        | slice :-11 is out of bounds for dimension 0 of extent 10",
        "12:11:2     | slice 12:11:2 is out of bounds for dimension 0 of extent 10",
        "0,[1,4,2]   | index 4 is out of bounds for dimension 1 of extent 4",
        "0,[1,-5,2]  | index -5 is out of bounds for dimension 1 of extent 4",
        "0,0,0,0     | selection 0,0,0,0 is of rank 4, an array of shape [10, 4, 6] of rank 3",
        "0,0,...,0,0 | selection 0,0,...,0,0 is of rank 4",
      })
  void nothing_is_clipped(String notation, String message) {
    Selection selection = Selection.parse(notation);
    assertThatThrownBy(() -> selection.resolve(SHAPE))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining(message);
  }

  @Test
  void an_extent_may_be_as_large_as_a_long() {
    Shape huge = Shape.of(Long.MAX_VALUE);
    assertThat(Selection.parse("-1").resolve(huge)).hasToString("9223372036854775806");
    Axis.Range axis = axis(Selection.parse("1::9223372036854775807").resolve(huge));
    assertThat(axis).isEqualTo(new Axis.Range(1, 1, 1, false));
    axis = axis(Selection.parse("::4611686018427387904").resolve(huge));
    assertThat(axis).isEqualTo(new Axis.Range(0, 2, 1L << 62, false));
    assertThatThrownBy(() -> Selection.parse("-9223372036854775808").resolve(huge))
        .isInstanceOf(IllegalArgumentException.class);
  }

  private static Axis.Range axis(ResolvedSelection selection) {
    return (Axis.Range) ((ResolvedSelection.Orthogonal) selection).axes().get(0);
  }

  @Test
  void a_scalar_is_selected_by_nothing_or_an_ellipsis() {
    assertThat(Selection.of().resolve(Shape.SCALAR).shape()).isEqualTo(Shape.SCALAR);
    assertThat(Selection.all().resolve(Shape.SCALAR).shape()).isEqualTo(Shape.SCALAR);
    assertThatThrownBy(() -> Selection.of(full()).resolve(Shape.SCALAR))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("selection : is of rank 1, an array of shape [] of rank 0");
  }

  @Test
  void an_ellipsis_stands_once() {
    assertThatThrownBy(() -> Selection.of(ellipsis(), at(0), ellipsis()))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("more than one ellipsis in ...,0,...");
  }

  @Test
  void steps_are_positive() {
    assertThatThrownBy(() -> slice(5, 0, -1))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("the step of a slice is positive, not -1");
    assertThatThrownBy(() -> slice(0, 5, 0)).isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void a_mask_of_one_dimension_takes_where_it_is_true() {
    Selection selection = Selection.of(from(8), mask(false, true, false, true));
    assertThat(selection).hasToString("8:,mask(2 of 4)");
    assertThat(selection.resolve(SHAPE)).hasToString("8:10,[1, 3],0:6");
    assertThat(selection.resolve(SHAPE).shape()).isEqualTo(Shape.of(2, 2, 6));
    assertThatThrownBy(() -> Selection.of(mask(true)).resolve(SHAPE))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("a mask of 1 entries does not fit dimension 0 of extent 10");
  }

  @Test
  void a_box_lies_at_an_absolute_offset() {
    Selection box = Selection.box(new long[] {8, 0, 6}, new long[] {2, 4, 0});
    assertThat(box).hasToString("8:10,0:4,6:6");
    assertThat(box.resolve(SHAPE)).hasToString("8:10,0:4,6:6");
    assertThatThrownBy(() -> box.resolve(Shape.of(9, 4, 6)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("slice 8:10 is out of bounds for dimension 0 of extent 9");
    assertThatThrownBy(() -> box.resolve(Shape.of(10, 4)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("a box of rank 3 in an array of shape [10, 4]");
    assertThatThrownBy(() -> Selection.box(new long[] {1}, new long[] {1, 1}))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> Selection.box(new long[] {0, -1}, new long[] {1, 1}))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("in dimension 1");
    assertThatThrownBy(() -> Selection.box(new long[] {1}, new long[] {Long.MAX_VALUE}))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("beyond 2^63");
    assertThat(Selection.box(new long[0], new long[0]).resolve(Shape.SCALAR).shape())
        .isEqualTo(Shape.SCALAR);
  }

  @Test
  void points_come_in_their_order() {
    Selection selection = Selection.points(new long[] {9, 0, 5}, new long[] {-10, 3, -1});
    assertThat(selection).hasToString("points[[9, 0, 5], [-10, 3, -1]]");
    ResolvedSelection.Points points = (ResolvedSelection.Points) selection.resolve(SHAPE);
    assertThat(points.shape()).isEqualTo(Shape.of(2));
    assertThat(points.rank()).isEqualTo(3);
    assertThat(points.index(0, 1)).isZero();
    assertThat(points.index(1, 1)).isEqualTo(3);
    assertThat(points.index(2, 1)).isEqualTo(5);
  }

  @Test
  void a_point_out_of_bounds_is_named() {
    assertThatThrownBy(
            () -> Selection.points(new long[] {0, 0, 0}, new long[] {0, 4, 0}).resolve(SHAPE))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("point 1 at [0, 4, 0] is out of bounds for dimension 1 of extent 4");
    assertThatThrownBy(() -> Selection.points(new long[] {0, 0}).resolve(SHAPE))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("points of rank 2 in an array of shape [10, 4, 6]");
    assertThatThrownBy(() -> Selection.points(new long[] {0, 0}, new long[] {0}))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("point 1 at [0]");
  }

  @Test
  void no_points_select_nothing_of_any_array() {
    assertThat(Selection.points().resolve(SHAPE).shape()).isEqualTo(Shape.of(0));
    assertThat(Selection.points().resolve(Shape.SCALAR).shape()).isEqualTo(Shape.of(0));
  }

  @Test
  void a_scalar_has_one_point_which_may_repeat() {
    ResolvedSelection points = Selection.points(new long[0], new long[0]).resolve(Shape.SCALAR);
    assertThat(points.shape()).isEqualTo(Shape.of(2));
  }

  @Test
  void a_mask_of_the_whole_array_gives_points_in_c_order() {
    NdArray mask = NdArray.ofBooleans(Shape.of(2, 3), false, true, false, true, false, true);
    Selection selection = Selection.mask(mask);
    assertThat(selection).hasToString("mask(3 of 6)");
    ResolvedSelection.Points points = (ResolvedSelection.Points) selection.resolve(Shape.of(2, 3));
    assertThat(points.count()).isEqualTo(3);
    assertThat(new long[] {points.index(0, 0), points.index(1, 0)}).containsExactly(0, 1);
    assertThat(new long[] {points.index(0, 1), points.index(1, 1)}).containsExactly(1, 0);
    assertThat(new long[] {points.index(0, 2), points.index(1, 2)}).containsExactly(1, 2);
  }

  @Test
  void a_mask_has_the_arrays_shape_and_is_of_bool() {
    Selection selection = Selection.mask(NdArray.ofBooleans(Shape.of(2), true, true));
    assertThatThrownBy(() -> selection.resolve(Shape.of(2, 1)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("a mask of shape [2] does not fit an array of shape [2, 1]");
    assertThatThrownBy(() -> Selection.mask(NdArray.scalar(DataTypes.UINT8, 1)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("a mask is an array of bool, not of uint8");
  }

  @Test
  void any_byte_but_zero_is_true_in_a_mask() {
    NdArray mask =
        NdArray.wrap(DataTypes.BOOL, Shape.of(3), Bytes.wrap(new byte[] {0, 2, (byte) 0x80}));
    assertThat(Selection.mask(mask).resolve(Shape.of(3)).shape()).isEqualTo(Shape.of(2));
  }

  @Test
  void masks_of_scalars_and_of_empty_arrays() {
    NdArray yes = NdArray.ofBooleans(Shape.SCALAR, true);
    assertThat(Selection.mask(yes).resolve(Shape.SCALAR).shape()).isEqualTo(Shape.of(1));
    NdArray no = NdArray.ofBooleans(Shape.SCALAR, false);
    assertThat(Selection.mask(no).resolve(Shape.SCALAR).shape()).isEqualTo(Shape.of(0));
    NdArray none = NdArray.ofBooleans(Shape.of(3, 0));
    assertThat(Selection.mask(none).resolve(Shape.of(3, 0)).shape()).isEqualTo(Shape.of(0));
  }

  @Test
  void what_a_program_passes_is_copied() {
    long[] list = {1, 2};
    boolean[] truth = {true, true, false, false};
    long[] point = {0, 0, 0};
    Selection lists = Selection.of(indices(list), mask(truth));
    Selection points = Selection.points(point);
    list[0] = 99;
    truth[3] = true;
    point[0] = 99;
    assertThat(lists.resolve(SHAPE)).hasToString("[1, 2],[0, 1],0:6");
    assertThat(points.resolve(SHAPE).shape()).isEqualTo(Shape.of(1));
  }

  @Test
  void equal_selections_are_equal() {
    assertThat(Selection.of(mask(true, false))).isEqualTo(Selection.of(mask(true, false)));
    assertThat(Selection.of(mask(true))).isNotEqualTo(Selection.of(mask(false)));
    assertThat(Selection.points(new long[] {1})).isEqualTo(Selection.points(new long[] {1}));
    assertThat(Selection.points(new long[] {1})).isNotEqualTo(Selection.points(new long[] {2}));
    assertThat(Selection.box(new long[] {1}, new long[] {2}))
        .isEqualTo(Selection.box(new long[] {1}, new long[] {2}))
        .isNotEqualTo(Selection.box(new long[] {1}, new long[] {3}));
    assertThat(Selection.of(indices(1))).isNotEqualTo(Selection.of(indices(2)));
  }
}
