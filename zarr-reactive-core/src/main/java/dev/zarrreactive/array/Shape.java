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
    BigInteger count = BigInteger.ONE;
    for (long extent : extents) {
      count = count.multiply(BigInteger.valueOf(extent));
    }
    return count;
  }

  /**
   * The number of bytes of so many elements in one array in memory.
   *
   * @throws IllegalArgumentException where that is more than one Java array holds (2 GiB)
   */
  public int byteSize(int itemSize) {
    BigInteger size = elementCount().multiply(BigInteger.valueOf(itemSize));
    if (size.bitLength() > 31 || size.intValueExact() > Integer.MAX_VALUE - 8) {
      throw new IllegalArgumentException(
          "an array of shape "
              + this
              + " with items of "
              + itemSize
              + " bytes has "
              + size
              + " bytes, more than one Java array holds (2 GiB); read a smaller selection, or"
              + " stream the chunks with chunks(selection)");
    }
    return size.intValueExact();
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
