package dev.zarrreactive.datatype;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.zarrreactive.json.JsonNumber;
import dev.zarrreactive.json.JsonString;
import dev.zarrreactive.json.JsonValue;
import dev.zarrreactive.json.LocatedJson;
import java.math.BigDecimal;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/** The small floats: every bit pattern as another program sees it, and the way back from text. */
class FloatFormatTest {

  static Set<FloatFormat> smallFormats() {
    return SmallFloats.values().keySet();
  }

  @Test
  void there_is_a_table_for_every_format_of_up_to_eight_bits() {
    assertThat(FloatFormat.values())
        .allMatch(format -> format.bits() > 8 != smallFormats().contains(format));
  }

  @ParameterizedTest
  @MethodSource("smallFormats")
  void every_bit_pattern_has_its_value(FloatFormat format) {
    double[] values = SmallFloats.values().get(format);
    assertThat(values).hasSize(1 << format.bits());
    for (int bits = 0; bits < values.length; bits++) {
      assertThat(format.toDouble(bits)).as("0x%02x", bits).isEqualTo((Double) values[bits]);
      assertThat(format.isNaN(bits)).isEqualTo(Double.isNaN(values[bits]));
      assertThat(format.isInfinite(bits)).isEqualTo(Double.isInfinite(values[bits]));
    }
  }

  @ParameterizedTest
  @MethodSource("smallFormats")
  void bits_above_those_of_the_format_are_ignored(FloatFormat format) {
    FloatType type = new FloatType(format);
    int patterns = 1 << format.bits();
    for (int image = 0; image < 256; image++) {
      byte[] whole = {(byte) image};
      byte[] significant = {(byte) (image % patterns)};
      assertThat(type.toDouble(whole, 0)).isEqualTo((Double) type.toDouble(significant, 0));
      assertThat(type.toJson(whole, 0)).isEqualTo(type.toJson(significant, 0));
    }
  }

  @ParameterizedTest
  @MethodSource("smallFormats")
  void every_bit_pattern_comes_back_from_its_json(FloatFormat format) {
    FloatType type = new FloatType(format);
    for (int bits = 0; bits < 1 << format.bits(); bits++) {
      JsonValue json = type.toJson(new byte[] {(byte) bits}, 0);
      assertThat(type.parseFillValue(LocatedJson.of(json)).image())
          .as("%s %s", format, json)
          .containsExactly(bits);
    }
  }

  @ParameterizedTest
  @MethodSource("smallFormats")
  void every_bit_pattern_comes_back_from_its_hexadecimal_digits(FloatFormat format) {
    FloatType type = new FloatType(format);
    for (int bits = 0; bits < 1 << format.bits(); bits++) {
      LocatedJson json = LocatedJson.of(new JsonString(String.format("0x%02x", bits)));
      assertThat(type.parseFillValue(json).image()).containsExactly(bits);
    }
  }

  @ParameterizedTest
  @MethodSource("smallFormats")
  void every_value_comes_back_from_a_double(FloatFormat format) {
    double[] values = SmallFloats.values().get(format);
    for (int bits = 0; bits < values.length; bits++) {
      long expected = Double.isNaN(values[bits]) ? format.canonicalNaN() : bits;
      assertThat(format.nearest(values[bits])).isEqualTo(expected);
    }
  }

  /**
   * Texts in the middle between two neighbours, and so little beside it that a double does not, or
   * only just, show it.
   */
  @ParameterizedTest
  @MethodSource("smallFormats")
  void a_text_between_two_neighbours_is_rounded_once(FloatFormat format) {
    TreeMap<BigDecimal, Integer> positive = new TreeMap<>();
    double[] values = SmallFloats.values().get(format);
    for (int bits = 0; bits < values.length; bits++) {
      if (values[bits] > 0 && Double.isFinite(values[bits]) || bits == 0) {
        positive.put(new BigDecimal(values[bits]), bits);
      }
    }
    assertThat(positive).hasSizeGreaterThan(7);
    for (Map.Entry<BigDecimal, Integer> lower : positive.entrySet()) {
      Map.Entry<BigDecimal, Integer> upper = positive.higherEntry(lower.getKey());
      if (upper == null) {
        break;
      }
      BigDecimal middle = lower.getKey().add(upper.getKey()).divide(BigDecimal.valueOf(2));
      boolean powersOfTwo = format == FloatFormat.FLOAT8_E8M0FNU;
      int even = powersOfTwo || lower.getValue() % 2 != 0 ? upper.getValue() : lower.getValue();
      assertThat(parse(middle, format)).as("%s of %s", middle, format).isEqualTo(even);
      BigDecimal ulp = new BigDecimal(Math.ulp(middle.doubleValue()));
      for (String little : new String[] {"1e-30", "0.25", "0.75", "1", "1.5"}) {
        BigDecimal off = ulp.multiply(new BigDecimal(little));
        assertThat(parse(middle.add(off), format))
            .as("%s ulp above %s", little, middle)
            .isEqualTo((long) upper.getValue());
        assertThat(parse(middle.subtract(off), format))
            .as("%s ulp below %s", little, middle)
            .isEqualTo((long) lower.getValue());
      }
    }
  }

  private static long parse(BigDecimal value, FloatFormat format) {
    return FloatRounding.parse(value.toString(), format);
  }

  @Test
  void a_bfloat16_is_the_upper_half_of_a_float() {
    for (int bits = 0; bits < 1 << 16; bits++) {
      float expected = Float.intBitsToFloat(bits << 16);
      double value = FloatFormat.BFLOAT16.toDouble(bits);
      assertThat(Double.doubleToLongBits(value)).isEqualTo(Double.doubleToLongBits(expected));
      if (!Float.isNaN(expected)) {
        assertThat(FloatFormat.BFLOAT16.nearest(expected)).isEqualTo(bits);
      }
      if (Float.isFinite(expected)) {
        String text = FloatRounding.toText(bits, FloatFormat.BFLOAT16);
        assertThat(FloatRounding.parse(text, FloatFormat.BFLOAT16)).as(text).isEqualTo(bits);
      }
    }
  }

  @ParameterizedTest
  @CsvSource({
    "bfloat16, 0.1, 3dcd, 0.1",
    // above the middle, but not as a float
    "bfloat16, 1.00390625000000000001, 3f81, 1.01",
    "bfloat16, 3.3895313892515355e38, 7f7f, 3.39E+38",
    "bfloat16, 1e-40, 0001, 9E-41",
    "float8_e4m3, 240, 77, 240.0",
    "float8_e4m3, 247.99, 77, 240.0",
    "float8_e5m2, 57344, 7b, 57344.0",
    "float8_e3m4, 15.5, 6f, 15.5",
    "float8_e4m3fnuz, 240, 7f, 240.0",
    "float8_e4m3fnuz, -0.0, 00, 0.0",
    "float8_e4m3fnuz, -1e-30, 00, 0.0",
    "float8_e4m3b11fnuz, -30, ff, -30.0",
    "float8_e8m0fnu, 1, 7f, 1.0",
    "float8_e8m0fnu, 1.7e38, fe, 2E+38",
    "float8_e8m0fnu, 5.877471754111438e-39, 00, 6E-39",
    "float6_e2m3fn, 7.7, 1f, 7.5",
    "float6_e3m2fn, -28, 3f, -28.0",
    "float4_e2m1fn, -0.0, 08, -0.0",
    "float4_e2m1fn, 6.999, 07, 6.0",
    "float4_e2m1fn, 2.5, 04, 2.0",
  })
  void a_number_is_rounded_to_the_nearest(String type, String number, String bits, String written) {
    FloatType floats = (FloatType) DataTypesTest.named(type);
    long raw = Long.parseLong(bits, 16);
    assertThat(FloatRounding.parse(number, floats.format())).isEqualTo(raw);
    JsonValue json = floats.toJson(FillValue.of(floats, image(raw, floats.itemSize())).image(), 0);
    assertThat(json).isEqualTo(new JsonNumber(written));
  }

  private static byte[] image(long raw, int size) {
    byte[] image = new byte[size];
    Images.put(image, 0, size, raw);
    return image;
  }

  @Test
  void what_a_format_does_not_have_is_refused() {
    assertThat(FloatFormat.FLOAT8_E4M3.nearest(1e9)).isEqualTo(0x78);
    assertThat(FloatFormat.FLOAT8_E4M3.nearest(Double.NEGATIVE_INFINITY)).isEqualTo(0xf8);
    for (FloatFormat format : FloatFormat.values()) {
      if (!format.hasInfinity()) {
        assertThatThrownBy(() -> format.nearest(Double.POSITIVE_INFINITY))
            .isInstanceOf(ArithmeticException.class)
            .hasMessage("Infinity is beyond the range of " + format.typeName());
        assertThatThrownBy(() -> format.nearest(-1e300)).isInstanceOf(ArithmeticException.class);
      }
      if (!format.hasNaN()) {
        assertThatThrownBy(() -> format.nearest(Double.NaN))
            .isInstanceOf(ArithmeticException.class);
      }
    }
    for (double value : new double[] {0, -0.0, -1, 1e-60, Double.MIN_VALUE}) {
      assertThatThrownBy(() -> FloatFormat.FLOAT8_E8M0FNU.nearest(value))
          .isInstanceOf(ArithmeticException.class);
    }
  }

  @Test
  void a_nan_keeps_sign_and_payload() {
    assertThat(Double.doubleToRawLongBits(FloatFormat.FLOAT8_E5M2.toDouble(0xfd)))
        .isEqualTo(0xfff4_0000_0000_0000L);
    assertThat(Double.doubleToRawLongBits(FloatFormat.BFLOAT16.toDouble(0x7f81)))
        .isEqualTo(0x7ff0_2000_0000_0000L);
  }
}
