package dev.zarrreactive.partition;

import dev.zarrreactive.chunkgrid.ChunkEdges;
import dev.zarrreactive.chunkgrid.ChunkGrid;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;

/**
 * Divides the selected cells of a chunk grid into splits. Each chunk with a selected cell belongs
 * to one split; a shard counts as one chunk. Neighbours are grouped, first along the fastest
 * dimension, until a split has about the wanted bytes.
 *
 * <p>The work grows with the runs of the selection and with the number of splits, never with the
 * number of chunks or of cells. Immutable and thread-safe; nothing is read.
 */
public final class SplitPlanner {
  private final double bytesPerCell;
  private final long targetBytes;
  private final int maxSplits;

  /**
   * Creates a planner.
   *
   * @param bytesPerCell the decoded size of one cell, of all arrays that are read together
   * @param targetBytes the decoded size of a split; a larger chunk is a split by itself
   * @param maxSplits the most splits; splits are larger than wanted where they would be more
   */
  public SplitPlanner(double bytesPerCell, long targetBytes, int maxSplits) {
    if (!(bytesPerCell >= 0) || targetBytes < 1 || maxSplits < 1) {
      throw new IllegalArgumentException(
          "a split has at least one byte, and there is at least one: "
              + bytesPerCell
              + " bytes a cell, "
              + targetBytes
              + " bytes a split, "
              + maxSplits
              + " splits");
    }
    this.bytesPerCell = bytesPerCell;
    this.targetBytes = targetBytes;
    this.maxSplits = maxSplits;
  }

  /**
   * Plans the splits of selected cells, in C order of the chunk grid.
   *
   * @throws IllegalArgumentException if the grid has another rank than the selection
   */
  public SplitPlan plan(ChunkGrid grid, IndexBox selected) {
    return plan(IntStream.range(0, grid.rank()).mapToObj(grid::dimension).toList(), selected);
  }

  /**
   * Plans as {@link #plan(ChunkGrid, IndexBox)}, over edges that may be of several arrays.
   *
   * @param edges the chunks along each dimension
   */
  public SplitPlan plan(List<ChunkEdges> edges, IndexBox selected) {
    int rank = edges.size();
    if (selected.dimensions().size() != rank) {
      throw new IllegalArgumentException(
          "a grid of rank " + rank + " and a selection of " + selected.dimensions().size());
    }
    IndexRanges[] chunks = new IndexRanges[rank];
    long[] counts = new long[rank];
    double all = 1;
    for (int d = 0; d < rank; d++) {
      chunks[d] = chunks(edges.get(d), selected.dimensions().get(d));
      counts[d] = chunks[d].count();
      all *= counts[d];
    }
    if (all == 0) {
      return new SplitPlan(List.of(), 0, 0, 0);
    }
    double bytes = selected.cells() * bytesPerCell;
    long[] group = groups(counts, bytes / all);
    List<List<IndexRanges>> parts = new ArrayList<>();
    for (int d = 0; d < rank; d++) {
      parts.add(parts(edges.get(d), selected.dimensions().get(d), chunks[d], group[d]));
    }
    List<IndexBox> boxes = new ArrayList<>();
    combine(parts, new ArrayList<>(), boxes);
    return new SplitPlan(boxes, selected.cells(), (long) bytes, (long) all);
  }

  /** Returns the numbers of the chunks that have one of the indices. */
  static IndexRanges chunks(ChunkEdges edges, IndexRanges indices) {
    IndexRanges.Builder builder = new IndexRanges.Builder();
    for (int run = 0; run < indices.runs(); run++) {
      builder.add(edges.chunkOf(indices.start(run)), edges.chunkOf(indices.stop(run) - 1) + 1);
    }
    return builder.build();
  }

  /** Returns how many chunks of each dimension a split has. */
  private long[] groups(long[] counts, double bytesPerChunk) {
    long[] group = new long[counts.length];
    Arrays.fill(group, 1);
    double bytes = bytesPerChunk;
    for (int d = counts.length - 1; d >= 0; d--) {
      long fit = (long) Math.max(1, Math.floor(targetBytes / Math.max(bytes, 1)));
      group[d] = Math.min(counts[d], fit);
      bytes *= group[d];
      if (group[d] < counts[d]) {
        break;
      }
    }
    while (splits(counts, group) > maxSplits) {
      int d = counts.length - 1;
      while (group[d] >= counts[d]) {
        d--;
      }
      group[d] = Math.min(counts[d], 2 * group[d]);
    }
    return group;
  }

  private static double splits(long[] counts, long[] group) {
    double splits = 1;
    for (int d = 0; d < counts.length; d++) {
      long groups = (counts[d] - 1) / group[d] + 1;
      splits *= groups;
    }
    return splits;
  }

  /** Returns the selected indices of each group of chunks along one dimension. */
  private static List<IndexRanges> parts(
      ChunkEdges edges, IndexRanges indices, IndexRanges chunks, long group) {
    List<IndexRanges> parts = new ArrayList<>();
    IndexRanges.Builder builder = new IndexRanges.Builder();
    long room = group;
    int next = 0;
    for (int run = 0; run < chunks.runs(); run++) {
      long chunk = chunks.start(run);
      while (chunk < chunks.stop(run)) {
        long last = Math.min(chunks.stop(run), chunk + room) - 1;
        long from = edges.start(chunk);
        long to = edges.start(last) + edges.length(last);
        while (next < indices.runs() && indices.start(next) < to) {
          builder.add(Math.max(from, indices.start(next)), Math.min(to, indices.stop(next)));
          if (indices.stop(next) > to) {
            break;
          }
          next++;
        }
        room -= last + 1 - chunk;
        chunk = last + 1;
        if (room == 0) {
          parts.add(builder.build());
          builder = new IndexRanges.Builder();
          room = group;
        }
      }
    }
    if (room < group) {
      parts.add(builder.build());
    }
    return parts;
  }

  private static void combine(
      List<List<IndexRanges>> parts, List<IndexRanges> chosen, List<IndexBox> boxes) {
    int dimension = chosen.size();
    if (dimension == parts.size()) {
      boxes.add(new IndexBox(chosen));
      return;
    }
    for (IndexRanges part : parts.get(dimension)) {
      chosen.add(part);
      combine(parts, chosen, boxes);
      chosen.remove(dimension);
    }
  }
}
