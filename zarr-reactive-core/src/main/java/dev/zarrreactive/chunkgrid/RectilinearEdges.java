package dev.zarrreactive.chunkgrid;

import dev.zarrreactive.json.JsonArray;
import dev.zarrreactive.json.LocatedJson;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.LongStream;

/**
 * Chunks of several lengths, as runs of equal edges. A run may be as long as it likes, it is never
 * spelled out.
 */
final class RectilinearEdges implements ChunkEdges {
  private final long[] edges;
  private final long[] firstChunk; // of each run, and at the end the number of chunks
  private final long[] firstElement; // of each run, and at the end the sum of all edges

  private RectilinearEdges(List<long[]> runs) {
    int n = runs.size();
    edges = new long[n];
    firstChunk = new long[n + 1];
    firstElement = new long[n + 1];
    for (int r = 0; r < n; r++) {
      edges[r] = runs.get(r)[0];
      firstChunk[r + 1] = Math.addExact(firstChunk[r], runs.get(r)[1]);
      firstElement[r + 1] =
          Math.addExact(firstElement[r], Math.multiplyExact(edges[r], runs.get(r)[1]));
    }
  }

  /** One dimension of {@code chunk_shapes}: an edge to repeat, or a list of edges and runs. */
  static ChunkEdges parse(LocatedJson json, long extent) {
    if (!(json.value() instanceof JsonArray)) {
      return new RegularEdges(json.integer(1, Long.MAX_VALUE), extent);
    }
    List<long[]> runs = new ArrayList<>();
    for (LocatedJson item : json.elements()) {
      if (!(item.value() instanceof JsonArray pair)) {
        runs.add(new long[] {item.integer(1, Long.MAX_VALUE), 1});
      } else if (pair.elements().size() == 2) {
        runs.add(item.integers(1, Long.MAX_VALUE));
      } else {
        throw item.expected("an edge, or a pair of an edge and how often it repeats");
      }
    }
    RectilinearEdges result;
    try {
      result = new RectilinearEdges(runs);
    } catch (ArithmeticException e) {
      throw json.error("the edges add up to more than 2^63");
    }
    if (result.sum() < extent) {
      throw json.error("the edges add up to " + result.sum() + ", less than the extent " + extent);
    }
    return result;
  }

  private long sum() {
    return firstElement[edges.length];
  }

  @Override
  public long count() {
    return firstChunk[edges.length];
  }

  @Override
  public long chunkOf(long index) {
    int run = run(firstElement, index);
    return firstChunk[run] + (index - firstElement[run]) / edges[run];
  }

  @Override
  public long start(long chunk) {
    int run = run(firstChunk, chunk);
    return firstElement[run] + (chunk - firstChunk[run]) * edges[run];
  }

  @Override
  public long length(long chunk) {
    return edges[run(firstChunk, chunk)];
  }

  @Override
  public long largest() {
    return Arrays.stream(edges).max().orElse(1);
  }

  @Override
  public LongStream lengths() {
    return Arrays.stream(edges).distinct();
  }

  private static int run(long[] firsts, long value) {
    int found = Arrays.binarySearch(firsts, value);
    return found >= 0 ? found : -found - 2;
  }
}
