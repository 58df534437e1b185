package dev.zarrreactive.array;

import dev.zarrreactive.base.Bytes;
import dev.zarrreactive.datatype.DataType;
import dev.zarrreactive.internal.element.Cast;
import dev.zarrreactive.internal.element.Cast.OutOfRange;
import dev.zarrreactive.internal.element.Rounding;
import dev.zarrreactive.internal.element.Scalar;
import java.util.Arrays;

/** Casts arrays of numbers. */
final class NdArrayCast {
  private NdArrayCast() {}

  static NdArray cast(NdArray array, DataType type) {
    if (array.dataType().equals(type)) {
      return array;
    }
    Scalar from = Scalar.of(array.dataType());
    Scalar to = Scalar.of(type);
    if (from == null || to == null || to == Scalar.BOOL) {
      throw new UnsupportedOperationException(
          array.dataType()
              + " cannot be cast to "
              + type
              + "; integers, floats and bool can be cast to integers and floats");
    }
    Rounding rounding = to.isFloat() ? Rounding.NEAREST_EVEN : Rounding.TOWARDS_ZERO;
    return cast(array, from, type, to, new Cast(from, to, rounding, OutOfRange.ERROR));
  }

  private static NdArray cast(NdArray array, Scalar from, DataType type, Scalar to, Cast cast) {
    byte[] result = new byte[array.shape().byteSize(to.size())];
    Bytes images = array.bytes();
    byte[] source = images.unsafeArray();
    int at = images.unsafeOffset();
    int count = result.length / to.size();
    int element = 0;
    try {
      for (; element < count; element++) {
        long value = from.get(source, at + element * from.size());
        to.put(result, element * to.size(), cast.applyAsLong(value));
      }
    } catch (ArithmeticException e) {
      throw new ArithmeticException(
          "element %s of %s cannot be cast to %s: %s"
              .formatted(
                  Arrays.toString(array.shape().indexAt(element)),
                  array.dataType(),
                  type,
                  e.getMessage()));
    }
    return NdArray.wrap(type, array.shape(), Bytes.wrap(result));
  }
}
