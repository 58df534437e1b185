package dev.zarrreactive.internal.element;

import dev.zarrreactive.base.Bytes;
import dev.zarrreactive.datatype.FloatFormat;
import dev.zarrreactive.datatype.FloatType;
import dev.zarrreactive.json.JsonNumber;
import java.math.BigDecimal;
import java.math.MathContext;
import java.util.EnumMap;
import java.util.Map;

/** Floats of any format. */
final class FloatElements extends ImageElements {
  /** The values of floats of up to 8 bits, by the byte of their image. */
  private static final Map<FloatFormat, float[]> TABLES = new EnumMap<>(FloatFormat.class);

  static {
    for (FloatFormat format : FloatFormat.values()) {
      if (format.bits() <= Byte.SIZE) {
        float[] values = new float[1 << Byte.SIZE];
        for (int b = 0; b < values.length; b++) {
          values[b] = (float) format.toDouble(b); // exact: a float holds each value
        }
        TABLES.put(format, values);
      }
    }
  }

  /** The digits that NumPy prints. */
  private static final MathContext DIGITS = new MathContext(8);

  private final FloatFormat format;
  private final float[] byByte;

  FloatElements(FloatType type, Bytes bytes, int pitch) {
    super(type, bytes, pitch);
    this.format = type.format();
    this.byByte = TABLES.getOrDefault(format, new float[0]);
  }

  @Override
  public float floatAt(int element) {
    requireFloat("a float");
    return value(element);
  }

  @Override
  public double doubleAt(int element) {
    return format == FloatFormat.FLOAT64
        ? Double.longBitsToDouble(LittleEndian.getLong(array(), position(element)))
        : value(element);
  }

  /** The value of a float of up to 32 bits. */
  private float value(int element) {
    int position = position(element);
    return switch (format) {
      case FLOAT32 -> Float.intBitsToFloat(LittleEndian.getInt(array(), position));
      case FLOAT16 -> Float16.toFloat(LittleEndian.getShort(array(), position));
      case BFLOAT16 -> Float.intBitsToFloat(LittleEndian.getShort(array(), position) << Short.SIZE);
      default -> byByte[array()[position] & 0xff];
    };
  }

  private void requireFloat(String what) {
    if (format == FloatFormat.FLOAT64) {
      throw refused(what);
    }
  }

  @Override
  public float[] toFloatArray() {
    requireFloat("floats");
    float[] copy = new float[count()];
    if (format == FloatFormat.FLOAT32) {
      bytes().asByteBuffer().asFloatBuffer().get(copy);
      return copy;
    }
    for (int i = 0; i < copy.length; i++) {
      copy[i] = value(i);
    }
    return copy;
  }

  @Override
  public double[] toDoubleArray() {
    double[] copy = new double[count()];
    if (format == FloatFormat.FLOAT64) {
      bytes().asByteBuffer().asDoubleBuffer().get(copy);
      return copy;
    }
    for (int i = 0; i < copy.length; i++) {
      copy[i] = value(i);
    }
    return copy;
  }

  @Override
  String right() {
    return format == FloatFormat.FLOAT64
        ? "getDouble or toDoubleArray"
        : "getFloat or toFloatArray";
  }

  @Override
  public String text(int element) {
    return toJson(element) instanceof JsonNumber finite
        ? textOf(finite)
        : textOf(doubleAt(element));
  }

  /** Returns the text of a NaN or an infinity. */
  private static String textOf(double value) {
    if (Double.isNaN(value)) {
      return "nan";
    }
    return value > 0 ? "inf" : "-inf";
  }

  /** Returns the text of a finite float: as NumPy, with a point and at most eight digits. */
  private static String textOf(JsonNumber number) {
    BigDecimal value = new BigDecimal(number.text()).round(DIGITS).stripTrailingZeros();
    if (value.signum() == 0) {
      return number.text().startsWith("-") ? "-0." : "0.";
    }
    int exponent = value.precision() - value.scale() - 1;
    if (exponent < -4 || exponent >= DIGITS.getPrecision()) {
      return scientific(value.unscaledValue().toString(), exponent);
    }
    String plain = value.toPlainString();
    return plain.contains(".") ? plain : plain + ".";
  }

  private static String scientific(String digits, int exponent) {
    int first = digits.startsWith("-") ? 2 : 1;
    String size = Integer.toString(Math.abs(exponent));
    return digits.substring(0, first)
        + "."
        + digits.substring(first)
        + (exponent < 0 ? "e-" : "e+")
        + (size.length() < 2 ? "0" + size : size);
  }
}
