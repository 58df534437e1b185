package dev.zarrreactive.array;

import dev.zarrreactive.base.Bytes;
import java.math.BigInteger;
import java.util.Arrays;
import java.util.Objects;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The extents of an array, one for each dimension, slowest first. Extents may be zero. The shape of
 * a scalar is empty. Immutable.
 */
public final class Shape {
  /** The shape of a scalar: rank 0, one element. */
  public static final Shape SCALAR = new Shape(new long[0]);

  private final long[] extents;

  private Shape(long[] extents) {
    this.extents = extents;
  }

  /**
   * Returns the shape of these extents.
   *
   * @throws IllegalArgumentException if an extent is negative
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

  /** Returns a copy of the extents. */
  public long[] toArray() {
    return extents.clone();
  }

  /** The number of elements, which may exceed a long. */
  public BigInteger elementCount() {
    long count = elementCountUpTo(Long.MAX_VALUE);
    return count < Long.MAX_VALUE ? BigInteger.valueOf(count) : product(0, extents.length);
  }

  /** Multiplies by halves: the time for one factor after the other is quadratic in the rank. */
  private BigInteger product(int from, int to) {
    if (to - from < 2) {
      return from == to ? BigInteger.ONE : BigInteger.valueOf(extents[from]);
    }
    int middle = (from + to) >>> 1;
    return product(from, middle).multiply(product(middle, to));
  }

  /** The number of elements, at most {@code most}. */
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
   * Returns the number of bytes of an array of this shape in memory.
   *
   * @throws IllegalArgumentException if they exceed one Java array (2 GiB)
   */
  public int byteSize(int itemSize) {
    int most = Bytes.MAX_SIZE;
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
   * Returns the number in C order, from 0, of the element at an absolute index.
   *
   * @throws IllegalArgumentException if the index has another rank
   * @throws IndexOutOfBoundsException if it is out of bounds
   */
  int elementNumber(long... index) {
    if (index.length != extents.length) {
      throw otherRank(index);
    }
    long number = 0;
    for (int dimension = 0; dimension < extents.length; dimension++) {
      if (index[dimension] < 0 || index[dimension] >= extents[dimension]) {
        throw outOfBounds(index);
      }
      number = number * extents[dimension] + index[dimension];
    }
    return Math.toIntExact(number);
  }

  /** Checks an absolute index like {@link #elementNumber}. */
  void checkIndex(long... index) {
    if (index.length != extents.length) {
      throw otherRank(index);
    }
    for (int dimension = 0; dimension < extents.length; dimension++) {
      if (index[dimension] < 0 || index[dimension] >= extents[dimension]) {
        throw outOfBounds(index);
      }
    }
  }

  private IllegalArgumentException otherRank(long... index) {
    return new IllegalArgumentException(
        "index " + Arrays.toString(index) + " in an array of shape " + this);
  }

  private IndexOutOfBoundsException outOfBounds(long... index) {
    return new IndexOutOfBoundsException(
        "index " + Arrays.toString(index) + " in an array of shape " + this);
  }

  /**
   * Returns the index of an element by its number in C order.
   *
   * @throws IndexOutOfBoundsException if it is out of bounds
   */
  long[] indexAt(long number) {
    Objects.checkIndex(number, elementCountUpTo(Long.MAX_VALUE));
    long[] index = new long[extents.length];
    long rest = number;
    for (int dimension = extents.length - 1; dimension >= 0; dimension--) {
      index[dimension] = rest % extents[dimension];
      rest /= extents[dimension];
    }
    return index;
  }

  /**
   * Passes every index in C order.
   *
   * @param action receives the index in an array that the next index reuses
   */
  void forEachIndex(Consumer<long[]> action) {
    if (isEmpty()) {
      return;
    }
    long[] index = new long[extents.length];
    int dimension;
    do {
      action.accept(index);
      for (dimension = extents.length - 1; dimension >= 0; dimension--) {
        if (++index[dimension] < extents[dimension]) {
          break;
        }
        index[dimension] = 0;
      }
    } while (dimension >= 0);
  }

  /** Returns true if an extent is zero. */
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

  /** Returns the extents in brackets: {@code [2, 3]}. */
  @Override
  public String toString() {
    return Arrays.toString(extents);
  }
}
