package dev.zarrreactive.array;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.zarrreactive.base.Bytes;
import dev.zarrreactive.datatype.DataType;
import dev.zarrreactive.datatype.DataTypes;
import dev.zarrreactive.datatype.FillValue;
import dev.zarrreactive.extension.NamedConfiguration;
import java.util.HexFormat;
import org.junit.jupiter.api.Test;

class NdArrayTest {

  /** An array of zeros of the data type with this name. */
  static NdArray zeros(String dataType, Shape shape) {
    DataType type = DataTypes.parse(NamedConfiguration.of(dataType));
    return NdArray.filled(shape, FillValue.zero(type));
  }

  private static String hex(NdArray array) {
    return HexFormat.of().formatHex(array.bytes().toByteArray());
  }

  @Test
  void values_become_little_endian_images() {
    assertThat(hex(NdArray.ofBooleans(Shape.of(3), true, false, true))).isEqualTo("010001");
    assertThat(hex(NdArray.ofBytes(DataTypes.INT8, Shape.of(2), (byte) -1, (byte) 2)))
        .isEqualTo("ff02");
    assertThat(hex(NdArray.ofShorts(DataTypes.UINT16, Shape.of(1), (short) 0x0102)))
        .isEqualTo("0201");
    assertThat(hex(NdArray.ofShorts(DataTypes.FLOAT16, Shape.of(1), (short) 0x7c01)))
        .isEqualTo("017c");
    assertThat(hex(NdArray.ofInts(DataTypes.INT32, Shape.of(1), 0x01020304))).isEqualTo("04030201");
    assertThat(hex(NdArray.ofLongs(DataTypes.INT64, Shape.of(1), 0x0102030405060708L)))
        .isEqualTo("0807060504030201");
    assertThat(hex(NdArray.ofFloats(DataTypes.FLOAT32, Shape.of(1), 1))).isEqualTo("0000803f");
    assertThat(hex(NdArray.ofFloats(DataTypes.FLOAT16, Shape.of(2), 0.1f, 65520f)))
        .isEqualTo("662e007c");
    assertThat(hex(NdArray.ofDoubles(Shape.of(1), 1))).isEqualTo("000000000000f03f");
    assertThat(hex(NdArray.ofComplex(Shape.of(1), 1f, -2f))).isEqualTo("0000803f000000c0");
    assertThat(hex(NdArray.ofComplex(Shape.of(1), 0.0, 1.0)))
        .isEqualTo("0000000000000000000000000000f03f");
  }

  @Test
  void the_number_of_values_is_that_of_the_shape() {
    assertThatThrownBy(() -> NdArray.ofInts(DataTypes.INT32, Shape.of(2, 3), 1, 2, 3))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("int32 of shape [2, 3] takes 6 values, not 3");
    assertThatThrownBy(() -> NdArray.ofComplex(Shape.of(2), 1f, 2f))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("complex64 of shape [2] takes 4 values, not 2");
    assertThatThrownBy(() -> NdArray.wrap(DataTypes.INT16, Shape.of(2), Bytes.utf8("abc")))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("int16 of shape [2] has 4 bytes, not 3");
  }

  @Test
  void a_factory_makes_the_types_that_its_values_are() {
    assertThatThrownBy(() -> NdArray.ofInts(DataTypes.FLOAT32, Shape.of(1), 1))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("ofInts makes int32 or uint32, not float32");
    assertThatThrownBy(() -> NdArray.ofFloats(DataTypes.FLOAT64, Shape.of(1), 1))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("ofFloats supports floats of up to 32 bits, not float64");
  }

  @Test
  void scalars_have_no_dimension() {
    assertThat(NdArray.scalar(DataTypes.UINT8, 200).getInt()).isEqualTo(200);
    assertThat(NdArray.scalar(DataTypes.FLOAT32, 0.5).getFloat()).isEqualTo(0.5f);
    assertThat(NdArray.scalar(DataTypes.COMPLEX64, 3).getReal()).isEqualTo(3.0);
    assertThat(NdArray.ofInts(DataTypes.INT32, Shape.SCALAR, 5).getInt()).isEqualTo(5);
    assertThatThrownBy(() -> NdArray.scalar(DataTypes.UINT8, 256))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("from 0 to 255, found 256");
  }

  @Test
  void filled_arrays_have_the_fill_value_everywhere() {
    NdArray array = NdArray.filled(Shape.of(2, 3), FillValue.of(DataTypes.INT16, -2));
    assertThat(array.toIntArray()).containsExactly(-2, -2, -2, -2, -2, -2);
    assertThat(NdArray.filled(Shape.of(0), FillValue.of(DataTypes.INT16, -2)).bytes().size())
        .isZero();
  }

  @Test
  void reshaping_copies_nothing() {
    NdArray array = NdArray.ofInts(DataTypes.INT32, Shape.of(2, 3), 0, 1, 2, 3, 4, 5);
    NdArray other = array.reshape(Shape.of(3, 1, 2));
    assertThat(other.getInt(2, 0, 1)).isEqualTo(5);
    assertThat(other.bytes()).isSameAs(array.bytes());
    assertThatThrownBy(() -> array.reshape(Shape.of(4)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("an array of shape [2, 3] cannot have shape [4]");
  }

  @Test
  void arrays_are_equal_bit_for_bit() {
    NdArray nan = NdArray.ofFloats(DataTypes.FLOAT32, Shape.of(1), Float.NaN);
    assertThat(nan)
        .isEqualTo(NdArray.ofFloats(DataTypes.FLOAT32, Shape.of(1), Float.NaN))
        .hasSameHashCodeAs(NdArray.ofFloats(DataTypes.FLOAT32, Shape.of(1), Float.NaN))
        .isNotEqualTo(nan.reshape(Shape.SCALAR))
        .isNotEqualTo(NdArray.ofInts(DataTypes.INT32, Shape.of(1), 0x7fc00000));
    assertThat(NdArray.ofDoubles(Shape.of(1), 0.0))
        .isNotEqualTo(NdArray.ofDoubles(Shape.of(1), -0.0));
  }
}
