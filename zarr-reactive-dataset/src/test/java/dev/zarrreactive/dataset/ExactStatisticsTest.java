package dev.zarrreactive.dataset;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.within;

import dev.zarrreactive.array.Axis;
import dev.zarrreactive.array.NdArray;
import dev.zarrreactive.array.ResolvedSelection;
import dev.zarrreactive.array.Shape;
import dev.zarrreactive.datatype.DataType;
import dev.zarrreactive.datatype.DataTypes;
import dev.zarrreactive.datatype.Datetime64Type;
import dev.zarrreactive.datatype.FillValue;
import dev.zarrreactive.datatype.NumpyUnit;
import dev.zarrreactive.datatype.TimeType;
import dev.zarrreactive.extension.NamedConfiguration;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.math.MathContext;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.function.Function;
import java.util.stream.Collectors;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.NotEmpty;
import net.jqwik.api.constraints.Size;
import org.junit.jupiter.api.Test;

/**
 * ExactStatistics are those of exact arithmetic, whatever the type and however the chunks are cut.
 */
class ExactStatisticsTest {
  private static final MathContext DIGITS = new MathContext(60);

  private static ExactStatistics of(DataType type, NdArray... chunks) {
    ExactStatistics statistics = ExactStatistics.counting(FillValue.zero(type));
    Arrays.stream(chunks).forEach(statistics::add);
    return statistics;
  }

  /** Returns the JSON of an element, which is exact. */
  private static String text(Optional<NdArray> element) {
    return element.orElseThrow().toJson(0).toString();
  }

  private static void check(ExactStatistics found, List<BigDecimal> elements) {
    BigDecimal n = BigDecimal.valueOf(elements.size());
    BigDecimal mean =
        elements.stream().reduce(BigDecimal.ZERO, BigDecimal::add).divide(n, new MathContext(700));
    BigDecimal variance =
        elements.stream()
            .map(element -> element.subtract(mean).pow(2))
            .reduce(BigDecimal.ZERO, BigDecimal::add)
            .divide(n, DIGITS);
    double deviation = variance.sqrt(DIGITS).doubleValue();
    assertThat(found.count()).isEqualTo(elements.size());
    assertThat(found.mean()).hasValue(mean.doubleValue());
    assertThat(found.std().getAsDouble()).isCloseTo(deviation, within(Math.ulp(deviation)));
  }

  @Property(tries = 300)
  void integers_of_64_bits_are_summed_exactly(@ForAll @Size(min = 1, max = 50) long[] elements) {
    ExactStatistics signed =
        of(DataTypes.INT64, NdArray.ofLongs(DataTypes.INT64, Shape.of(elements.length), elements));
    check(signed, exactly(elements, BigInteger::valueOf));
    assertThat(text(signed.min()))
        .isEqualTo(Long.toString(Arrays.stream(elements).min().orElse(0)));
    assertThat(text(signed.max()))
        .isEqualTo(Long.toString(Arrays.stream(elements).max().orElse(0)));
    ExactStatistics unsigned =
        of(
            DataTypes.UINT64,
            NdArray.ofLongs(DataTypes.UINT64, Shape.of(elements.length), elements));
    List<BigDecimal> exact = exactly(elements, bits -> new BigInteger(Long.toUnsignedString(bits)));
    check(unsigned, exact);
    assertThat(text(unsigned.max()))
        .isEqualTo(exact.stream().max(BigDecimal::compareTo).orElseThrow().toString());
  }

  private static List<BigDecimal> exactly(long[] elements, Function<Long, BigInteger> value) {
    return Arrays.stream(elements)
        .mapToObj(element -> new BigDecimal(value.apply(element)))
        .collect(Collectors.toList());
  }

  @Property(tries = 300)
  void floats_of_64_bits_are_summed_exactly(@ForAll @Size(min = 1, max = 20) long[] bits) {
    double[] elements =
        Arrays.stream(bits)
            .mapToDouble(Double::longBitsToDouble)
            .filter(Double::isFinite)
            .toArray();
    if (elements.length > 0) {
      ExactStatistics found =
          of(DataTypes.FLOAT64, NdArray.ofDoubles(Shape.of(elements.length), elements));
      List<BigDecimal> exact = Arrays.stream(elements).mapToObj(BigDecimal::new).toList();
      BigDecimal mean =
          exact.stream()
              .reduce(BigDecimal.ZERO, BigDecimal::add)
              .divide(BigDecimal.valueOf(elements.length), new MathContext(1_200));
      assertThat(found.mean()).hasValue(mean.doubleValue());
    }
  }

  @Property(tries = 200)
  void floats_of_any_cut_and_order_have_the_same_statistics(
      @ForAll @Size(min = 2, max = 40) int[] numbers) {
    double[] elements = Arrays.stream(numbers).mapToDouble(number -> number / 1024.0).toArray();
    int middle = elements.length / 2;
    NdArray first = NdArray.ofDoubles(Shape.of(middle), Arrays.copyOf(elements, middle));
    NdArray second =
        NdArray.ofDoubles(
            Shape.of(elements.length - middle),
            Arrays.copyOfRange(elements, middle, elements.length));
    ExactStatistics forwards = of(DataTypes.FLOAT64, first, second);
    ExactStatistics backwards = of(DataTypes.FLOAT64, second, first);
    check(forwards, Arrays.stream(elements).mapToObj(BigDecimal::new).toList());
    assertThat(backwards.mean()).isEqualTo(forwards.mean());
    assertThat(backwards.std()).isEqualTo(forwards.std());
    assertThat(text(backwards.min())).isEqualTo(text(forwards.min()));
  }

  @Test
  void a_small_deviation_of_large_numbers_is_not_lost() {
    ExactStatistics found =
        of(DataTypes.FLOAT64, NdArray.ofDoubles(Shape.of(3), 1e15, 1e15 + 1, 1e15 + 2));
    assertThat(found.mean()).hasValue(1e15 + 1);
    assertThat(found.std()).hasValue(Math.sqrt(2 / 3.0));
  }

  @Test
  void infinities_are_numbers() {
    double infinity = Double.POSITIVE_INFINITY;
    ExactStatistics one = of(DataTypes.FLOAT64, NdArray.ofDoubles(Shape.of(2), 1, infinity));
    assertThat(one.mean()).hasValue(infinity);
    assertThat(one.std().getAsDouble()).isNaN();
    assertThat(text(one.max())).isEqualTo("\"Infinity\"");
    assertThat(
            of(DataTypes.FLOAT64, NdArray.ofDoubles(Shape.of(2), -infinity, infinity))
                .mean()
                .getAsDouble())
        .isNaN();
  }

  @Test
  void every_numeric_type_has_statistics() {
    for (String name :
        List.of(
            "int2",
            "int4",
            "int8",
            "int16",
            "int32",
            "uint2",
            "uint4",
            "uint8",
            "uint16",
            "uint32",
            "float16",
            "bfloat16",
            "float32",
            "float8_e4m3",
            "float8_e5m2",
            "float4_e2m1fn")) {
      DataType type = DataTypes.parse(NamedConfiguration.of(name));
      ExactStatistics found = of(type, NdArray.filled(Shape.of(3), FillValue.of(type, 1)));
      assertThat(found.mean()).as(name).hasValue(1);
      assertThat(found.std()).as(name).hasValue(0);
      assertThat(found.fillValues()).as(name).isZero();
    }
    ExactStatistics bools =
        of(DataTypes.BOOL, NdArray.ofBooleans(Shape.of(4), true, false, false, false));
    assertThat(bools.mean()).hasValue(0.25);
    assertThat(text(bools.max())).isEqualTo("true");
    assertThat(bools.fillValues()).isEqualTo(3);
  }

  private static NdArray floats(float... values) {
    return NdArray.ofFloats(DataTypes.FLOAT32, Shape.of(values.length), values);
  }

  @Test
  void nan_is_skipped() {
    NdArray array = floats(Float.NaN, 2, -1, Float.NaN, 5);
    assertThat(ExactStatistics.of(array).min().orElseThrow().getFloat()).isEqualTo(-1);
    assertThat(ExactStatistics.of(array).max().orElseThrow().getFloat()).isEqualTo(5);
    assertThat(ExactStatistics.of(array).mean()).hasValue(2);
    assertThat(ExactStatistics.of(array).min().orElseThrow().shape()).isEqualTo(Shape.SCALAR);
  }

  @Test
  void the_fill_value_is_skipped_where_it_is_named() {
    NdArray array = floats(-9999, 2, Float.NaN, 4);
    FillValue fill = FillValue.of(DataTypes.FLOAT32, -9999L);
    assertThat(ExactStatistics.of(array).min().orElseThrow().getFloat()).isEqualTo(-9999);
    assertThat(ExactStatistics.skipping(fill).add(array).min().orElseThrow().getFloat())
        .isEqualTo(2);
    assertThat(ExactStatistics.skipping(fill).add(array).max().orElseThrow().getFloat())
        .isEqualTo(4);
    assertThat(ExactStatistics.skipping(fill).add(array).mean()).hasValue(3);
    assertThatIllegalArgumentException()
        .isThrownBy(() -> ExactStatistics.skipping(FillValue.of(DataTypes.INT32, 1L)).add(array))
        .withMessage("statistics of int32, and an array of float32");
  }

  @Test
  void nothing_is_left_of_nan_alone() {
    for (NdArray array : new NdArray[] {floats(), floats(Float.NaN, Float.NaN)}) {
      assertThat(ExactStatistics.of(array).min()).isEmpty();
      assertThat(ExactStatistics.of(array).max()).isEmpty();
      assertThat(ExactStatistics.of(array).mean()).isEmpty();
    }
  }

  @Test
  void infinities_count() {
    NdArray array = floats(Float.POSITIVE_INFINITY, 1);
    assertThat(ExactStatistics.of(array).max().orElseThrow().getFloat())
        .isEqualTo(Float.POSITIVE_INFINITY);
    assertThat(ExactStatistics.of(array).mean()).hasValue(Double.POSITIVE_INFINITY);
  }

  @Test
  void uint64_is_exact() {
    NdArray array = NdArray.ofLongs(DataTypes.UINT64, Shape.of(3), -1, 1, Long.MIN_VALUE);
    assertThat(ExactStatistics.of(array).max().orElseThrow().getBigInteger())
        .isEqualTo(BigInteger.ONE.shiftLeft(64).subtract(BigInteger.ONE));
    assertThat(ExactStatistics.of(array).min().orElseThrow().getBigInteger())
        .isEqualTo(BigInteger.ONE);
    assertThat(ExactStatistics.of(array).mean()).hasValue(0x1p63);
  }

  @Test
  void times_have_a_least_and_a_greatest_and_skip_nat() {
    Datetime64Type days = new Datetime64Type(NumpyUnit.DAY, 1);
    NdArray array = NdArray.ofLongs(days, Shape.of(3), TimeType.NAT, 1, -1);
    assertThat(ExactStatistics.of(array).max().orElseThrow().getInstant())
        .isEqualTo(Instant.parse("1970-01-02T00:00:00Z"));
    assertThat(ExactStatistics.of(array).min().orElseThrow().getLong()).isEqualTo(-1);
    assertThat(ExactStatistics.of(array).mean()).as("of the counts").hasValue(0);
    assertThat(ExactStatistics.of(array).notNumbers()).isEqualTo(1);
  }

  @Test
  void types_without_an_order_are_refused() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> ExactStatistics.of(NdArray.ofStrings(DataTypes.STRING, Shape.of(1), "a")))
        .withMessage(
            "string has no statistics: its elements are no numbers; integers, floats, bool and"
                + " times have them");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> ExactStatistics.of(NdArray.ofComplex(Shape.of(1), 1f, 1f)))
        .withMessage("complex64 has no order: complex numbers have no least one");
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
      assertThat(ExactStatistics.of(array).min().orElseThrow().getBigInteger()).isEqualTo(exact[0]);
      assertThat(ExactStatistics.of(array).max().orElseThrow().getBigInteger())
          .isEqualTo(exact[exact.length - 1]);
      assertThat(ExactStatistics.of(array).mean()).hasValue(mean);
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
    NdArray view = floats(twice).slice(shape -> new ResolvedSelection.Orthogonal(List.of(every)));
    float[] sorted = values.clone();
    Arrays.sort(sorted);
    assertThat(ExactStatistics.of(view).min().orElseThrow().getFloat()).isEqualTo(sorted[0]);
    assertThat(ExactStatistics.of(view).max().orElseThrow().getFloat())
        .isEqualTo(sorted[sorted.length - 1]);
    BigDecimal exact = BigDecimal.ZERO;
    for (float value : values) {
      exact = exact.add(new BigDecimal(value));
    }
    double expected =
        exact.divide(BigDecimal.valueOf(values.length), new MathContext(400)).doubleValue();
    assertThat(ExactStatistics.of(view).mean()).hasValue(expected);
  }

  @Property(tries = 200)
  void statistics_of_parts_are_combined_to_those_of_all(@ForAll long seed) {
    Random random = new Random(seed);
    for (DataType type : List.of(DataTypes.FLOAT64, DataTypes.INT64, DataTypes.UINT64)) {
      FillValue fill = FillValue.of(type, 3);
      ExactStatistics all = ExactStatistics.counting(fill);
      ExactStatistics combined = ExactStatistics.counting(fill);
      for (int part = 0; part < 4; part++) {
        Shape shape = Shape.of(random.nextInt(5));
        NdArray data;
        if (type.equals(DataTypes.FLOAT64)) {
          data =
              NdArray.ofDoubles(
                  shape,
                  random
                      .longs(shape.extent(0))
                      .mapToDouble(bits -> random.nextBoolean() ? Double.longBitsToDouble(bits) : 3)
                      .toArray());
        } else {
          data =
              NdArray.ofLongs(
                  type,
                  shape,
                  random.longs(shape.extent(0)).map(x -> random.nextBoolean() ? x : 3).toArray());
        }
        long times = 1 + random.nextInt(3);
        all.add(data, times);
        combined.combine(ExactStatistics.counting(fill).add(data, times));
      }
      assertThat(combined.count()).isEqualTo(all.count());
      assertThat(combined.notNumbers()).isEqualTo(all.notNumbers());
      assertThat(combined.fillValues()).isEqualTo(all.fillValues());
      assertThat(combined.exactMean()).isEqualTo(all.exactMean());
      assertThat(combined.mean()).isEqualTo(all.mean());
      assertThat(combined.std()).isEqualTo(all.std());
      assertThat(combined.min()).isEqualTo(all.min());
      assertThat(combined.max()).isEqualTo(all.max());
    }
  }
}
