package dev.zarrreactive.internal.statistics;

import dev.zarrreactive.array.Axis;
import dev.zarrreactive.array.Chunk;
import dev.zarrreactive.array.ResolvedSelection;
import dev.zarrreactive.base.Bytes;
import dev.zarrreactive.cf.CfDecoding;
import dev.zarrreactive.cf.LinearDecoding;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * The statistics of one chunk, in cells that it has a part of. Made on a codec thread; the elements
 * are decoded some at a time, and each is read once, or twice for a variance. Missing values are
 * counted in no cell. Values that are a formula of small integers are not decoded: {@link
 * WholeCells}.
 */
public final class ChunkStatistics {
  /** Sums that grow independently of each other in a row that becomes one number. */
  private static final int LANES = 4;

  final List<CellAxis.Part> parts;
  final int[] counts;
  final double[] sums;
  final double[] squares;
  final double[] least;
  final double[] greatest;

  private final int[][] local;
  private final int[] extents;
  private final int[] strides;
  private final boolean hasSums;
  private final Row row;

  /** The last dimensions that are one loop. */
  private record Row(int dimensions, int length, Kind kind) {
    enum Kind {
      KEPT,
      REDUCED,
      GROUPED
    }
  }

  /** Takes a part of a row: values, which belong to the cells from one on. */
  private interface Kernel {
    void run(byte[] values, int at, int count, int cell, int column);
  }

  /** Takes a row: its first element in the chunk, and its first cell. */
  private interface RowConsumer {
    void accept(int element, int cell);
  }

  /**
   * Makes the statistics of a chunk.
   *
   * @param decoding of its elements; null where they are values already
   * @param axes the dimensions of its selection
   */
  public ChunkStatistics(
      @Nullable CfDecoding decoding, List<CellAxis> axes, Accumulated wanted, Chunk chunk) {
    this.parts = parts(axes, ((ResolvedSelection.Orthogonal) chunk.selection()).axes());
    int rank = axes.size();
    this.local = parts.stream().map(CellAxis.Part::local).toArray(int[][]::new);
    this.extents = Arrays.stream(local).mapToInt(places -> places.length).toArray();
    this.strides = new int[rank];
    int cells = 1;
    for (int d = rank - 1; d >= 0; d--) {
      strides[d] = cells;
      cells *= parts.get(d).cells().length;
    }
    this.row = row(axes);
    hasSums = wanted.sums();
    boolean hasSquares = wanted.squares();
    boolean hasExtremes = wanted.extremes();
    counts = new int[cells];
    sums = new double[hasSums ? cells : 0];
    squares = new double[hasSquares ? cells : 0];
    least = new double[hasExtremes ? cells : 0];
    greatest = new double[hasExtremes ? cells : 0];
    Arrays.fill(least, Double.POSITIVE_INFINITY);
    Arrays.fill(greatest, Double.NEGATIVE_INFINITY);
    LinearDecoding linear = linear(decoding, chunk);
    if (cells > 0 && linear != null) {
      addWholes(new WholeCells(linear, wanted, cells, row.length()), chunk);
    } else if (cells > 0) {
      each(
          new ElementReader(decoding, chunk.data()),
          (values, at, count, cell, column) -> {
            if (hasExtremes) {
              extremes(values, at, count, cell, column);
            }
            if (hasSums) {
              sums(values, at, count, cell, column);
            } else {
              counts(values, at, count, cell, column);
            }
          });
      if (hasSquares) {
        double[] means = new double[cells];
        Arrays.setAll(means, cell -> sums[cell] / counts[cell]);
        each(
            new ElementReader(decoding, chunk.data()),
            (values, at, count, cell, column) -> squares(values, at, count, cell, column, means));
      }
    }
  }

  /** Returns the formula of the values; null where they have none, or the row has groups. */
  private @Nullable LinearDecoding linear(@Nullable CfDecoding decoding, Chunk chunk) {
    long elements = chunk.data().shape().elementCountUpTo(Long.MAX_VALUE);
    return decoding == null || row.kind() == Row.Kind.GROUPED
        ? null
        : decoding.linear().filter(by -> WholeCells.fit(by, elements)).orElse(null);
  }

  private void addWholes(WholeCells wholes, Chunk chunk) {
    Bytes bytes = chunk.data().bytes();
    byte[] stored = bytes.unsafeArray();
    int size = chunk.data().dataType().itemSize();
    rows(
        (element, cell) -> {
          int at = bytes.unsafeOffset() + element * size;
          if (row.kind() == Row.Kind.KEPT) {
            wholes.addKept(stored, at, row.length(), cell);
          } else {
            wholes.addReduced(stored, at, row.length(), cell);
          }
        });
    wholes.finish(this);
  }

  private static List<CellAxis.Part> parts(List<CellAxis> axes, List<Axis> selected) {
    List<CellAxis.Part> parts = new ArrayList<>();
    for (Axis axis : selected) {
      if (!(axis instanceof Axis.Range range && range.dropped())) {
        parts.add(axes.get(parts.size()).part(axis));
      }
    }
    return List.copyOf(parts);
  }

  private Row row(List<CellAxis> axes) {
    int last = axes.size() - 1;
    if (last < 0) {
      return new Row(0, 1, Row.Kind.KEPT);
    } else if (axes.get(last).isGrouped()) {
      return new Row(1, extents[last], Row.Kind.GROUPED);
    }
    boolean isKept = axes.get(last).isKept();
    int length = 1;
    int d = last;
    while (d >= 0 && !axes.get(d).isGrouped() && axes.get(d).isKept() == isKept) {
      length *= extents[d];
      d--;
    }
    return new Row(last - d, length, isKept ? Row.Kind.KEPT : Row.Kind.REDUCED);
  }

  /** Gives each row to the kernel, in C order and in parts that are decoded together. */
  private void each(ElementReader elements, Kernel kernel) {
    rows(
        (first, cell) -> {
          int column = 0;
          while (column < row.length()) {
            int size = elements.load(first + column, row.length() - column);
            kernel.run(elements.values(), elements.place(first + column), size, cell, column);
            column += size;
          }
        });
  }

  /** Tells of each row that belongs to cells, in C order. */
  private void rows(RowConsumer consumer) {
    int outer = extents.length - row.dimensions();
    int[] place = new int[outer];
    int rows = IntStream.range(0, outer).map(d -> extents[d]).reduce(1, Math::multiplyExact);
    for (int r = 0; r < rows; r++) {
      int cell = 0;
      boolean isOut = false;
      for (int d = 0; d < outer; d++) {
        int its = local[d][place[d]];
        isOut |= its < 0;
        cell += its * strides[d];
      }
      if (!isOut) {
        consumer.accept(r * row.length(), cell);
      }
      for (int d = outer - 1; d >= 0 && ++place[d] == extents[d]; d--) {
        place[d] = 0;
      }
    }
  }

  private int[] groups() {
    return local[local.length - 1];
  }

  private void counts(byte[] values, int at, int size, int cell, int column) {
    for (int i = 0; i < size; i++) {
      double value = ElementReader.value(values, at + i * Double.BYTES);
      int to = cell(cell, column + i);
      if (!Double.isNaN(value) && to >= 0) {
        counts[to]++;
      }
    }
  }

  private int cell(int cell, int column) {
    return switch (row.kind()) {
      case KEPT -> cell + column;
      case REDUCED -> cell;
      case GROUPED -> groups()[column] < 0 ? -1 : cell + groups()[column];
    };
  }

  private void sums(byte[] values, int at, int size, int cell, int column) {
    switch (row.kind()) {
      case KEPT -> {
        int to = cell + column;
        for (int i = 0; i < size; i++) {
          double value = ElementReader.value(values, at + i * Double.BYTES);
          boolean isThere = !Double.isNaN(value);
          sums[to + i] += isThere ? value : 0.0;
          counts[to + i] += isThere ? 1 : 0;
        }
      }
      case REDUCED -> sumRow(values, at, size, cell);
      case GROUPED -> {
        int[] groups = groups();
        for (int i = 0; i < size; i++) {
          double value = ElementReader.value(values, at + i * Double.BYTES);
          int group = groups[column + i];
          if (!Double.isNaN(value) && group >= 0) {
            sums[cell + group] += value;
            counts[cell + group]++;
          }
        }
      }
    }
  }

  private void sumRow(byte[] values, int at, int size, int cell) {
    double[] lanes = new double[LANES];
    int count = 0;
    int whole = size - size % LANES;
    for (int i = 0; i < whole; i += LANES) {
      for (int lane = 0; lane < LANES; lane++) {
        double value = ElementReader.value(values, at + (i + lane) * Double.BYTES);
        boolean isThere = !Double.isNaN(value);
        lanes[lane] += isThere ? value : 0.0;
        count += isThere ? 1 : 0;
      }
    }
    for (int i = whole; i < size; i++) {
      double value = ElementReader.value(values, at + i * Double.BYTES);
      boolean isThere = !Double.isNaN(value);
      lanes[i - whole] += isThere ? value : 0.0;
      count += isThere ? 1 : 0;
    }
    sums[cell] += lanes[0] + lanes[1] + (lanes[2] + lanes[3]);
    counts[cell] += count;
  }

  /** Finds least and greatest values; a comparison with NaN is false. */
  private void extremes(byte[] values, int at, int size, int cell, int column) {
    if (row.kind() == Row.Kind.KEPT) {
      int first = cell + column;
      for (int i = 0; i < size; i++) {
        double value = ElementReader.value(values, at + i * Double.BYTES);
        int to = first + i;
        least[to] = value < least[to] ? value : least[to];
        greatest[to] = value > greatest[to] ? value : greatest[to];
      }
      return;
    }
    for (int i = 0; i < size; i++) {
      double value = ElementReader.value(values, at + i * Double.BYTES);
      int to = cell(cell, column + i);
      if (to >= 0) {
        least[to] = value < least[to] ? value : least[to];
        greatest[to] = value > greatest[to] ? value : greatest[to];
      }
    }
  }

  private void squares(byte[] values, int at, int size, int cell, int column, double... means) {
    if (row.kind() == Row.Kind.KEPT) {
      int first = cell + column;
      for (int i = 0; i < size; i++) {
        double value = ElementReader.value(values, at + i * Double.BYTES);
        double apart = value - means[first + i];
        squares[first + i] += Double.isNaN(value) ? 0.0 : apart * apart;
      }
      return;
    }
    for (int i = 0; i < size; i++) {
      double value = ElementReader.value(values, at + i * Double.BYTES);
      int to = cell(cell, column + i);
      if (!Double.isNaN(value) && to >= 0) {
        double apart = value - means[to];
        squares[to] += apart * apart;
      }
    }
  }
}
