package dev.zarrreactive.copy;

import dev.zarrreactive.array.Shape;
import dev.zarrreactive.datatype.DataType;

/** Sizes in bytes, which stay {@link Long#MAX_VALUE} where they would be more. */
final class Sizes {
  private Sizes() {}

  /** The size of so many elements in memory; a guess where they are of any length. */
  static long bytes(Shape shape, DataType dataType) {
    return product(count(shape), dataType.memorySize());
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
