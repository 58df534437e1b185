package dev.zarrreactive.dataset;

import dev.zarrreactive.array.NdArray;
import dev.zarrreactive.array.Shape;
import dev.zarrreactive.datatype.DataType;
import dev.zarrreactive.datatype.DataTypes;
import dev.zarrreactive.datatype.FloatType;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.function.IntToDoubleFunction;

/**
 * The statistics of all chunks so far, which are added in the order of the plan: results are the
 * same bits each time. Sums of chunks are added with their rounding errors (Knuth's two-sum), and
 * variances are merged as Chan, Golub and LeVeque do. Used by one thread at a time.
 */
final class Totals {
  /** The bytes of a cell with all statistics. */
  private static final int COUNT_BYTES = 8;

  private static final int SUM_BYTES = 16;
  private static final int SQUARE_BYTES = 8;
  private static final int EXTREME_BYTES = 16;

  private final List<CellAxis> axes;
  private final long[] counts;
  private final double[] sums;
  private final double[] errors;
  private final double[] squares;
  private final double[] least;
  private final double[] greatest;

  Totals(List<CellAxis> axes, Set<Statistic> wanted) {
    this.axes = axes;
    int cells = axes.stream().mapToInt(CellAxis::cells).reduce(1, Math::multiplyExact);
    boolean hasSums = wanted.stream().anyMatch(Statistic::needsSums);
    boolean hasSquares = wanted.stream().anyMatch(Statistic::needsSquares);
    boolean hasExtremes = wanted.stream().anyMatch(Statistic::needsExtremes);
    counts = new long[cells];
    sums = new double[hasSums ? cells : 0];
    errors = new double[hasSums ? cells : 0];
    squares = new double[hasSquares ? cells : 0];
    least = new double[hasExtremes ? cells : 0];
    greatest = new double[hasExtremes ? cells : 0];
    Arrays.fill(least, Double.POSITIVE_INFINITY);
    Arrays.fill(greatest, Double.NEGATIVE_INFINITY);
  }

  /** Returns the bytes that a cell takes. */
  static int bytesOfCell(Set<Statistic> wanted) {
    return COUNT_BYTES
        + (wanted.stream().anyMatch(Statistic::needsSums) ? SUM_BYTES : 0)
        + (wanted.stream().anyMatch(Statistic::needsSquares) ? SQUARE_BYTES : 0)
        + (wanted.stream().anyMatch(Statistic::needsExtremes) ? EXTREME_BYTES : 0);
  }

  /** Adds the statistics of a chunk. */
  Totals add(ChunkStatistics chunk) {
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
  Totals keepMissing() {
    long[] members = {1};
    for (CellAxis axis : axes) {
      long[] its = axis.members();
      int cells = axis.cells();
      long[] product = new long[members.length * cells];
      for (int i = 0; i < product.length; i++) {
        product[i] = members[i / cells] * its[its.length == 1 ? 0 : i % cells];
      }
      members = product;
    }
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

  /** Returns one statistic of all cells. */
  NdArray result(Statistic statistic, DataType values) {
    boolean isReal = values instanceof FloatType;
    Shape shape =
        Shape.of(
            axes.stream().filter(axis -> !axis.isReduced()).mapToLong(CellAxis::cells).toArray());
    return switch (statistic) {
      case COUNT -> NdArray.ofLongs(DataTypes.INT64, shape, counts.clone());
      case SUM -> {
        NdArray sum = NdArray.ofDoubles(shape, cells(this::sum));
        yield isReal ? sum : sum.cast(DataTypes.INT64);
      }
      case MEAN -> NdArray.ofDoubles(shape, cells(cell -> sum(cell) / counts[cell]));
      case VARIANCE -> NdArray.ofDoubles(shape, cells(cell -> squares[cell] / counts[cell]));
      case STD -> NdArray.ofDoubles(shape, cells(cell -> Math.sqrt(squares[cell] / counts[cell])));
      case MIN -> extremes(least, shape, values);
      case MAX -> extremes(greatest, shape, values);
    };
  }

  private NdArray extremes(double[] found, Shape shape, DataType values) {
    boolean hasGroups = axes.stream().anyMatch(CellAxis::isGrouped);
    double[] extremes = cells(cell -> counts[cell] == 0 ? Double.NaN : found[cell]);
    if (values.equals(DataTypes.BOOL) && !hasGroups) {
      boolean[] all = new boolean[extremes.length];
      for (int i = 0; i < all.length; i++) {
        all[i] = extremes[i] != 0;
      }
      return NdArray.ofBooleans(shape, all);
    }
    NdArray doubles = NdArray.ofDoubles(shape, extremes);
    return values instanceof FloatType || !hasGroups ? doubles.cast(values) : doubles;
  }

  private double[] cells(IntToDoubleFunction value) {
    double[] all = new double[counts.length];
    Arrays.setAll(all, value);
    return all;
  }
}
