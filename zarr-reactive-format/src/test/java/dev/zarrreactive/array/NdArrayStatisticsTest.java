package dev.zarrreactive.array;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import dev.zarrreactive.datatype.DataTypes;
import dev.zarrreactive.datatype.Datetime64Type;
import dev.zarrreactive.datatype.FillValue;
import dev.zarrreactive.datatype.NumpyUnit;
import dev.zarrreactive.datatype.TimeType;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.math.MathContext;
import java.time.Instant;
import java.util.Arrays;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.NotEmpty;
import org.junit.jupiter.api.Test;

/** The least, the greatest and the mean element. */
class NdArrayStatisticsTest {
  private static NdArray floats(float... values) {
    return NdArray.ofFloats(DataTypes.FLOAT32, Shape.of(values.length), values);
  }

  @Test
  void nan_is_skipped() {
    NdArray array = floats(Float.NaN, 2, -1, Float.NaN, 5);
    assertThat(array.nanMin().orElseThrow().getFloat()).isEqualTo(-1);
    assertThat(array.nanMax().orElseThrow().getFloat()).isEqualTo(5);
    assertThat(array.nanMean()).hasValue(2);
    assertThat(array.nanMin().orElseThrow().shape()).isEqualTo(Shape.SCALAR);
  }

  @Test
  void the_fill_value_is_skipped_where_it_is_named() {
    NdArray array = floats(-9999, 2, Float.NaN, 4);
    FillValue fill = FillValue.of(DataTypes.FLOAT32, -9999L);
    assertThat(array.nanMin().orElseThrow().getFloat()).isEqualTo(-9999);
    assertThat(array.nanMin(fill).orElseThrow().getFloat()).isEqualTo(2);
    assertThat(array.nanMax(fill).orElseThrow().getFloat()).isEqualTo(4);
    assertThat(array.nanMean(fill)).hasValue(3);
    assertThatIllegalArgumentException()
        .isThrownBy(() -> array.nanMin(FillValue.of(DataTypes.INT32, 1L)))
        .withMessage("a fill value of int32 for an array of float32");
  }

  @Test
  void nothing_is_left_of_nan_alone() {
    for (NdArray array : new NdArray[] {floats(), floats(Float.NaN, Float.NaN)}) {
      assertThat(array.nanMin()).isEmpty();
      assertThat(array.nanMax()).isEmpty();
      assertThat(array.nanMean()).isEmpty();
    }
  }

  @Test
  void infinities_count() {
    NdArray array = floats(Float.POSITIVE_INFINITY, 1);
    assertThat(array.nanMax().orElseThrow().getFloat()).isEqualTo(Float.POSITIVE_INFINITY);
    assertThat(array.nanMean()).hasValue(Double.POSITIVE_INFINITY);
  }

  @Test
  void uint64_is_exact() {
    NdArray array = NdArray.ofLongs(DataTypes.UINT64, Shape.of(3), -1, 1, Long.MIN_VALUE);
    assertThat(array.nanMax().orElseThrow().getBigInteger())
        .isEqualTo(BigInteger.ONE.shiftLeft(64).subtract(BigInteger.ONE));
    assertThat(array.nanMin().orElseThrow().getBigInteger()).isEqualTo(BigInteger.ONE);
    assertThat(array.nanMean()).hasValue(0x1p63);
  }

  @Test
  void times_have_a_least_and_a_greatest_and_skip_nat() {
    Datetime64Type days = new Datetime64Type(NumpyUnit.DAY, 1);
    NdArray array = NdArray.ofLongs(days, Shape.of(3), TimeType.NAT, 1, -1);
    assertThat(array.nanMax().orElseThrow().getInstant())
        .isEqualTo(Instant.parse("1970-01-02T00:00:00Z"));
    assertThat(array.nanMin().orElseThrow().getLong()).isEqualTo(-1);
    assertThatThrownBy(array::nanMean).isInstanceOf(UnsupportedOperationException.class);
  }

  @Test
  void types_without_an_order_are_refused() {
    assertThatThrownBy(() -> NdArray.ofBooleans(Shape.of(1), true).nanMin())
        .isInstanceOf(UnsupportedOperationException.class)
        .hasMessage("bool has no order; integers, floats and times do");
    assertThatThrownBy(() -> NdArray.ofComplex(Shape.of(1), 1f, 1f).nanMean())
        .isInstanceOf(UnsupportedOperationException.class);
  }

  @Property
  void integers_are_those_of_exact_arithmetic(@ForAll @NotEmpty long[] values) {
    Shape shape = Shape.of(values.length);
    for (boolean signed : new boolean[] {true, false}) {
      NdArray array = NdArray.ofLongs(signed ? DataTypes.INT64 : DataTypes.UINT64, shape, values);
      BigInteger[] exact =
          Arrays.stream(values)
              .mapToObj(v -> new BigInteger(signed ? "" + v : Long.toUnsignedString(v)))
              .sorted()
              .toArray(BigInteger[]::new);
      BigInteger sum = Arrays.stream(exact).reduce(BigInteger.ZERO, BigInteger::add);
      double mean =
          new BigDecimal(sum)
              .divide(BigDecimal.valueOf(values.length), new MathContext(60))
              .doubleValue();
      assertThat(array.nanMin().orElseThrow().getBigInteger()).isEqualTo(exact[0]);
      assertThat(array.nanMax().orElseThrow().getBigInteger()).isEqualTo(exact[exact.length - 1]);
      assertThat(array.nanMean()).hasValue(mean);
    }
  }

  @Property
  void floats_of_views_are_those_of_a_stream(@ForAll @NotEmpty float[] values) {
    float[] twice = new float[2 * values.length];
    for (int i = 0; i < values.length; i++) {
      twice[2 * i] = values[i];
      twice[2 * i + 1] = 1e30f;
    }
    Axis every = new Axis.Range(0, values.length, 2, false);
    NdArray view =
        floats(twice).slice(shape -> new ResolvedSelection.Orthogonal(java.util.List.of(every)));
    float[] sorted = values.clone();
    Arrays.sort(sorted);
    assertThat(view.nanMin().orElseThrow().getFloat()).isEqualTo(sorted[0]);
    assertThat(view.nanMax().orElseThrow().getFloat()).isEqualTo(sorted[sorted.length - 1]);
    double mean = view.nanMean().orElseThrow();
    double scale = Math.max(Math.abs(sorted[0]), Math.abs(sorted[sorted.length - 1]));
    BigDecimal exact = BigDecimal.ZERO;
    for (float value : values) {
      exact = exact.add(new BigDecimal(value));
    }
    double expected =
        exact.divide(BigDecimal.valueOf(values.length), MathContext.DECIMAL128).doubleValue();
    assertThat(mean).isCloseTo(expected, within(scale * 1e-15 + Double.MIN_VALUE));
  }
}
