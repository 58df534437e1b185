package dev.zarrreactive.internal.planning;

import dev.zarrreactive.array.Axis;
import dev.zarrreactive.array.ResolvedSelection;
import dev.zarrreactive.array.ResolvedSelection.Orthogonal;
import dev.zarrreactive.array.ResolvedSelection.Points;
import dev.zarrreactive.chunkgrid.ChunkGrid;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Iterator;
import java.util.List;
import java.util.NoSuchElementException;
import java.util.function.LongSupplier;
import java.util.function.UnaryOperator;

/**
 * The chunks that a selection touches, in C order of their indices, each once. Made one by one as
 * an iterator asks: a grid may have 10^12 chunks.
 */
public final class ChunkPlan implements Iterable<ChunkProjection> {
  private final Iterable<ChunkProjection> projections;
  private final LongSupplier size;

  private ChunkPlan(Iterable<ChunkProjection> projections, LongSupplier size) {
    this.projections = projections;
    this.size = size;
  }

  /** The plan of a selection of an array with the given chunk grid. */
  public static ChunkPlan of(ResolvedSelection selection, ChunkGrid grid) {
    if (selection instanceof Orthogonal orthogonal) {
      return new ChunkPlan(
          () -> new Odometer(orthogonal.axes(), grid), () -> count(orthogonal.axes(), grid));
    }
    List<ChunkProjection> byChunk = PointPlan.of((Points) selection, grid);
    return new ChunkPlan(byChunk, byChunk::size);
  }

  /**
   * The inner chunks of a shard that a projection touches.
   *
   * @param shard what is taken of the shard
   * @param start the shard's first element in the array
   * @param grid how the shard is divided
   */
  public static ChunkPlan inside(ChunkProjection shard, long[] start, ChunkGrid grid) {
    long[] back = Arrays.stream(start).map(i -> -i).toArray();
    ChunkPlan plan = of(shard.selected().shifted(back), grid);
    return new ChunkPlan(
        () -> new MappedIterator(plan.iterator(), inner -> inner.inside(shard, start)), plan.size);
  }

  /**
   * How many chunks these are; {@code Long.MAX_VALUE} where they are more. Counts along each axis.
   */
  public long size() {
    return size.getAsLong();
  }

  private static long count(List<Axis> axes, ChunkGrid grid) {
    long count = 1;
    for (int d = 0; d < axes.size(); d++) {
      long along = 0;
      Iterator<AxisPart> parts = AxisPlan.of(axes.get(d), grid.dimension(d)).iterator();
      for (; parts.hasNext(); parts.next()) {
        along++;
      }
      count = along != 0 && count > Long.MAX_VALUE / along ? Long.MAX_VALUE : count * along;
    }
    return count;
  }

  @Override
  public Iterator<ChunkProjection> iterator() {
    return projections.iterator();
  }

  /** Changes each projection as it is asked for. */
  private record MappedIterator(
      Iterator<ChunkProjection> source, UnaryOperator<ChunkProjection> change)
      implements Iterator<ChunkProjection> {
    @Override
    public boolean hasNext() {
      return source.hasNext();
    }

    @Override
    public ChunkProjection next() {
      return change.apply(source.next());
    }
  }

  /** Counts through the combinations of the axes' parts, the last axis fastest. */
  private static final class Odometer implements Iterator<ChunkProjection> {
    private final ChunkGrid grid;
    private final long[] resultExtents;
    private final List<AxisPlan> plans = new ArrayList<>();
    private final List<Iterator<AxisPart>> rest = new ArrayList<>();
    private final List<AxisPart> current = new ArrayList<>();
    private boolean hasNext = true;

    Odometer(List<Axis> axes, ChunkGrid grid) {
      this.grid = grid;
      this.resultExtents = axes.stream().mapToLong(Axis::count).toArray();
      for (int d = 0; d < axes.size(); d++) {
        plans.add(AxisPlan.of(axes.get(d), grid.dimension(d)));
        Iterator<AxisPart> parts = plans.get(d).iterator();
        if (!parts.hasNext()) {
          hasNext = false;
          return;
        }
        rest.add(parts);
        current.add(parts.next());
      }
    }

    @Override
    public boolean hasNext() {
      return hasNext;
    }

    @Override
    public ChunkProjection next() {
      if (!hasNext) {
        throw new NoSuchElementException();
      }
      ChunkProjection projection = projection();
      hasNext = advance();
      return projection;
    }

    private ChunkProjection projection() {
      long[] index = new long[current.size()];
      Axis[] selected = new Axis[index.length];
      for (int d = 0; d < index.length; d++) {
        index[d] = current.get(d).chunk();
        selected[d] = current.get(d).selected();
      }
      Region region =
          new BoxRegion(List.copyOf(current), grid.chunkShape(index).toArray(), resultExtents);
      return new ChunkProjection(index, region, new Orthogonal(List.of(selected)));
    }

    private boolean advance() {
      for (int d = plans.size() - 1; d >= 0; d--) {
        if (rest.get(d).hasNext()) {
          current.set(d, rest.get(d).next());
          return true;
        }
        rest.set(d, plans.get(d).iterator());
        current.set(d, rest.get(d).next());
      }
      return false;
    }
  }
}
