package dev.zarrreactive.internal.statistics;

import dev.zarrreactive.array.NdArray;
import dev.zarrreactive.array.Shape;
import dev.zarrreactive.datatype.DataType;
import dev.zarrreactive.datatype.DataTypes;
import dev.zarrreactive.datatype.FloatType;
import java.util.Arrays;
import java.util.List;
import java.util.function.IntToDoubleFunction;

/**
 * The statistics of all chunks so far, which are added in the order of the plan: results are the
 * same bits each time. Sums of chunks are added with their rounding errors (Knuth's two-sum), and
 * variances are merged as Chan, Golub and LeVeque do. Used by one thread at a time.
 */
public final class Totals {
  private final List<CellAxis> axes;
  private final long[] counts;
  private final double[] sums;
  private final double[] errors;
  private final double[] squares;
  private final double[] least;
  private final double[] greatest;

  /** Creates the totals of no chunk. */
  public Totals(List<CellAxis> axes, Accumulated wanted) {
    this.axes = axes;
    int cells = axes.stream().mapToInt(CellAxis::cells).reduce(1, Math::multiplyExact);
    counts = new long[cells];
    sums = new double[wanted.sums() ? cells : 0];
    errors = new double[wanted.sums() ? cells : 0];
    squares = new double[wanted.squares() ? cells : 0];
    least = new double[wanted.extremes() ? cells : 0];
    greatest = new double[wanted.extremes() ? cells : 0];
    Arrays.fill(least, Double.POSITIVE_INFINITY);
    Arrays.fill(greatest, Double.NEGATIVE_INFINITY);
  }

  /** Adds the statistics of a chunk. */
  public Totals add(ChunkStatistics chunk) {
    add(chunk, 0, 0, 0);
    return this;
  }

  private void add(ChunkStatistics chunk, int d, int from, int to) {
    if (d == axes.size()) {
      addRow(chunk, from, to, 1);
      return;
    }
    CellAxis.Part part = chunk.parts.get(d);
    int[] cells = part.cells();
    int first = from * cells.length;
    int start = to * axes.get(d).cells();
    if (d == axes.size() - 1 && part.isContiguous() && cells.length > 0) {
      addRow(chunk, first, start + cells[0], cells.length);
      return;
    }
    for (int i = 0; i < cells.length; i++) {
      add(chunk, d + 1, first + i, start + cells[i]);
    }
  }

  private void addRow(ChunkStatistics chunk, int from, int to, int size) {
    if (squares.length > 0) {
      for (int i = 0; i < size; i++) {
        mergeSquares(chunk, from + i, to + i);
      }
    }
    if (sums.length > 0) {
      addSums(chunk.sums, from, to, size);
    }
    for (int i = 0; i < size; i++) {
      counts[to + i] += chunk.counts[from + i];
    }
    if (least.length > 0) {
      for (int i = 0; i < size; i++) {
        least[to + i] = Math.min(least[to + i], chunk.least[from + i]);
        greatest[to + i] = Math.max(greatest[to + i], chunk.greatest[from + i]);
      }
    }
  }

  /** Adds sums, and the parts of them that rounding cut off to the errors. */
  private void addSums(double[] more, int from, int to, int size) {
    for (int i = 0; i < size; i++) {
      double before = sums[to + i];
      double added = more[from + i];
      double sum = before + added;
      double part = sum - before;
      errors[to + i] += (before - (sum - part)) + (added - part);
      sums[to + i] = sum;
    }
  }

  private void mergeSquares(ChunkStatistics chunk, int from, int to) {
    double before = counts[to];
    double more = chunk.counts[from];
    if (more > 0) {
      double apart = before == 0 ? 0 : chunk.sums[from] / more - sum(to) / before;
      squares[to] += chunk.squares[from] + apart * apart * before * more / (before + more);
    }
  }

  private double sum(int cell) {
    double exact = sums[cell] + errors[cell];
    return Double.isNaN(exact) ? sums[cell] : exact; // infinite sums have no errors
  }

  /** Turns cells that lack a value into missing ones. */
  public Totals keepMissing() {
    long[] members = CellAxis.members(axes);
    for (int i = 0; i < counts.length; i++) {
      if (counts[i] < members[i]) {
        for (double[] values : List.of(sums, squares, least, greatest)) {
          if (values.length > 0) {
            values[i] = Double.NaN;
          }
        }
      }
    }
    return this;
  }

  /** Returns the number of values of each cell. */
  public NdArray counts() {
    return NdArray.ofLongs(DataTypes.INT64, shape(), counts.clone());
  }

  /** Returns the sum of each cell, with the type that sums of {@code values} have. */
  public NdArray sums(DataType values) {
    NdArray sums = NdArray.ofDoubles(shape(), cells(this::sum));
    return values instanceof FloatType ? sums : sums.cast(DataTypes.INT64);
  }

  /** Returns the mean of each cell. */
  public NdArray means() {
    return NdArray.ofDoubles(shape(), cells(cell -> sum(cell) / counts[cell]));
  }

  /** Returns the sum of each cell divided by that of other totals; NaN where the other one is 0. */
  public NdArray quotients(Totals others) {
    return NdArray.ofDoubles(
        shape(), cells(cell -> others.sum(cell) == 0 ? Double.NaN : sum(cell) / others.sum(cell)));
  }

  /** Returns the variance of each cell, of a whole population. */
  public NdArray variances() {
    return NdArray.ofDoubles(shape(), cells(cell -> squares[cell] / counts[cell]));
  }

  /** Returns the standard deviation of each cell, of a whole population. */
  public NdArray deviations() {
    return NdArray.ofDoubles(shape(), cells(cell -> Math.sqrt(squares[cell] / counts[cell])));
  }

  /** Returns the least value of each cell, with the type that extremes of {@code values} have. */
  public NdArray least(DataType values) {
    return extremes(least, values);
  }

  /** Returns the greatest value of each cell; otherwise as {@link #least}. */
  public NdArray greatest(DataType values) {
    return extremes(greatest, values);
  }

  private Shape shape() {
    return Shape.of(
        axes.stream().filter(axis -> !axis.isReduced()).mapToLong(CellAxis::cells).toArray());
  }

  private NdArray extremes(double[] found, DataType values) {
    boolean hasGroups = axes.stream().anyMatch(CellAxis::isGrouped);
    double[] extremes = cells(cell -> counts[cell] == 0 ? Double.NaN : found[cell]);
    if (values.equals(DataTypes.BOOL) && !hasGroups) {
      boolean[] all = new boolean[extremes.length];
      for (int i = 0; i < all.length; i++) {
        all[i] = extremes[i] != 0;
      }
      return NdArray.ofBooleans(shape(), all);
    }
    NdArray doubles = NdArray.ofDoubles(shape(), extremes);
    return values instanceof FloatType || !hasGroups ? doubles.cast(values) : doubles;
  }

  private double[] cells(IntToDoubleFunction value) {
    double[] all = new double[counts.length];
    Arrays.setAll(all, value);
    return all;
  }
}
