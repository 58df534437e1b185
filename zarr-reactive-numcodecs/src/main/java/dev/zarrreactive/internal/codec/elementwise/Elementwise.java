package dev.zarrreactive.internal.codec.elementwise;

import dev.zarrreactive.array.NdArray;
import dev.zarrreactive.base.Bytes;
import dev.zarrreactive.datatype.DataType;
import dev.zarrreactive.datatype.FillValue;
import dev.zarrreactive.internal.element.Scalar;
import java.util.function.LongUnaryOperator;

/** Applies a function to each element of an array. */
public final class Elementwise {
  private Elementwise() {}

  /**
   * Returns a new array of the same shape.
   *
   * @param from the type of the elements of {@code array}, or of their components
   * @param type the data type of the result
   * @param to the type of the result's elements, or of their components
   */
  public static NdArray map(
      NdArray array, Scalar from, DataType type, Scalar to, LongUnaryOperator function) {
    Bytes image = array.bytes();
    byte[] mapped = new byte[array.shape().byteSize(type.itemSize())];
    map(image.unsafeArray(), image.unsafeOffset(), from, mapped, to, function);
    return NdArray.wrap(type, array.shape(), Bytes.wrap(mapped));
  }

  /** Returns the fill value that the function makes of a fill value. */
  public static FillValue map(
      FillValue value, Scalar from, DataType type, Scalar to, LongUnaryOperator function) {
    byte[] mapped = new byte[type.itemSize()];
    map(value.image(), 0, from, mapped, to, function);
    return FillValue.of(type, mapped);
  }

  private static void map(
      byte[] source, int at, Scalar from, byte[] target, Scalar to, LongUnaryOperator function) {
    int count = target.length / to.size();
    for (int i = 0; i < count; i++) {
      long element = from.get(source, at + i * from.size());
      to.put(target, i * to.size(), function.applyAsLong(element));
    }
  }
}
