package dev.zarrreactive.array;

import dev.zarrreactive.datatype.Float16;
import dev.zarrreactive.datatype.FloatType;
import dev.zarrreactive.json.JsonNumber;
import dev.zarrreactive.store.Bytes;

/** Floats of 16, 32 or 64 bits. */
final class FloatElements extends Elements {
  private final int bits;

  FloatElements(FloatType type, Bytes bytes) {
    super(type, bytes);
    this.bits = type.bits();
  }

  @Override
  public float floatAt(int element) {
    requireFloat("a float");
    return value(element);
  }

  @Override
  public double doubleAt(int element) {
    return bits == Double.SIZE
        ? Double.longBitsToDouble(LittleEndian.getLong(array(), position(element)))
        : value(element);
  }

  /** The value, where it has no more than 32 bits. */
  private float value(int element) {
    return bits == Float.SIZE
        ? Float.intBitsToFloat(LittleEndian.getInt(array(), position(element)))
        : Float16.toFloat(LittleEndian.getShort(array(), position(element)));
  }

  private void requireFloat(String what) {
    if (bits == Double.SIZE) {
      throw refused(what);
    }
  }

  @Override
  float[] toFloatArray() {
    requireFloat("floats");
    float[] copy = new float[count()];
    if (bits == Float.SIZE) {
      bytes().asByteBuffer().asFloatBuffer().get(copy);
      return copy;
    }
    for (int i = 0; i < copy.length; i++) {
      copy[i] = value(i);
    }
    return copy;
  }

  @Override
  double[] toDoubleArray() {
    double[] copy = new double[count()];
    if (bits == Double.SIZE) {
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
    return bits == Double.SIZE ? "getDouble or toDoubleArray" : "getFloat or toFloatArray";
  }

  @Override
  String text(int element) {
    return toJson(element) instanceof JsonNumber finite
        ? NumberText.of(finite)
        : NumberText.of(doubleAt(element));
  }
}
