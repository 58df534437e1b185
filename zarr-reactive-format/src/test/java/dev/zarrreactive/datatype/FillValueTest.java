package dev.zarrreactive.datatype;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Arrays;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.Size;
import org.junit.jupiter.api.Test;

class FillValueTest {

  @Property
  void fill_writes_whole_elements_and_nothing_else(
      @ForAll @Size(min = 1, max = 20) byte[] image,
      @ForAll @IntRange(max = 40) int elements,
      @ForAll @IntRange(max = 5) int offset) {
    FillValue value = FillValue.of(DataTypes.raw(8 * image.length), image);
    int length = elements * image.length;
    byte[] target = new byte[offset + length + 3];
    Arrays.fill(target, (byte) 0x5a);
    byte[] expected = target.clone();
    for (int i = 0; i < length; i++) {
      expected[offset + i] = image[i % image.length];
    }

    value.fill(target, offset, length);

    assertThat(target).isEqualTo(expected);
    assertThat(value.isAll(target, offset, length)).isTrue();
  }

  @Property
  void one_other_byte_is_seen(
      @ForAll @Size(min = 1, max = 20) byte[] image,
      @ForAll @IntRange(min = 1, max = 40) int elements,
      @ForAll @IntRange(max = 799) int place) {
    FillValue value = FillValue.of(DataTypes.raw(8 * image.length), image);
    byte[] target = new byte[1 + elements * image.length];
    value.fill(target, 1, target.length - 1);
    target[1 + place % (target.length - 1)] ^= 0x10;
    assertThat(value.isAll(target, 1, target.length - 1)).isFalse();
  }

  @Test
  void no_elements_are_all_fill_value() {
    assertThat(FillValue.of(DataTypes.INT32, 7).isAll(new byte[0], 0, 0)).isTrue();
  }

  @Test
  void negative_zero_is_not_zero() {
    FillValue negative = FillValue.of(DataTypes.FLOAT32, -0.0);
    assertThat(negative.isZero()).isFalse();
    assertThat(negative).isNotEqualTo(FillValue.zero(DataTypes.FLOAT32));
    assertThat(negative.isAll(new byte[8], 0, 8)).isFalse();
    assertThat(negative.isAll(new byte[] {0, 0, 0, (byte) 0x80}, 0, 4)).isTrue();
  }

  @Test
  void a_nan_is_all_of_its_own_bits_only() {
    FillValue nan = FillValue.of(DataTypes.FLOAT16, Double.NaN);
    assertThat(nan.isAll(new byte[] {0, 0x7e, 0, 0x7e}, 0, 4)).isTrue();
    assertThat(nan.isAll(new byte[] {0, 0x7e, 1, 0x7e}, 0, 4)).isFalse();
  }

  @Test
  void half_an_element_is_refused() {
    FillValue value = FillValue.of(DataTypes.INT32, 7);
    assertThatThrownBy(() -> value.fill(new byte[8], 0, 6))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("6 bytes are not a whole number of elements of int32");
    assertThatThrownBy(() -> value.isAll(new byte[8], 0, 3))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> FillValue.of(DataTypes.INT32, new byte[3]))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("int32 has 4 bytes, not 3");
  }

  @Test
  void its_image_is_a_copy() {
    byte[] image = {1, 2};
    FillValue value = FillValue.of(DataTypes.UINT16, image);
    image[0] = 9;
    value.image()[1] = 9;
    assertThat(value.image()).containsExactly(1, 2);
  }

  @Test
  void programs_make_it_from_numbers() {
    assertThat(FillValue.of(DataTypes.UINT8, 255)).hasToString("255");
    assertThat(FillValue.of(DataTypes.FLOAT32, 16777217)).hasToString("1.6777216E7");
    assertThat(FillValue.of(DataTypes.FLOAT16, 0.1)).hasToString("0.1");
    assertThat(FillValue.of(DataTypes.FLOAT64, Double.NEGATIVE_INFINITY))
        .hasToString("\"-Infinity\"");
    assertThat(FillValue.of(DataTypes.COMPLEX64, 1.5)).hasToString("[1.5,0.0]");
    assertThat(FillValue.of(true)).hasToString("true");
    assertThat(FillValue.of(false).isZero()).isTrue();
  }

  @Test
  void a_number_that_the_type_does_not_hold_is_an_argument_error() {
    assertThatThrownBy(() -> FillValue.of(DataTypes.UINT8, 256))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("an integer from 0 to 255, found 256");
    assertThatThrownBy(() -> FillValue.of(DataTypes.INT32, 1.5))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> FillValue.of(DataTypes.FLOAT32, 1e39))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("beyond the range of float32");
    assertThatThrownBy(() -> FillValue.of(DataTypes.BOOL, 1))
        .isInstanceOf(IllegalArgumentException.class);
  }

  @Property
  void a_double_becomes_the_nearest_float(@ForAll double value) {
    float nearest = (float) value;
    if (Float.isFinite(nearest)) {
      byte[] image = FillValue.of(DataTypes.FLOAT32, value).image();
      assertThat(new FloatType(FloatFormat.FLOAT32).toDouble(image, 0)).isEqualTo((double) nearest);
    }
  }
}
