package dev.zarrreactive.array;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.zarrreactive.base.Bytes;
import dev.zarrreactive.datatype.DataType;
import dev.zarrreactive.datatype.DataTypes;
import dev.zarrreactive.datatype.FloatType;
import dev.zarrreactive.datatype.IntegerType;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.List;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.constraints.Size;
import org.junit.jupiter.api.Test;

/** Casts to other types of numbers. */
class NdArrayCastTest {
  private static NdArray doubles(double... values) {
    return NdArray.ofDoubles(Shape.of(values.length), values);
  }

  @Test
  void floats_become_integers_towards_zero() {
    assertThat(doubles(1.9, -1.9, 2.5, -0.5, 255.99).cast(DataTypes.INT16).toIntArray())
        .containsExactly(1, -1, 2, 0, 255);
    assertThat(doubles(-0.9).cast(DataTypes.UINT8).toIntArray()).containsExactly(0);
    assertThat(doubles(0x1p63).cast(DataTypes.UINT64).getUnsignedLong(0)).isEqualTo(Long.MIN_VALUE);
  }

  @Test
  void numbers_become_the_nearest_float_with_ties_to_even() {
    NdArray longs =
        NdArray.ofLongs(DataTypes.INT64, Shape.of(3), (1L << 24) + 1, (1L << 24) + 3, -7);
    assertThat(longs.cast(DataTypes.FLOAT32).toFloatArray())
        .containsExactly(0x1p24f, 0x1p24f + 4, -7);
    assertThat(doubles(0.1, -0.0, Double.NaN).cast(DataTypes.FLOAT32).toFloatArray())
        .containsExactly(0.1f, -0.0f, Float.NaN);
    NdArray unsigned = NdArray.ofLongs(DataTypes.UINT64, Shape.of(1), -1);
    assertThat(unsigned.cast(DataTypes.FLOAT64).getDouble(0)).isEqualTo(0x1p64);
    assertThat(doubles(Double.NEGATIVE_INFINITY).cast(DataTypes.FLOAT16).getFloat(0))
        .isEqualTo(Float.NEGATIVE_INFINITY);
  }

  @Test
  void a_bool_becomes_0_or_1() {
    NdArray bools = NdArray.wrap(DataTypes.BOOL, Shape.of(3), Bytes.wrap(new byte[] {0, 1, 9}));
    assertThat(bools.cast(DataTypes.INT32).toIntArray()).containsExactly(0, 1, 1);
    assertThat(bools.cast(DataTypes.FLOAT64).toDoubleArray()).containsExactly(0, 1, 1);
  }

  @Test
  void numbers_out_of_range_are_refused_with_their_index() {
    NdArray wide = NdArray.ofInts(DataTypes.INT32, Shape.of(2, 2), 0, 1, 2, 300);
    assertThatThrownBy(() -> wide.cast(DataTypes.UINT8))
        .isInstanceOf(ArithmeticException.class)
        .hasMessage(
            "element [1, 1] of int32 cannot be cast to uint8: 300 is outside the range of uint8");
    assertThatThrownBy(() -> doubles(1, Double.NaN).cast(DataTypes.INT64))
        .isInstanceOf(ArithmeticException.class)
        .hasMessageContaining("element [1] of float64 cannot be cast to int64")
        .hasMessageEndingWith("is not an integer");
    assertThatThrownBy(() -> doubles(Double.POSITIVE_INFINITY).cast(DataTypes.INT64))
        .isInstanceOf(ArithmeticException.class);
    assertThatThrownBy(() -> doubles(1e300).cast(DataTypes.FLOAT32))
        .isInstanceOf(ArithmeticException.class)
        .hasMessageContaining("is outside the range of float32");
    assertThatThrownBy(() -> doubles(-1).cast(DataTypes.UINT32))
        .isInstanceOf(ArithmeticException.class);
  }

  @Test
  void other_types_are_refused() {
    NdArray complex = NdArray.ofComplex(Shape.of(1), 1f, 2f);
    assertThatThrownBy(() -> complex.cast(DataTypes.FLOAT32))
        .isInstanceOf(UnsupportedOperationException.class)
        .hasMessage(
            "complex64 cannot be cast to float32; integers, floats and bool can be cast to"
                + " integers and floats");
    assertThatThrownBy(() -> doubles(1).cast(DataTypes.BOOL))
        .isInstanceOf(UnsupportedOperationException.class);
    NdArray texts = NdArray.ofStrings(DataTypes.STRING, Shape.of(1), "1");
    assertThatThrownBy(() -> texts.cast(DataTypes.INT8))
        .isInstanceOf(UnsupportedOperationException.class);
    assertThat(texts.cast(DataTypes.STRING)).isSameAs(texts);
  }

  @Test
  void a_view_is_cast_in_its_order() {
    NdArray matrix = NdArray.ofInts(DataTypes.INT32, Shape.of(2, 2), 1, 2, 3, 4);
    assertThat(matrix.transpose().cast(DataTypes.FLOAT64).toDouble2d())
        .isEqualTo(new double[][] {{1, 3}, {2, 4}});
  }

  @Provide
  Arbitrary<DataType> integers() {
    return Arbitraries.of(
        DataTypes.INT8,
        DataTypes.UINT8,
        DataTypes.INT16,
        DataTypes.UINT16,
        DataTypes.INT32,
        DataTypes.UINT32,
        DataTypes.INT64,
        DataTypes.UINT64,
        DataTypes.INT4,
        DataTypes.UINT2);
  }

  @Provide
  Arbitrary<DataType> floats() {
    return Arbitraries.of(DataTypes.FLOAT16, DataTypes.FLOAT32, DataTypes.FLOAT64);
  }

  @Property(tries = 2000)
  void casts_to_integers_truncate_or_are_refused(
      @ForAll("integers") DataType to,
      @ForAll boolean fromFloat,
      @ForAll @Size(8) byte[] bits,
      @ForAll("integers") DataType integer,
      @ForAll("floats") DataType real) {
    DataType from = fromFloat ? real : integer;
    NdArray one = NdArray.wrap(from, Shape.of(1), Bytes.wrap(bits, 0, from.itemSize()));
    BigDecimal exact = exact(one);
    BigInteger truncated = exact == null ? null : exact.toBigInteger();
    IntegerType type = (IntegerType) to;
    if (truncated == null
        || truncated.compareTo(type.min()) < 0
        || truncated.compareTo(type.max()) > 0) {
      if (!from.equals(to)) {
        assertThatThrownBy(() -> one.cast(to)).isInstanceOf(ArithmeticException.class);
      }
    } else {
      assertThat(one.cast(to).getBigInteger(0)).isEqualTo(truncated);
    }
  }

  @Property(tries = 1000)
  void casts_to_doubles_and_floats_are_those_of_exact_numbers(
      @ForAll("integers") DataType from, @ForAll @Size(8) byte[] bits) {
    NdArray one = NdArray.wrap(from, Shape.of(1), Bytes.wrap(bits, 0, from.itemSize()));
    BigInteger exact = one.getBigInteger(0);
    assertThat(one.cast(DataTypes.FLOAT64).getDouble(0)).isEqualTo(exact.doubleValue());
    assertThat(one.cast(DataTypes.FLOAT32).getFloat(0)).isEqualTo(exact.floatValue());
  }

  /** The exact value, null for NaN and infinities. */
  private static BigDecimal exact(NdArray one) {
    if (one.dataType() instanceof FloatType) {
      double value = one.getDouble(0);
      return Double.isFinite(value) ? new BigDecimal(value) : null;
    }
    return new BigDecimal(one.getBigInteger(0));
  }

  @Test
  void there_are_types_to_cast() {
    assertThat(List.of(DataTypes.INT4, DataTypes.UINT2))
        .allSatisfy(type -> assertThat(doubles(1).cast(type).getByte(0)).isEqualTo((byte) 1));
  }
}
