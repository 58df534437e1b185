package dev.zarrreactive.internal.planning;

import dev.zarrreactive.array.Axis;
import dev.zarrreactive.array.ResolvedSelection;
import dev.zarrreactive.array.ResolvedSelection.Orthogonal;
import dev.zarrreactive.array.ResolvedSelection.Points;
import dev.zarrreactive.chunkgrid.ChunkEdges;
import dev.zarrreactive.chunkgrid.ChunkGrid;
import java.math.BigInteger;
import java.util.Arrays;
import java.util.Iterator;
import java.util.List;
import java.util.NoSuchElementException;

/**
 * A selection cut into bands: parts that follow one another in C order, so that their elements, one
 * band after the other, are the selection's. A band is a row of chunks, or several small ones, and
 * ends where chunks end: then each chunk is read once. A row that is larger than the bound is cut
 * into thinner bands, and its chunks are read once for each. An empty selection has no band. Bands
 * are made as an iterator asks for them.
 */
public final class Bands implements Iterable<ResolvedSelection> {
  private final List<Axis> axes;
  private final ChunkGrid grid;

  /** The dimension that is cut into runs; the dimensions before it are walked index by index. */
  private final int cut;

  /** The most indices in a run. */
  private final long longestRun;

  private Bands(List<Axis> axes, ChunkGrid grid, int itemSize, BigInteger limit) {
    this.axes = axes;
    this.grid = grid;
    BigInteger row = BigInteger.valueOf(itemSize);
    int dimension = axes.size() - 1;
    while (dimension > 0) {
      BigInteger rows = row.multiply(BigInteger.valueOf(axes.get(dimension).count()));
      if (rows.compareTo(limit) > 0) {
        break;
      }
      row = rows;
      dimension--;
    }
    this.cut = dimension;
    this.longestRun =
        row.signum() == 0
            ? Long.MAX_VALUE
            : limit
                .divide(row)
                .max(BigInteger.ONE)
                .min(BigInteger.valueOf(Long.MAX_VALUE))
                .longValue();
  }

  /**
   * The bands of a selection.
   *
   * @param grid the chunks, which are read whole
   * @param itemSize of one element, in bytes
   * @param target the bytes of several small rows of chunks that make a band together
   * @param most the most bytes of a band, unless it is one element
   */
  public static Iterable<ResolvedSelection> of(
      ResolvedSelection selection, ChunkGrid grid, int itemSize, long target, long most) {
    if (selection instanceof Points points) {
      return () -> new PointRuns(points, (int) runOfPoints(itemSize, most));
    }
    List<Axis> axes = ((Orthogonal) selection).axes();
    BigInteger bound = BigInteger.valueOf(most);
    BigInteger row = rowOfChunks(axes, grid, itemSize);
    return new Bands(
        axes,
        grid,
        itemSize,
        row.compareTo(bound) > 0 ? bound : row.max(BigInteger.valueOf(target)));
  }

  private static long runOfPoints(int itemSize, long most) {
    return Math.max(1, Math.min(Integer.MAX_VALUE, most / Math.max(1, itemSize)));
  }

  /** The bytes that a selection takes of the smallest band in which no chunk is read twice. */
  private static BigInteger rowOfChunks(List<Axis> axes, ChunkGrid grid, int itemSize) {
    BigInteger row = BigInteger.valueOf(itemSize);
    boolean inside = false;
    for (int d = 0; d < axes.size(); d++) {
      long most = inside ? axes.get(d).count() : mostOfOneChunk(axes.get(d), grid.dimension(d));
      inside |= most > 1;
      row = row.multiply(BigInteger.valueOf(most));
    }
    return row;
  }

  private static long mostOfOneChunk(Axis axis, ChunkEdges edges) {
    if (axis instanceof Axis.Range range) {
      return Math.min(range.count(), (edges.largest() - 1) / range.step() + 1);
    }
    return edges.largest() == 1 ? Math.min(1, axis.count()) : axis.count(); // in any order
  }

  /**
   * Returns the elements of some rows of a selection: of the indices {@code from} to {@code to}
   * along the first dimension of its result, which has at least one.
   */
  public static ResolvedSelection rows(ResolvedSelection selection, long from, long to) {
    if (selection instanceof Points points) {
      return part(points, (int) from, (int) to);
    }
    Axis[] parts = ((Orthogonal) selection).axes().toArray(Axis[]::new);
    int axis = rowAxis(selection);
    parts[axis] = part(parts[axis], from, to);
    return new Orthogonal(List.of(parts));
  }

  /** Returns the dimension of the array along which the rows are; -1 for points. */
  public static int rowAxis(ResolvedSelection selection) {
    int axis = -1;
    if (selection instanceof Orthogonal box) {
      do {
        axis++;
      } while (box.axes().get(axis) instanceof Axis.Range range && range.dropped());
    }
    return axis;
  }

  @Override
  public Iterator<ResolvedSelection> iterator() {
    return new Walk();
  }

  private final class Walk implements Iterator<ResolvedSelection> {
    /** For the dimensions up to the cut one: the position of the next band. */
    private final long[] next = new long[Math.max(cut + 1, 0)];

    private boolean done = axes.stream().anyMatch(axis -> axis.count() == 0);

    @Override
    public boolean hasNext() {
      return !done;
    }

    @Override
    public ResolvedSelection next() {
      if (done) {
        throw new NoSuchElementException();
      }
      Axis[] parts = axes.toArray(Axis[]::new);
      if (cut < 0) {
        done = true; // a scalar
        return new Orthogonal(List.of(parts));
      }
      for (int dimension = 0; dimension < cut; dimension++) {
        parts[dimension] = part(axes.get(dimension), next[dimension], next[dimension] + 1);
      }
      long end = endOfRun(next[cut]);
      parts[cut] = part(axes.get(cut), next[cut], end);
      next[cut] = end;
      advance();
      return new Orthogonal(List.of(parts));
    }

    private void advance() {
      int dimension = cut;
      while (next[dimension] >= axes.get(dimension).count()) {
        next[dimension] = 0;
        dimension--;
        if (dimension < 0) {
          done = true;
          return;
        }
        next[dimension]++;
      }
    }
  }

  /** Where the run that begins at position {@code from} ends: at the edge of a chunk, if it can. */
  private long endOfRun(long from) {
    Axis axis = axes.get(cut);
    if (axis.count() - from <= longestRun) {
      return axis.count();
    }
    long end = from + longestRun;
    if (axis instanceof Axis.Range range) {
      ChunkEdges edges = grid.dimension(cut);
      long edge = edges.start(edges.chunkOf(range.start() + end * range.step()));
      long atEdge = -Math.floorDiv(range.start() - edge, range.step()); // rounded up
      if (atEdge > from) {
        return atEdge;
      }
    }
    return end;
  }

  private static Axis part(Axis axis, long from, long to) {
    if (axis instanceof Axis.Indices list) {
      return new Axis.Indices(Arrays.copyOfRange(list.toArray(), (int) from, (int) to));
    }
    Axis.Range range = (Axis.Range) axis;
    return new Axis.Range(
        range.start() + from * range.step(), to - from, range.step(), range.dropped());
  }

  /** Points, a number of them at a time. */
  private static final class PointRuns implements Iterator<ResolvedSelection> {
    private final Points points;
    private final int longest;
    private int next;

    PointRuns(Points points, int longest) {
      this.points = points;
      this.longest = longest;
    }

    @Override
    public boolean hasNext() {
      return next < points.count();
    }

    @Override
    public ResolvedSelection next() {
      if (!hasNext()) {
        throw new NoSuchElementException();
      }
      int from = next;
      next += Math.min(longest, points.count() - from);
      return part(points, from, next);
    }
  }

  private static Points part(Points points, int from, int to) {
    long[][] coordinates = new long[points.rank()][to - from];
    for (int d = 0; d < coordinates.length; d++) {
      for (int i = 0; i < to - from; i++) {
        coordinates[d][i] = points.index(d, from + i);
      }
    }
    return new Points(to - from, coordinates);
  }
}
