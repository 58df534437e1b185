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
}
