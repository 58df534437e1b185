package dev.zarrreactive.internal.planning;

import dev.zarrreactive.array.Axis;
import dev.zarrreactive.chunkgrid.ChunkEdges;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.NoSuchElementException;
import java.util.TreeMap;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** The parts of one axis of a selection, chunk by chunk in ascending order. */
final class AxisPlan {
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
