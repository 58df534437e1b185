package dev.zarrreactive.array;

import dev.zarrreactive.datatype.ComplexType;
import dev.zarrreactive.store.Bytes;
import java.util.Objects;

/** Complex numbers, as pairs of floats. */
final class ComplexElements extends ImageElements {
  private final FloatElements parts;

  ComplexElements(ComplexType type, Bytes bytes) {
    super(type, bytes);
    this.parts = new FloatElements(type.component(), bytes);
  }

  @Override
  public double realAt(int element) {
    return parts.doubleAt(part(element));
  }

  @Override
  public double imagAt(int element) {
    return parts.doubleAt(part(element) + 1);
  }

  private int part(int element) {
    return 2 * Objects.checkIndex(element, count());
  }

  @Override
  float[] toComplexFloatArray() {
    if (dataType().itemSize() > 2 * Float.BYTES) {
      throw refused("complex numbers of floats");
    }
    return parts.toFloatArray();
  }

  @Override
  double[] toComplexDoubleArray() {
    return parts.toDoubleArray();
  }

  @Override
  String right() {
    return "getReal and getImag, or toComplexDoubleArray";
  }

  @Override
  String text(int element) {
    int part = part(element);
    String imag = parts.text(part + 1);
    return parts.text(part) + (imag.startsWith("-") ? "" : "+") + imag + "j";
  }
}
