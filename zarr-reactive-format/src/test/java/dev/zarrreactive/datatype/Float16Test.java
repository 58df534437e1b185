package dev.zarrreactive.datatype;

import static org.assertj.core.api.Assertions.assertThat;

import dev.zarrreactive.internal.element.Float16;
import dev.zarrreactive.json.JsonNumber;
import dev.zarrreactive.json.JsonValue;
import dev.zarrreactive.json.LocatedJson;
import java.math.BigDecimal;
import java.util.Map;
import java.util.TreeMap;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Halves against their definition: sign, mantissa and exponent as exact decimals. */
class Float16Test {
  private static final int HALVES = 1 << 16;

  /** Every finite positive half by its exact value. */
  private static final TreeMap<BigDecimal, Integer> FINITE = new TreeMap<>();

  static {
    for (int bits = 0; bits < 0x7c00; bits++) {
      FINITE.put(exact(bits), bits);
    }
  }

  /** The value of a positive finite half by definition. */
  private static BigDecimal exact(int bits) {
    int exponent = bits >> 10;
    int mantissa = bits & 0x3ff;
    return exponent == 0
        ? timesPowerOfTwo(mantissa, -24)
        : timesPowerOfTwo(mantissa + 1024, exponent - 25);
  }

  private static BigDecimal timesPowerOfTwo(int factor, int exponent) {
    BigDecimal power = BigDecimal.valueOf(2).pow(Math.abs(exponent));
    return exponent < 0
        ? BigDecimal.valueOf(factor).divide(power)
        : BigDecimal.valueOf(factor).multiply(power);
  }

  /** The half nearest to a positive value, ties to even, found by search. */
  private static int nearest(BigDecimal value) {
    if (value.compareTo(FINITE.lastKey()) > 0) {
      // infinity is where the next half would be
      return value.compareTo(BigDecimal.valueOf(65520)) >= 0
          ? 0x7c00
          : FINITE.lastEntry().getValue();
    }
    Map.Entry<BigDecimal, Integer> below = FINITE.floorEntry(value);
    Map.Entry<BigDecimal, Integer> above = FINITE.ceilingEntry(value);
    int side = value.subtract(below.getKey()).compareTo(above.getKey().subtract(value));
    if (side == 0) {
      return below.getValue() % 2 == 0 ? below.getValue() : above.getValue();
    }
    return side < 0 ? below.getValue() : above.getValue();
  }

  @Test
  void every_finite_half_has_the_value_of_its_definition() {
    for (int bits = 0; bits < 0x7c00; bits++) {
      assertThat(new BigDecimal(Float16.toFloat((short) bits))).isEqualByComparingTo(exact(bits));
      float negative = Float16.toFloat((short) (bits | 0x8000));
      assertThat(negative).isEqualTo(-Float16.toFloat((short) bits));
    }
  }

  @Test
  void every_half_comes_back_through_a_float_bit_for_bit() {
    for (int bits = 0; bits < HALVES; bits++) {
      assertThat(Float16.fromFloat(Float16.toFloat((short) bits)) & 0xffff)
          .as("half 0x%04x", bits)
          .isEqualTo(bits);
    }
  }

  @Test
  void every_half_comes_back_through_its_json_text_bit_for_bit() {
    for (int bits = 0; bits < HALVES; bits++) {
      byte[] image = {(byte) bits, (byte) (bits >> 8)};
      JsonValue json = DataTypes.FLOAT16.toJson(image, 0);
      assertThat(DataTypes.FLOAT16.parseFillValue(LocatedJson.of(json)).image())
          .as("half 0x%04x as %s", bits, json)
          .isEqualTo(image);
    }
  }

  @Property
  void every_float_goes_to_the_nearest_half(@ForAll @IntRange(min = 0, max = 0x7f7fffff) int bits) {
    float value = Float.intBitsToFloat(bits);
    int expected = nearest(new BigDecimal(value));
    assertThat((int) Float16.fromFloat(value)).isEqualTo(expected);
    assertThat(Float16.fromFloat(-value) & 0xffff).isEqualTo(expected | 0x8000);
  }

  @Property
  void a_float_near_the_middle_of_two_halves_goes_to_the_nearest(
      @ForAll @IntRange(min = 0, max = 0x7bfe) int lower,
      @ForAll @IntRange(min = -2, max = 2) int steps) {
    float middle = (Float16.toFloat((short) lower) + Float16.toFloat((short) (lower + 1))) / 2;
    float value = Float.intBitsToFloat(Float.floatToRawIntBits(middle) + steps);
    assertThat((int) Float16.fromFloat(value)).isEqualTo(nearest(new BigDecimal(value)));
  }

  @Property
  void a_decimal_text_near_the_middle_of_two_halves_is_rounded_once(
      @ForAll @IntRange(min = 0, max = 0x7bff) int lower,
      @ForAll @IntRange(min = -1, max = 1) int side) {
    // Farther from the middle by so little that neither a float nor a double shows it
    BigDecimal upper = lower == 0x7bff ? BigDecimal.valueOf(65536) : exact(lower + 1);
    BigDecimal middle = exact(lower).add(upper).divide(BigDecimal.valueOf(2));
    BigDecimal value = middle.add(new BigDecimal("1e-60").multiply(BigDecimal.valueOf(side)));
    int expected = nearest(value);
    boolean beyondRange = expected == 0x7c00;
    assertThat(FloatText.parse(value.toString(), FloatFormat.FLOAT16))
        .isEqualTo(beyondRange ? FloatRounding.NOTHING : expected);
    assertThat(FloatText.parse("-" + value, FloatFormat.FLOAT16))
        .isEqualTo(beyondRange ? FloatRounding.NOTHING : expected | 0x8000);
  }

  @ParameterizedTest
  @CsvSource({
    "65519.99, 7bff",
    "1e-8, 0000",
    "-1e-8, 8000",
    "1e-999999999999, 0000",
    "2.98023223876953125e-8, 0000",
    "2.98023223876953126e-8, 0001",
    "-0.0, 8000",
    "0.1, 2e66",
    "2049, 6800",
    "2051, 6802",
  })
  void texts_at_the_edges(String text, String bits) {
    assertThat(FloatText.parse(text, FloatFormat.FLOAT16)).isEqualTo(Long.parseLong(bits, 16));
  }

  @ParameterizedTest
  @ValueSource(strings = {"65520", "1e300", "1e999999999999", "-1e9"})
  void texts_beyond_the_range_are_nothing(String text) {
    assertThat(FloatText.parse(text, FloatFormat.FLOAT16)).isEqualTo(FloatRounding.NOTHING);
  }

  @ParameterizedTest
  @CsvSource({
    "3c00, 1.0",
    "2e66, 0.1",
    "3555, 0.3333",
    "7bff, 65504.0",
    "fbff, -65504.0",
    "0001, 6E-8",
    "8000, -0.0",
    "6801, 2050.0",
  })
  void texts_are_short_and_integers_exact(String bits, String text) {
    assertThat(FloatText.format(Long.parseLong(bits, 16), FloatFormat.FLOAT16)).isEqualTo(text);
  }

  @Test
  void a_signalling_nan_stays_one() {
    assertThat(Float16.fromFloat(Float.intBitsToFloat(0xffa0_0000)) & 0xffff).isEqualTo(0xfd00);
  }

  @Test
  void a_nan_whose_payload_does_not_fit_is_still_a_nan() {
    assertThat(Float16.fromFloat(Float.intBitsToFloat(0x7f80_0001)) & 0xffff).isEqualTo(0x7e00);
  }

  @Test
  void texts_are_json_numbers() {
    assertThat(new JsonNumber(FloatText.format(1, FloatFormat.FLOAT16)).toString())
        .isEqualTo("6E-8");
  }
}
