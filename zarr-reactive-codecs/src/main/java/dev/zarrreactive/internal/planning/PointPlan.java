package dev.zarrreactive.internal.planning;

import dev.zarrreactive.array.ResolvedSelection.Points;
import dev.zarrreactive.array.Shape;
import dev.zarrreactive.chunkgrid.ChunkGrid;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.IntStream;

/** Groups the points of a selection by the chunk that holds them. */
final class PointPlan {
  private PointPlan() {}

  static List<ChunkProjection> of(Points points, ChunkGrid grid) {
    Map<long[], IntStream.Builder> byChunk = new TreeMap<>(Arrays::compare);
    for (int p = 0; p < points.count(); p++) {
      int point = p;
      long[] index = new long[grid.rank()];
      Arrays.setAll(index, d -> grid.dimension(d).chunkOf(points.index(d, point)));
      byChunk.computeIfAbsent(index, chunk -> IntStream.builder()).add(point);
    }
    return byChunk.entrySet().stream()
        .map(entry -> projection(entry.getKey(), entry.getValue().build().toArray(), points, grid))
        .toList();
  }

  /** Groups the points of a shard by inner chunk; their places are those of the whole array. */
  static List<ChunkProjection> inside(PointRegion shard, long[] start, ChunkGrid grid) {
    long[] back = Arrays.stream(start).map(i -> -i).toArray();
    return of(shard.selected().shifted(back), grid).stream()
        .map(
            inner -> {
              PointRegion region = (PointRegion) inner.region();
              return new ChunkProjection(inner.chunkIndex(), region.inside(shard, start));
            })
        .toList();
  }

  private static ChunkProjection projection(
      long[] index, int[] inResult, Points points, ChunkGrid grid) {
    long[] start = grid.chunkStart(index);
    Shape shape = grid.chunkShape(index);
    long[] inChunk = new long[inResult.length];
    long[][] selected = new long[grid.rank()][inResult.length];
    for (int i = 0; i < inResult.length; i++) {
      long element = 0;
      for (int d = 0; d < grid.rank(); d++) {
        selected[d][i] = points.index(d, inResult[i]);
        element = element * shape.extent(d) + selected[d][i] - start[d];
      }
      inChunk[i] = element;
    }
    return new ChunkProjection(
        index, new PointRegion(inChunk, inResult, new Points(inResult.length, selected)));
  }
}
