package dev.zarrreactive.anndata;

import dev.zarrreactive.array.NdArray;
import java.util.Objects;

/**
 * The stored values of lines of a sparse matrix that follow one another. A line is a row of a
 * matrix that is compressed by rows, else a column. Immutable.
 */
public final class AnnSparsePart {
  private final long first;
  private final boolean byRows;
  private final int[] starts;
  private final long[] others;
  private final NdArray values;

  AnnSparsePart(long first, boolean byRows, int[] starts, long[] others, NdArray values) {
    this.first = first;
    this.byRows = byRows;
    this.starts = starts;
    this.others = others;
    this.values = values;
  }

  /** Receives stored values. */
  @FunctionalInterface
  public interface Visitor {
    /**
     * Takes a value.
     *
     * @param row the row in the matrix
     * @param column the column in the matrix
     * @param place the place of the value in {@link AnnSparsePart#values()}
     */
    void visit(long row, long column, int place);
  }

  /** The first line, counted in the matrix. */
  public long first() {
    return first;
  }

  /** The number of lines. */
  public int lines() {
    return starts.length - 1;
  }

  /** The stored values of all lines, one after the other: one dimension. */
  public NdArray values() {
    return values;
  }

  /** Returns the number of stored values of a line, counted from 0, the first one of the part. */
  public int storedValues(int line) {
    Objects.checkIndex(line, lines());
    return starts[line + 1] - starts[line];
  }

  /**
   * Passes all stored values, line by line, and within a line as they are stored; a place may occur
   * twice, and counts as the sum.
   */
  public void forEach(Visitor visitor) {
    for (int line = 0; line < lines(); line++) {
      for (int place = starts[line]; place < starts[line + 1]; place++) {
        long along = first + line;
        visitor.visit(byRows ? along : others[place], byRows ? others[place] : along, place);
      }
    }
  }
}
