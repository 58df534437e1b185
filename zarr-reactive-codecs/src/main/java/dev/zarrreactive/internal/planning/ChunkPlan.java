package dev.zarrreactive.internal.planning;

import dev.zarrreactive.array.Axis;
import dev.zarrreactive.array.ResolvedSelection;
import dev.zarrreactive.array.ResolvedSelection.Orthogonal;
import dev.zarrreactive.array.ResolvedSelection.Points;
import dev.zarrreactive.chunkgrid.ChunkEdges;
import dev.zarrreactive.chunkgrid.ChunkGrid;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.NoSuchElementException;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import java.util.function.Predicate;
import java.util.stream.IntStream;
import java.util.stream.StreamSupport;
import org.jspecify.annotations.Nullable;

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

  /** The parts of one axis of a selection, chunk by chunk in ascending order. */
  static final class AxisPlan {
    /**
     * The most chunks along an axis whose parts are kept. All axes but the first are walked many
     * times, so kept parts are made once. The parts of more chunks are made as they are asked for.
     */
    private static final int KEPT = 64;

    private AxisPlan() {}

    /** Returns the parts of an axis of an array. */
    static Iterable<AxisPart> of(Axis axis, ChunkEdges edges) {
      return of(axis, edges, 0, Positions.spaced(0, 1));
    }

    /**
     * Returns the parts of a shard's part along one dimension, inner chunk by inner chunk. Their
     * places in the result are those of the whole array.
     *
     * @param start the shard's first index in the array
     * @param inner the edges of the inner chunks, counted from there
     */
    static Iterable<AxisPart> inside(AxisPart shard, long start, ChunkEdges inner) {
      return of(shard.selected(), inner, start, shard.inResult());
    }

    private static Iterable<AxisPart> of(
        Axis axis, ChunkEdges edges, long origin, Positions inResult) {
      if (axis instanceof Axis.Indices indices) {
        return listed(indices, edges, origin, inResult);
      }
      Axis.Range range = (Axis.Range) axis;
      Iterable<AxisPart> parts = () -> new RangeParts(range, edges, origin, inResult);
      if (!touchesFew(range, edges, origin)) {
        return parts;
      }
      List<AxisPart> kept = new ArrayList<>();
      parts.forEach(kept::add);
      return kept;
    }

    private static boolean touchesFew(Axis.Range range, ChunkEdges edges, long origin) {
      if (range.count() == 0) {
        return true;
      }
      long first = range.start() - origin;
      long last = first + (range.count() - 1) * range.step();
      return edges.chunkOf(last) - edges.chunkOf(first) < KEPT;
    }

    /** Walks a range from chunk to chunk without visiting chunks that it steps over. */
    private static final class RangeParts implements Iterator<AxisPart> {
      private final Axis.Range range;
      private final ChunkEdges edges;
      private final long origin;
      private final Positions inResult;
      private long done;

      RangeParts(Axis.Range range, ChunkEdges edges, long origin, Positions inResult) {
        this.range = range;
        this.edges = edges;
        this.origin = origin;
        this.inResult = inResult;
      }

      @Override
      public boolean hasNext() {
        return done < range.count();
      }

      @Override
      public AxisPart next() {
        if (!hasNext()) {
          throw new NoSuchElementException();
        }
        long step = range.step();
        long first = range.start() + done * step;
        long chunk = edges.chunkOf(first - origin);
        long extent = edges.length(chunk);
        long inChunk = first - origin - edges.start(chunk);
        long room = (extent - 1 - inChunk) / step + 1;
        long count = Math.min(room, range.count() - done);
        AxisPart part =
            new AxisPart(
                chunk,
                extent,
                count,
                Positions.spaced(inChunk, step),
                inResult.from(done, count),
                new Axis.Range(first, count, step, range.dropped()));
        done += count;
        return part;
      }
    }

    private static List<AxisPart> listed(
        Axis.Indices indices, ChunkEdges edges, long origin, Positions inResult) {
      Map<Long, IntStream.Builder> places = new TreeMap<>();
      for (int i = 0; i < indices.count(); i++) {
        long chunk = edges.chunkOf(indices.index(i) - origin);
        places.computeIfAbsent(chunk, made -> IntStream.builder()).add(i);
      }
      return places.entrySet().stream()
          .map(
              entry -> {
                long chunk = entry.getKey();
                int[] numbers = entry.getValue().build().toArray();
                long[] selected = Arrays.stream(numbers).mapToLong(indices::index).toArray();
                long start = origin + edges.start(chunk);
                return new AxisPart(
                    chunk,
                    edges.length(chunk),
                    numbers.length,
                    Positions.listed(Arrays.stream(selected).map(i -> i - start).toArray()),
                    inResult.at(numbers),
                    new Axis.Indices(selected));
              })
          .toList();
    }
  }

  /**
   * The part of a selection in one chunk along one dimension.
   *
   * @param chunk the chunk's index in this dimension
   * @param extent the chunk's extent in this dimension
   * @param count the number of elements; a shard may have more than an array in memory
   * @param inChunk their places, counted from the chunk's start
   * @param inResult their places in the result, in the same order
   * @param selected the same elements, counted from the array's start
   */
  record AxisPart(
      long chunk, long extent, long count, Positions inChunk, Positions inResult, Axis selected) {

    /** Returns true if the result lacks this dimension, since the selection has one index of it. */
    boolean isDropped() {
      return selected instanceof Axis.Range range && range.dropped();
    }

    /** Returns the places in the result as elements of a dimension. */
    Axis places() {
      return inResult.toAxis(count);
    }

    /** Returns the same elements of the chunk for a result that holds only them. */
    AxisPart alone() {
      return new AxisPart(chunk, extent, count, inChunk, Positions.spaced(0, 1), selected);
    }

    /** Returns the same places of the result for a source that holds only them. */
    AxisPart fromAll() {
      return new AxisPart(chunk, count, count, Positions.spaced(0, 1), inResult, selected);
    }
  }

  /** Places along one dimension: evenly spaced, or listed. */
  static final class Positions {
    private final long start;
    private final long step;
    private final long @Nullable [] listed;

    private Positions(long start, long step, long @Nullable [] listed) {
      this.start = start;
      this.step = step;
      this.listed = listed;
    }

    static Positions spaced(long start, long step) {
      return new Positions(start, step, null);
    }

    static Positions listed(long... places) {
      return new Positions(0, 1, places);
    }

    long get(long i) {
      return listed == null ? start + i * step : listed[Math.toIntExact(i)];
    }

    /** Returns the least of the first {@code count} places, at least one. */
    long least(long count) {
      if (listed == null) {
        return Math.min(start, get(count - 1));
      }
      long least = listed[0];
      for (int i = 1; i < count; i++) {
        least = Math.min(least, listed[i]);
      }
      return least;
    }

    /** Returns the largest of the first {@code count} places, at least one. */
    long most(long count) {
      if (listed == null) {
        return Math.max(start, get(count - 1));
      }
      long most = listed[0];
      for (int i = 1; i < count; i++) {
        most = Math.max(most, listed[i]);
      }
      return most;
    }

    /** Returns true if the places are evenly spaced, by {@link #step}. */
    boolean isSpaced() {
      return listed == null;
    }

    long step() {
      return step;
    }

    /** Returns {@code count} of these places, from number {@code first}. */
    Positions from(long first, long count) {
      if (listed == null) {
        return first == 0 ? this : spaced(get(first), step);
      }
      int start = Math.toIntExact(first);
      return listed(Arrays.copyOfRange(listed, start, Math.toIntExact(start + count)));
    }

    /** Returns the places of these numbers. */
    Positions at(int... numbers) {
      return listed(Arrays.stream(numbers).mapToLong(this::get).toArray());
    }

    /** Returns the first {@code count} places as elements of a dimension. */
    Axis toAxis(long count) {
      return listed == null
          ? new Axis.Range(start, count, count > 1 ? step : 1, false)
          : new Axis.Indices(Arrays.stream(listed).limit(count).toArray());
    }

    /** Returns true if {@code count} places follow each other without a gap. */
    boolean isContiguous(long count) {
      return listed == null && (step == 1 || count == 1);
    }

    /** Returns true if {@code count} places are all of {@code extent}, in any order. */
    boolean coversAll(long count, long extent) {
      if (listed == null) {
        return count >= extent && (step == 1 || count == 1);
      }
      if (count < extent) {
        return false;
      }
      boolean[] seen = new boolean[(int) extent];
      int distinct = 0;
      for (long place : listed) {
        if (place < extent && !seen[(int) place]) {
          seen[(int) place] = true;
          distinct++;
        }
      }
      return distinct == extent;
    }
  }
}
