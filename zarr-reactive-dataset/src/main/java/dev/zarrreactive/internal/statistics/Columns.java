package dev.zarrreactive.internal.statistics;

import dev.zarrreactive.array.NdArray;
import dev.zarrreactive.base.Bytes;
import dev.zarrreactive.datatype.DataType;
import dev.zarrreactive.datatype.DataTypes;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;

/**
 * The elements of an array as columns: the values along some dimensions, for each cell of the other
 * ones. Neighbouring cells are read together, so that each line of the processor's cache is used
 * once. Immutable.
 */
public final class Columns {
  /** The cells that are read together; a line of the cache has eight doubles. */
  private static final int TOGETHER = 16;

  /** The most doubles of the cells that are read together. */
  private static final int MOST = 1 << 18;

  private static final VarHandle FLOATS =
      MethodHandles.byteArrayViewVarHandle(float[].class, ByteOrder.LITTLE_ENDIAN);
  private static final VarHandle DOUBLES =
      MethodHandles.byteArrayViewVarHandle(double[].class, ByteOrder.LITTLE_ENDIAN);

  private final byte[] memory;
  private final int begin;
  private final boolean isWide;
  private final int[] cells;
  private final int[] positions;

  /** Takes the column of a cell. */
  @FunctionalInterface
  public interface ColumnConsumer {
    /**
     * Takes a column.
     *
     * @param cell the number of the cell, in C order
     * @param column its values in C order, which the consumer may change
     */
    void accept(int cell, double[] column);
  }

  /**
   * Creates the columns of an array.
   *
   * @param values of {@code float32} or {@code float64}; others are converted
   * @param isAlong whether a dimension belongs to the columns, for each dimension
   */
  public Columns(NdArray values, boolean... isAlong) {
    NdArray numbers = (isRead(values.dataType()) ? values : values.cast(DataTypes.FLOAT64));
    Bytes bytes = numbers.toContiguous().bytes();
    this.memory = bytes.unsafeArray();
    this.begin = bytes.unsafeOffset();
    this.isWide = numbers.dataType().equals(DataTypes.FLOAT64);
    long[] extents = values.shape().toArray();
    this.cells = offsets(extents, isAlong, false);
    this.positions = offsets(extents, isAlong, true);
  }

  /** Returns true for a type whose elements are read where they are. */
  public static boolean isRead(DataType type) {
    return type.equals(DataTypes.FLOAT32) || type.equals(DataTypes.FLOAT64);
  }

  /** Returns the places in C order of all positions in some dimensions. */
  static int[] offsets(long[] extents, boolean[] isAlong, boolean wanted) {
    int[] offsets = {0};
    for (int d = 0; d < extents.length; d++) {
      int extent = (int) extents[d];
      boolean isIn = isAlong[d] == wanted;
      int[] next = new int[isIn ? offsets.length * extent : offsets.length];
      for (int i = 0; i < next.length; i++) {
        next[i] = isIn ? offsets[i / extent] * extent + i % extent : offsets[i] * extent;
      }
      offsets = next;
    }
    return offsets;
  }

  /** The number of cells. */
  public int cells() {
    return cells.length;
  }

  /** The number of values of each column. */
  public int length() {
    return positions.length;
  }

  /** Gives each column to a consumer, in the order of the cells. */
  public void each(ColumnConsumer consumer) {
    int together = Math.max(1, Math.min(TOGETHER, MOST / Math.max(1, positions.length)));
    double[][] columns = new double[Math.min(together, cells.length)][positions.length];
    for (int first = 0; first < cells.length; first += together) {
      int size = Math.min(together, cells.length - first);
      fill(first, size, columns, 0);
      for (int i = 0; i < size; i++) {
        consumer.accept(first + i, columns[i]);
      }
    }
  }

  /**
   * Reads the columns of some cells.
   *
   * @param first the number of the first cell
   * @param columns their places
   * @param at the place of the first value in each of them
   */
  public void fill(int first, int size, double[][] columns, int at) {
    if (isWide) {
      for (int p = 0; p < positions.length; p++) {
        for (int i = 0; i < size; i++) {
          int place = begin + (positions[p] + cells[first + i]) * Double.BYTES;
          columns[i][at + p] = (double) DOUBLES.get(memory, place);
        }
      }
    } else {
      for (int p = 0; p < positions.length; p++) {
        for (int i = 0; i < size; i++) {
          int place = begin + (positions[p] + cells[first + i]) * Float.BYTES;
          columns[i][at + p] = (float) FLOATS.get(memory, place);
        }
      }
    }
  }

  /** Returns the values that are not NaN, first, in their order; and how many they are. */
  static int compact(double[] values, int count) {
    int there = 0;
    for (int i = 0; i < count; i++) {
      double value = values[i];
      if (!Double.isNaN(value)) {
        values[there++] = value;
      }
    }
    return there;
  }
}
