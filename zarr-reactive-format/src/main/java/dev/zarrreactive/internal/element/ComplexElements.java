package dev.zarrreactive.internal.element;

import dev.zarrreactive.base.Bytes;
import dev.zarrreactive.datatype.ComplexType;
import dev.zarrreactive.datatype.FloatType;

/** Complex numbers, as pairs of floats. */
final class ComplexElements extends ImageElements {
  private final FloatType component;
  private final FloatElements real;
  private final FloatElements imag;

  ComplexElements(ComplexType type, Bytes bytes, int pitch) {
    super(type, bytes, pitch);
    this.component = type.component();
    int half = component.itemSize();
    this.real = new FloatElements(component, memory(0, count(), 0, half), pitch);
    this.imag = new FloatElements(component, memory(0, count(), half, half), pitch);
  }

  @Override
  public double realAt(int element) {
    return real.doubleAt(element);
  }

  @Override
  public double imagAt(int element) {
    return imag.doubleAt(element);
  }

  /** The real and imaginary parts in turn. */
  private FloatElements parts() {
    return new FloatElements(component, bytes(), component.itemSize());
  }

  @Override
  public float[] toComplexFloatArray() {
    if (dataType().itemSize() > 2 * Float.BYTES) {
      throw refused("complex numbers of floats");
    }
    return parts().toFloatArray();
  }

  @Override
  public double[] toComplexDoubleArray() {
    return parts().toDoubleArray();
  }

  @Override
  String right() {
    return "getReal and getImag, or toComplexDoubleArray";
  }

  @Override
  public String text(int element) {
    String imaginary = imag.text(element);
    return real.text(element) + (imaginary.startsWith("-") ? "" : "+") + imaginary + "j";
  }
}
