package dev.zarrreactive.internal.planning;

import dev.zarrreactive.array.Axis;
import dev.zarrreactive.chunkgrid.ChunkEdges;
import java.util.Arrays;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.NoSuchElementException;
import java.util.TreeMap;
import java.util.stream.IntStream;

/**
 * The parts of one axis of a selection, chunk by chunk in ascending order, made as they are asked
 * for.
 */
interface AxisPlan extends Iterable<AxisPart> {
  static AxisPlan of(Axis axis, ChunkEdges edges) {
    return axis instanceof Axis.Range range
        ? () -> new RangeParts(range, edges)
        : listed((Axis.Indices) axis, edges)::iterator;
  }

  /** Walks a range from chunk to chunk without visiting chunks that it steps over. */
  final class RangeParts implements Iterator<AxisPart> {
    private final Axis.Range range;
    private final ChunkEdges edges;
    private long done;

    private RangeParts(Axis.Range range, ChunkEdges edges) {
      this.range = range;
      this.edges = edges;
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
      long first = range.start() + done * range.step();
      long chunk = edges.chunkOf(first);
      long start = edges.start(chunk);
      long room = (edges.length(chunk) - 1 - (first - start)) / range.step() + 1;
      int count = Math.toIntExact(Math.min(room, range.count() - done));
      AxisPart part =
          new AxisPart(
              chunk,
              count,
              Positions.spaced(first - start, range.step()),
              Positions.spaced(done, 1),
              new Axis.Range(first, count, range.step(), range.dropped()));
      done += count;
      return part;
    }
  }

  private static List<AxisPart> listed(Axis.Indices indices, ChunkEdges edges) {
    Map<Long, IntStream.Builder> places = new TreeMap<>();
    for (int i = 0; i < indices.count(); i++) {
      places.computeIfAbsent(edges.chunkOf(indices.index(i)), chunk -> IntStream.builder()).add(i);
    }
    return places.entrySet().stream()
        .map(
            entry -> {
              long chunk = entry.getKey();
              int[] inResult = entry.getValue().build().toArray();
              long[] selected = Arrays.stream(inResult).mapToLong(indices::index).toArray();
              int[] inChunk =
                  Arrays.stream(selected)
                      .mapToInt(index -> Math.toIntExact(index - edges.start(chunk)))
                      .toArray();
              return new AxisPart(
                  chunk,
                  inChunk.length,
                  Positions.listed(inChunk),
                  Positions.listed(inResult),
                  new Axis.Indices(selected));
            })
        .toList();
  }
}
