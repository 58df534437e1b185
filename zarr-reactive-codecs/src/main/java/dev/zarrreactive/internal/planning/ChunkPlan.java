package dev.zarrreactive.internal.planning;

import dev.zarrreactive.array.Axis;
import dev.zarrreactive.array.ResolvedSelection;
import dev.zarrreactive.array.ResolvedSelection.Orthogonal;
import dev.zarrreactive.array.ResolvedSelection.Points;
import dev.zarrreactive.chunkgrid.ChunkGrid;
import dev.zarrreactive.internal.planning.AxisPlan.AxisPart;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.NoSuchElementException;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import java.util.function.Predicate;
import java.util.stream.StreamSupport;

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

  /** Returns the plan of a selection of an array with the given chunk grid. */
  public static ChunkPlan of(ResolvedSelection selection, ChunkGrid grid) {
    if (selection instanceof Points points) {
      return of(PointPlan.of(points, grid));
    }
    List<Axis> axes = ((Orthogonal) selection).axes();
    List<Iterable<AxisPart>> plans = new ArrayList<>();
    long[] extents = new long[axes.size()];
    for (int d = 0; d < extents.length; d++) {
      plans.add(AxisPlan.of(axes.get(d), grid.dimension(d)));
      extents[d] = axes.get(d).count();
    }
    return of(plans, extents);
  }

  /** Returns the plan of one whole chunk, with the part of it that lies beyond the array's end. */
  public static ChunkPlan ofChunk(ChunkGrid grid, long... index) {
    long[] start = grid.chunkStart(index);
    long[] extents = grid.chunkShape(index).toArray();
    List<Iterable<AxisPart>> plans = new ArrayList<>();
    for (int d = 0; d < extents.length; d++) {
      Axis whole = new Axis.Range(start[d], extents[d], 1, false);
      plans.add(AxisPlan.of(whole, grid.dimension(d)));
    }
    return of(plans, extents);
  }

  /**
   * Returns the inner chunks of a shard that a projection touches. Their places in the result and
   * their elements are those of the whole array.
   *
   * @param shard the projection of the shard
   * @param start the shard's first element in the array
   * @param grid the grid of its inner chunks
   */
  public static ChunkPlan inside(ChunkProjection shard, long[] start, ChunkGrid grid) {
    if (shard.region() instanceof PointRegion points) {
      return of(PointPlan.inside(points, start, grid));
    }
    BoxRegion box = (BoxRegion) shard.region();
    List<Iterable<AxisPart>> plans = new ArrayList<>();
    for (int d = 0; d < start.length; d++) {
      plans.add(AxisPlan.inside(box.part(d), start[d], grid.dimension(d)));
    }
    return of(plans, box.resultExtents());
  }

  /** Returns those chunks of the plan that fulfil a condition; for a plan of few chunks. */
  public ChunkPlan where(Predicate<ChunkProjection> condition) {
    return of(StreamSupport.stream(projections.spliterator(), false).filter(condition).toList());
  }

  private static ChunkPlan of(List<ChunkProjection> byChunk) {
    return new ChunkPlan(byChunk, byChunk::size);
  }

  private static ChunkPlan of(List<Iterable<AxisPart>> plans, long[] resultExtents) {
    return new ChunkPlan(() -> new Odometer(plans, resultExtents), () -> count(plans));
  }

  /** Returns the number of chunks; {@code Long.MAX_VALUE} for more. Counts along each axis. */
  public long size() {
    return size.getAsLong();
  }

  private static long count(List<Iterable<AxisPart>> plans) {
    long count = 1;
    for (Iterable<AxisPart> plan : plans) {
      long along = 0;
      if (plan instanceof List<AxisPart> kept) {
        along = kept.size();
      } else {
        for (Iterator<AxisPart> parts = plan.iterator(); parts.hasNext(); parts.next()) {
          along++;
        }
      }
      count = along != 0 && count > Long.MAX_VALUE / along ? Long.MAX_VALUE : count * along;
    }
    return count;
  }

  @Override
  public Iterator<ChunkProjection> iterator() {
    return projections.iterator();
  }

  /**
   * Calls {@code action} with the index of each chunk, in the same order. The array is the same one
   * for all calls.
   */
  public void forEachIndex(Consumer<long[]> action) {
    Iterator<ChunkProjection> all = iterator();
    if (all instanceof Odometer odometer) {
      odometer.forEachIndex(action);
    } else {
      all.forEachRemaining(projection -> action.accept(projection.chunkIndex()));
    }
  }

  /** Counts through the combinations of the axes' parts, the last axis fastest. */
  private static final class Odometer implements Iterator<ChunkProjection> {
    private final List<Iterable<AxisPart>> plans;
    private final long[] resultExtents;

    /** For each axis whose parts are kept, the place of the current one. */
    private final int[] places;

    /** For each other axis, the parts that are left. */
    private final List<Iterator<AxisPart>> rest = new ArrayList<>();

    private final AxisPart[] current;
    private boolean hasNext = true;

    Odometer(List<Iterable<AxisPart>> plans, long[] resultExtents) {
      this.plans = plans;
      this.resultExtents = resultExtents;
      this.current = new AxisPart[plans.size()];
      this.places = new int[current.length];
      for (int d = 0; d < current.length; d++) {
        Iterator<AxisPart> parts = plans.get(d).iterator();
        if (!parts.hasNext()) {
          hasNext = false;
          return;
        }
        rest.add(parts);
        current[d] = parts.next();
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
      AxisPart[] parts = current.clone();
      long[] index = new long[parts.length];
      index(index);
      hasNext = advance();
      return new ChunkProjection(index, new BoxRegion(parts, resultExtents));
    }

    void forEachIndex(Consumer<long[]> action) {
      long[] index = new long[current.length];
      while (hasNext) {
        index(index);
        action.accept(index);
        hasNext = advance();
      }
    }

    private void index(long[] index) {
      for (int d = 0; d < index.length; d++) {
        index[d] = current[d].chunk();
      }
    }

    private boolean advance() {
      for (int d = current.length - 1; d >= 0; d--) {
        if (advance(d)) {
          return true;
        }
      }
      return false;
    }

    /** Moves an axis to its next part; returns false where it begins again. */
    private boolean advance(int d) {
      if (plans.get(d) instanceof List<AxisPart> kept) {
        places[d] = places[d] + 1 < kept.size() ? places[d] + 1 : 0;
        current[d] = kept.get(places[d]);
        return places[d] > 0;
      }
      boolean hasMore = rest.get(d).hasNext();
      if (!hasMore) {
        rest.set(d, plans.get(d).iterator());
      }
      current[d] = rest.get(d).next();
      return hasMore;
    }
  }
}
