package dev.zarrreactive.internal.planning;

import dev.zarrreactive.array.Shape;
import dev.zarrreactive.datatype.DataType;

/** Arithmetic of sizes that saturates at {@link Long#MAX_VALUE}. */
public final class SaturatingSize {
  private SaturatingSize() {}

  /** Returns the size of the elements in memory, a guess for elements of any length. */
  public static long bytes(Shape shape, DataType dataType) {
    return product(count(shape), dataType.memorySize());
  }

  /** Returns the number of elements. */
  public static long count(Shape shape) {
    long count = 1;
    for (long extent : shape.toArray()) {
      count = product(count, extent);
    }
    return shape.isEmpty() ? 0 : count;
  }

  /** Returns the product of numbers that are not negative. */
  public static long product(long one, long other) {
    long low = one * other;
    return Math.multiplyHigh(one, other) != 0 || low < 0 ? Long.MAX_VALUE : low;
  }

  /** Returns the sum of numbers that are not negative. */
  public static long sum(long one, long other) {
    return one + other < 0 ? Long.MAX_VALUE : one + other;
  }
}
