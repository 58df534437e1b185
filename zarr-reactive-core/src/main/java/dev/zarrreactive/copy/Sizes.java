package dev.zarrreactive.copy;

import dev.zarrreactive.array.Shape;
import dev.zarrreactive.datatype.DataType;
import dev.zarrreactive.datatype.VariableLengthType;

/** Sizes in bytes, which stay {@link Long#MAX_VALUE} where they would be more. */
final class Sizes {
  /** The bytes of an element of any length: nobody knows before it is decoded. */
  private static final int ASSUMED_SIZE = 64;

  private Sizes() {}

  /** The size of so many elements in memory; a guess where they are of any length. */
  static long bytes(Shape shape, DataType dataType) {
    int item = dataType instanceof VariableLengthType ? ASSUMED_SIZE : dataType.itemSize();
    return product(count(shape), item);
  }

  /** The number of elements. */
  static long count(Shape shape) {
    long count = 1;
    for (long extent : shape.toArray()) {
      count = product(count, extent);
    }
    return shape.isEmpty() ? 0 : count;
  }

  /** The product of numbers that are not negative. */
  static long product(long one, long other) {
    long low = one * other;
    return Math.multiplyHigh(one, other) != 0 || low < 0 ? Long.MAX_VALUE : low;
  }

  /** The sum of numbers that are not negative. */
  static long sum(long one, long other) {
    return one + other < 0 ? Long.MAX_VALUE : one + other;
  }
}
