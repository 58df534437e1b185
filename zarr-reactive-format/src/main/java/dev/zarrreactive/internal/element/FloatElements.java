package dev.zarrreactive.internal.element;

import dev.zarrreactive.base.Bytes;
import dev.zarrreactive.datatype.FloatFormat;
import dev.zarrreactive.datatype.FloatType;
import dev.zarrreactive.json.JsonNumber;

/** Floats of any format. */
final class FloatElements extends ImageElements {
  private final FloatFormat format;
  private final float[] byByte;

  FloatElements(FloatType type, Bytes bytes, int pitch) {
    super(type, bytes, pitch);
    this.format = type.format();
    this.byByte = SmallFloats.of(format);
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
        ? NumberText.of(finite)
        : NumberText.of(doubleAt(element));
  }
}
