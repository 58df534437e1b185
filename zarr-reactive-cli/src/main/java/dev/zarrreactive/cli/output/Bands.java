package dev.zarrreactive.cli.output;

import dev.zarrreactive.array.Axis;
import dev.zarrreactive.array.DimensionSelection;
import dev.zarrreactive.array.ResolvedSelection;
import dev.zarrreactive.array.Selection;
import dev.zarrreactive.chunkgrid.ChunkEdges;
import dev.zarrreactive.chunkgrid.ChunkGrid;
import java.math.BigInteger;
import java.util.Iterator;
import java.util.List;
import java.util.NoSuchElementException;

/**
 * A selection cut into parts that follow one another in C order, none larger than a given size (but
 * of one element at least). Written one after the other, they are the selection; of an empty one
 * there are none. Where the size allows, parts end where chunks do, so that no chunk is read twice.
 * Made as they are asked for.
 */
final class Bands implements Iterable<Selection> {
  private final List<Axis> axes;
  private final ChunkGrid grid;

  /** The dimension that is cut into runs; those before it are walked index by index. */
  private final int cut;

  /** The most indices in a run. */
  private final long longestRun;

  /**
   * The bands of a selection.
   *
   * @param itemSize of one element, in bytes
   * @param limit the most bytes of one band
   */
  Bands(ResolvedSelection.Orthogonal selection, ChunkGrid grid, int itemSize, long limit) {
    this.axes = selection.axes();
    this.grid = grid;
    BigInteger most = BigInteger.valueOf(limit);
    BigInteger row = BigInteger.valueOf(itemSize);
    int dimension = axes.size() - 1;
    while (dimension > 0) {
      BigInteger rows = row.multiply(BigInteger.valueOf(axes.get(dimension).count()));
      if (rows.compareTo(most) > 0) {
        break;
      }
      row = rows;
      dimension--;
    }
    this.cut = dimension;
    this.longestRun =
        row.signum() == 0
            ? Long.MAX_VALUE
            : most.divide(row)
                .max(BigInteger.ONE)
                .min(BigInteger.valueOf(Long.MAX_VALUE))
                .longValue();
  }

  @Override
  public Iterator<Selection> iterator() {
    return new Walk();
  }

  private final class Walk implements Iterator<Selection> {
    /** For the dimensions up to the cut one: the position of the next band. */
    private final long[] next = new long[Math.max(cut + 1, 0)];

    private boolean done = axes.stream().anyMatch(axis -> axis.count() == 0);

    @Override
    public boolean hasNext() {
      return !done;
    }

    @Override
    public Selection next() {
      if (done) {
        throw new NoSuchElementException();
      }
      DimensionSelection[] entries = new DimensionSelection[axes.size()];
      for (int dimension = 0; dimension < entries.length; dimension++) {
        Axis axis = axes.get(dimension);
        if (dimension < cut) {
          entries[dimension] = part(axis, next[dimension], next[dimension] + 1);
        } else if (dimension > cut) {
          entries[dimension] = part(axis, 0, axis.count());
        }
      }
      if (cut < 0) {
        done = true; // a scalar
        return Selection.of(entries);
      }
      long end = endOfRun(next[cut]);
      entries[cut] = part(axes.get(cut), next[cut], end);
      next[cut] = end;
      advance();
      return Selection.of(entries);
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

  private static DimensionSelection part(Axis axis, long from, long to) {
    if (axis instanceof Axis.Indices list) {
      long[] indices = new long[(int) (to - from)];
      for (int i = 0; i < indices.length; i++) {
        indices[i] = list.index((int) from + i);
      }
      return DimensionSelection.indices(indices);
    }
    Axis.Range range = (Axis.Range) axis;
    if (from == to) {
      return DimensionSelection.slice(0, 0);
    }
    long first = range.start() + from * range.step();
    long last = range.start() + (to - 1) * range.step();
    return DimensionSelection.slice(first, last + 1, range.step());
  }
}
