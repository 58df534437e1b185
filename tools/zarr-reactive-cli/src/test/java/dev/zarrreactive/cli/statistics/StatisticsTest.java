package dev.zarrreactive.cli.statistics;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.zarrreactive.array.NdArray;
import dev.zarrreactive.array.Shape;
import dev.zarrreactive.datatype.DataType;
import dev.zarrreactive.datatype.DataTypes;
import dev.zarrreactive.datatype.FillValue;
import dev.zarrreactive.extension.NamedConfiguration;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.math.MathContext;
import java.util.Arrays;
import java.util.List;
import java.util.function.Function;
import java.util.stream.Collectors;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.Size;
import org.junit.jupiter.api.Test;

/** Statistics are those of exact arithmetic, whatever the type and however the chunks are cut. */
class StatisticsTest {
  private static final MathContext DIGITS = new MathContext(60);

  private static Statistics of(DataType type, NdArray... chunks) {
    Statistics statistics = Statistics.of(type, FillValue.zero(type));
    Arrays.stream(chunks).forEach(statistics::add);
    return statistics;
  }

  private static void check(Statistics found, List<BigDecimal> elements) {
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
    assertThat(found.mean()).isEqualTo(mean.doubleValue());
    assertThat(found.deviation()).isCloseTo(deviation, within(Math.ulp(deviation)));
  }

  @Property(tries = 300)
  void integers_of_64_bits_are_summed_exactly(@ForAll @Size(min = 1, max = 50) long[] elements) {
    Statistics signed =
        of(DataTypes.INT64, NdArray.ofLongs(DataTypes.INT64, Shape.of(elements.length), elements));
    check(signed, exactly(elements, BigInteger::valueOf));
    assertThat(signed.least()).hasToString(Long.toString(Arrays.stream(elements).min().orElse(0)));
    assertThat(signed.greatest())
        .hasToString(Long.toString(Arrays.stream(elements).max().orElse(0)));
    Statistics unsigned =
        of(
            DataTypes.UINT64,
            NdArray.ofLongs(DataTypes.UINT64, Shape.of(elements.length), elements));
    List<BigDecimal> exact = exactly(elements, bits -> new BigInteger(Long.toUnsignedString(bits)));
    check(unsigned, exact);
    assertThat(unsigned.greatest())
        .hasToString(exact.stream().max(BigDecimal::compareTo).orElseThrow().toString());
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
      Statistics found =
          of(DataTypes.FLOAT64, NdArray.ofDoubles(Shape.of(elements.length), elements));
      List<BigDecimal> exact = Arrays.stream(elements).mapToObj(BigDecimal::new).toList();
      BigDecimal mean =
          exact.stream()
              .reduce(BigDecimal.ZERO, BigDecimal::add)
              .divide(BigDecimal.valueOf(elements.length), new MathContext(1_200));
      assertThat(found.mean()).isEqualTo(mean.doubleValue());
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
    Statistics forwards = of(DataTypes.FLOAT64, first, second);
    Statistics backwards = of(DataTypes.FLOAT64, second, first);
    check(forwards, Arrays.stream(elements).mapToObj(BigDecimal::new).toList());
    assertThat(backwards.mean()).isEqualTo(forwards.mean());
    assertThat(backwards.deviation()).isEqualTo(forwards.deviation());
    assertThat(backwards.least()).isEqualTo(forwards.least());
  }

  @Test
  void a_small_deviation_of_large_numbers_is_not_lost() {
    Statistics found =
        of(DataTypes.FLOAT64, NdArray.ofDoubles(Shape.of(3), 1e15, 1e15 + 1, 1e15 + 2));
    assertThat(found.mean()).isEqualTo(1e15 + 1);
    assertThat(found.deviation()).isEqualTo(Math.sqrt(2 / 3.0));
  }

  @Test
  void infinities_are_numbers() {
    double infinity = Double.POSITIVE_INFINITY;
    Statistics one = of(DataTypes.FLOAT64, NdArray.ofDoubles(Shape.of(2), 1, infinity));
    assertThat(one.mean()).isEqualTo(infinity);
    assertThat(one.deviation()).isNaN();
    assertThat(one.greatest()).hasToString("\"Infinity\"");
    assertThat(of(DataTypes.FLOAT64, NdArray.ofDoubles(Shape.of(2), -infinity, infinity)).mean())
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
      Statistics found = of(type, NdArray.filled(Shape.of(3), FillValue.of(type, 1)));
      assertThat(found.mean()).as(name).isEqualTo(1);
      assertThat(found.deviation()).as(name).isZero();
      assertThat(found.fillValues()).as(name).isZero();
    }
    Statistics bools =
        of(DataTypes.BOOL, NdArray.ofBooleans(Shape.of(4), true, false, false, false));
    assertThat(bools.mean()).isEqualTo(0.25);
    assertThat(bools.greatest()).hasToString("true");
    assertThat(bools.fillValues()).isEqualTo(3);
  }
}
