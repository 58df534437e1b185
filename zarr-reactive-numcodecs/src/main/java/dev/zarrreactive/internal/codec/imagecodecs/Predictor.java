package dev.zarrreactive.internal.codec.imagecodecs;

import dev.zarrreactive.error.MetadataException;
import dev.zarrreactive.error.UnsupportedFeatureException;
import dev.zarrreactive.extension.NamedConfiguration;
import dev.zarrreactive.json.LocatedJson;

/**
 * The predictors of TIFF over a chunk: differences along one axis. The elements of a chunk are rows
 * of {@code length} elements, each of which is {@code samples} numbers: those of the dimensions
 * behind the axis.
 */
final class Predictor {
  private final int axis;
  private final int distance;

  private Predictor(int axis, int distance) {
    this.axis = axis;
    this.distance = distance;
  }

  /** Reads the members {@code axis}, by default the last, and {@code dist}, by default 1. */
  static Predictor of(NamedConfiguration use) {
    LocatedJson axis = use.configuration().nonNull("axis");
    LocatedJson distance = use.configuration().nonNull("dist");
    return new Predictor(
        axis == null ? -1 : axis.integer(-32, 31),
        distance == null ? 1 : distance.integer(1, 1 << 16));
  }

  /** The axis of an array of this many dimensions. */
  int axis(int rank, NamedConfiguration use) {
    int found = axis < 0 ? axis + rank : axis;
    if (found < 0 || found >= rank) {
      throw new MetadataException(
          "the axis " + axis + " of a chunk of " + rank + " dimensions",
          use.configuration().location());
    }
    return found;
  }

  /** Refuses an axis that the floating-point predictor of imagecodecs does not have. */
  void requireNearTheEnd(int rank, NamedConfiguration use) {
    if (axis(rank, use) < rank - 2) {
      throw new UnsupportedFeatureException(
          "the floating-point predictor works along one of the last two axes, not along " + axis,
          use.configuration().location());
    }
  }

  /** How chunks of a shape lie in memory. */
  Rows rows(long[] shape, NamedConfiguration use) {
    int at = axis(shape.length, use);
    long samples = 1;
    for (int i = at + 1; i < shape.length; i++) {
      samples *= shape[i];
    }
    return new Rows((int) shape[at], (int) samples, distance);
  }

  /**
   * Rows of elements.
   *
   * @param length the number of elements of a row
   * @param samples the numbers of an element
   * @param distance the number of elements between the two of a difference
   */
  record Rows(int length, int samples, int distance) {
    private long step() {
      return (long) samples * distance;
    }

    /** Replaces the differences of integers by their sums, in place. */
    void undoDelta(byte[] array, int from, int size, int itemSize, boolean isBig) {
      int row = length * samples;
      long step = step();
      for (int start = 0; start < size / itemSize; start += row) {
        for (int i = start + (int) Math.min(step, row); i < start + row; i++) {
          int at = from + i * itemSize;
          put(
              array,
              at,
              itemSize,
              isBig,
              get(array, at, itemSize, isBig)
                  + get(array, at - (int) step * itemSize, itemSize, isBig));
        }
      }
    }

    /** Replaces integers by their differences, in place. */
    void delta(byte[] array, int from, int size, int itemSize, boolean isBig) {
      int row = length * samples;
      long step = step();
      for (int start = 0; start < size / itemSize; start += row) {
        for (int i = start + row - 1; i >= start + step; i--) {
          int at = from + i * itemSize;
          put(
              array,
              at,
              itemSize,
              isBig,
              get(array, at, itemSize, isBig)
                  - get(array, at - (int) step * itemSize, itemSize, isBig));
        }
      }
    }

    /** Undoes the floating-point predictor: the bytes of a row, highest first, and their sums. */
    void undoFloats(
        byte[] source, int from, byte[] target, int to, int size, int itemSize, boolean isBig) {
      int numbers = length * samples;
      int row = numbers * itemSize;
      long step = step();
      byte[] sums = new byte[row];
      for (int start = 0; start < size; start += row) {
        for (int i = 0; i < row; i++) {
          byte before = i < step ? 0 : sums[i - (int) step];
          sums[i] = (byte) (source[from + start + i] + before);
        }
        for (int i = 0; i < numbers; i++) {
          for (int b = 0; b < itemSize; b++) {
            int place = isBig ? b : itemSize - 1 - b;
            target[to + start + i * itemSize + place] = sums[b * numbers + i];
          }
        }
      }
    }

    /** Applies the floating-point predictor. */
    void floats(
        byte[] source, int from, byte[] target, int to, int size, int itemSize, boolean isBig) {
      int numbers = length * samples;
      int row = numbers * itemSize;
      long step = step();
      byte[] bytes = new byte[row];
      for (int start = 0; start < size; start += row) {
        for (int i = 0; i < numbers; i++) {
          for (int b = 0; b < itemSize; b++) {
            int place = isBig ? b : itemSize - 1 - b;
            bytes[b * numbers + i] = source[from + start + i * itemSize + place];
          }
        }
        for (int i = 0; i < row; i++) {
          byte before = i < step ? 0 : bytes[i - (int) step];
          target[to + start + i] = (byte) (bytes[i] - before);
        }
      }
    }

    private static long get(byte[] array, int at, int itemSize, boolean isBig) {
      long value = 0;
      for (int b = 0; b < itemSize; b++) {
        value = value << Byte.SIZE | (array[at + (isBig ? b : itemSize - 1 - b)] & 0xff);
      }
      return value;
    }

    private static void put(byte[] array, int at, int itemSize, boolean isBig, long value) {
      for (int b = 0; b < itemSize; b++) {
        array[at + (isBig ? itemSize - 1 - b : b)] = (byte) (value >>> (Byte.SIZE * b));
      }
    }
  }
}
