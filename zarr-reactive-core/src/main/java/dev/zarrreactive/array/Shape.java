package dev.zarrreactive.array;

import java.math.BigInteger;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * The extents of an array, dimension by dimension, slowest first. Extents may be zero; the shape of
 * a scalar has none. Immutable.
 */
public final class Shape {
  /** The shape of a scalar: no dimension, one element. */
  public static final Shape SCALAR = new Shape(new long[0]);

  private final long[] extents;

  private Shape(long[] extents) {
    this.extents = extents;
  }

  /**
   * The shape of these extents.
   *
   * @throws IllegalArgumentException where one is negative
   */
  public static Shape of(long... extents) {
    for (long extent : extents) {
      if (extent < 0) {
        throw new IllegalArgumentException("negative extent in " + Arrays.toString(extents));
      }
    }
    return new Shape(extents.clone());
  }

  /** The number of dimensions. */
  public int rank() {
    return extents.length;
  }

  /** The extent of dimension {@code dimension}. */
  public long extent(int dimension) {
    return extents[dimension];
  }

  /** A copy of the extents. */
  public long[] toArray() {
    return extents.clone();
  }

  /** The number of elements, which may be more than a long can hold. */
  public BigInteger elementCount() {
    long count = elementCountUpTo(Long.MAX_VALUE);
    return count < Long.MAX_VALUE ? BigInteger.valueOf(count) : product(0, extents.length);
  }

  /** By halves, so that the time does not grow with the square of the number of dimensions. */
  private BigInteger product(int from, int to) {
    if (to - from < 2) {
      return from == to ? BigInteger.ONE : BigInteger.valueOf(extents[from]);
    }
    int middle = (from + to) >>> 1;
    return product(from, middle).multiply(product(middle, to));
  }

  /** The number of elements; {@code most} where there are more. */
  public long elementCountUpTo(long most) {
    if (isEmpty()) {
      return 0;
    }
    long count = 1;
    for (long extent : extents) {
      if (extent > most / count) {
        return most;
      }
      count *= extent;
    }
    return count;
  }

  /**
   * The number of bytes of so many elements in one array in memory.
   *
   * @throws IllegalArgumentException where that is more than one Java array holds (2 GiB)
   */
  public int byteSize(int itemSize) {
    int most = Integer.MAX_VALUE - 8;
    long count = elementCountUpTo(most + 1L);
    if (count * itemSize > most) {
      throw new IllegalArgumentException(
          "an array of shape "
              + this
              + " with items of "
              + itemSize
              + " bytes has "
              + elementCount().multiply(BigInteger.valueOf(itemSize))
              + " bytes, more than one Java array holds (2 GiB); read a smaller selection, or"
              + " stream the chunks with chunks(selection)");
    }
    return (int) (count * itemSize);
  }

  /**
   * The number in C order, from 0, of the element at an absolute index in an array in memory.
   *
   * @throws IllegalArgumentException where the index is of another number of dimensions
   * @throws IndexOutOfBoundsException where it is out of bounds
   */
  int elementNumber(long... index) {
    if (index.length != extents.length) {
      throw new IllegalArgumentException(
          "index " + Arrays.toString(index) + " in an array of shape " + this);
    }
    long number = 0;
    for (int dimension = 0; dimension < extents.length; dimension++) {
      if (index[dimension] < 0 || index[dimension] >= extents[dimension]) {
        throw new IndexOutOfBoundsException(
            "index " + Arrays.toString(index) + " in an array of shape " + this);
      }
      number = number * extents[dimension] + index[dimension];
    }
    return Math.toIntExact(number);
  }

  /** True where some extent is zero. */
  public boolean isEmpty() {
    for (long extent : extents) {
      if (extent == 0) {
        return true;
      }
    }
    return false;
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof Shape that && Arrays.equals(extents, that.extents);
  }

  @Override
  public int hashCode() {
    return Arrays.hashCode(extents);
  }

  /** As NumPy prints it without its parentheses: {@code [2, 3]}. */
  @Override
  public String toString() {
    return Arrays.toString(extents);
  }
}
