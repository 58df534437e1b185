package dev.zarrreactive.array.selection;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.zarrreactive.array.NdArray;
import dev.zarrreactive.array.Shape;
import dev.zarrreactive.datatype.DataTypes;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** NumPy's clipping, where it is asked for. */
class ClippedSelectionTest {
  private static final NdArray FIVE = NdArray.ofInts(DataTypes.INT32, Shape.of(5), 0, 1, 2, 3, 4);

  @ParameterizedTest
  @CsvSource(
      delimiter = ';',
      value = {
        "0:99999; 0 1 2 3 4",
        "3:7; 3 4",
        "-9:2; 0 1",
        "-9:; 0 1 2 3 4",
        "7:9; ''",
        "7:; ''",
        ":-9; ''",
        "1:99:2; 1 3",
        "-99:99:3; 0 3",
        "...; 0 1 2 3 4",
        "1:3; 1 2"
      })
  void ends_of_slices_outside_of_the_array_mean_its_ends(String notation, String expected) {
    NdArray clipped = FIVE.slice(Selection.parse(notation).clipped());
    int[] numbers =
        expected.isEmpty()
            ? new int[0]
            : java.util.Arrays.stream(expected.split(" ")).mapToInt(Integer::parseInt).toArray();
    assertThat(clipped.toIntArray()).isEqualTo(numbers);
  }

  @Test
  void boxes_are_clipped() {
    Selection box = Selection.box(new long[] {3}, new long[] {9});
    assertThat(FIVE.slice(box.clipped()).toIntArray()).containsExactly(3, 4);
    assertThat(box.clipped()).isNotEqualTo(box).isEqualTo(box.clipped());
    assertThatThrownBy(() -> FIVE.slice(box)).isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void indices_lists_points_and_masks_stay_strict() {
    for (String strict : new String[] {"5", "-6", "[0,5]"}) {
      assertThatThrownBy(() -> FIVE.slice(Selection.parse(strict).clipped()))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("out of bounds for dimension 0 of extent 5");
    }
    assertThatThrownBy(() -> FIVE.slice(Selection.points(new long[] {5}).clipped()))
        .isInstanceOf(IllegalArgumentException.class);
    NdArray mask = NdArray.ofBooleans(Shape.of(1), true);
    assertThatThrownBy(() -> FIVE.slice(Selection.mask(mask).clipped()))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> FIVE.slice(Selection.parse("0:9")))
        .isInstanceOf(IllegalArgumentException.class);
  }
}
