package dev.zarrreactive.chunkgrid;

import dev.zarrreactive.chunkgrid.ChunkGrid.RegularEdges;
import dev.zarrreactive.json.JsonArray;
import dev.zarrreactive.json.JsonNumber;
import dev.zarrreactive.json.JsonValue;
import dev.zarrreactive.json.LocatedJson;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.LongStream;

/**
 * Chunks of several lengths, as runs of equal edges. The memory does not depend on the length of a
 * run.
 */
final class RectilinearEdges implements ChunkEdges {
  private final long[] edges;
  private final long[] firstChunk; // of each run, and at the end the number of chunks
  private final long[] firstElement; // of each run, and at the end the sum of all edges

  private RectilinearEdges(long[] edges, long[] firstChunk, long[] firstElement) {
    this.edges = edges;
    this.firstChunk = firstChunk;
    this.firstElement = firstElement;
  }

  /**
   * Parses one dimension of {@code chunk_shapes}: an edge to repeat, or a list of edges and runs.
   */
  static ChunkEdges parse(LocatedJson json, long extent) {
    if (!(json.value() instanceof JsonArray)) {
      return new RegularEdges(json.integer(1, Long.MAX_VALUE), extent);
    }
    RectilinearEdges result;
    try {
      result = of(json.elements());
    } catch (ArithmeticException e) {
      throw json.error("the edges add up to more than 2^63");
    }
    if (result.sum() < extent) {
      throw json.error("the edges add up to " + result.sum() + ", less than the extent " + extent);
    }
    return result;
  }

  /** Keeps no object for each item: a list may have millions. */
  private static RectilinearEdges of(List<LocatedJson> items) {
    int n = items.size();
    long[] edges = new long[n];
    long[] firstChunk = new long[n + 1];
    long[] firstElement = new long[n + 1];
    for (int r = 0; r < n; r++) {
      LocatedJson item = items.get(r);
      long count = 1;
      if (!(item.value() instanceof JsonArray pair)) {
        edges[r] = item.integer(1, Long.MAX_VALUE);
      } else if (pair.elements().size() == 2) {
        long[] run = item.integers(1, Long.MAX_VALUE);
        edges[r] = run[0];
        count = run[1];
      } else {
        throw item.expected("an edge, or a pair of an edge and its number of repetitions");
      }
      firstChunk[r + 1] = Math.addExact(firstChunk[r], count);
      firstElement[r + 1] = Math.addExact(firstElement[r], Math.multiplyExact(edges[r], count));
    }
    return new RectilinearEdges(edges, firstChunk, firstElement);
  }

  /**
   * Returns one dimension of {@code chunk_shapes} with edges that cover {@code extent}; the same
   * value if they do already. The growth is one more edge. If that were longer than the longest
   * edge, it is divided into edges of that length and a shorter last one.
   */
  static JsonValue grown(LocatedJson json, long extent) {
    if (!(json.value() instanceof JsonArray list)) {
      return json.value();
    }
    RectilinearEdges edges = of(json.elements());
    long growth = extent - edges.sum();
    if (growth <= 0) {
      return list;
    }
    long edge = edges.edges.length == 0 ? growth : Math.min(growth, edges.largest());
    List<JsonValue> items = new ArrayList<>(list.elements());
    add(items, edge, growth / edge);
    if (growth % edge > 0) {
      add(items, growth % edge, 1);
    }
    return new JsonArray(items);
  }

  /** Adds edges, to the last run if that has the same edge: appends of one length make no list. */
  private static void add(List<JsonValue> items, long edge, long count) {
    long all = count;
    int last = items.size() - 1;
    if (last >= 0) {
      JsonValue item = items.get(last);
      List<JsonValue> run = item instanceof JsonArray pair ? pair.elements() : List.of(item);
      if (run.get(0).equals(JsonNumber.of(edge))) {
        long before = run.size() == 1 ? 1 : LocatedJson.of(run.get(1)).integer(1, Long.MAX_VALUE);
        all = Math.addExact(before, count);
        items.remove(last);
      }
    }
    JsonNumber length = JsonNumber.of(edge);
    items.add(all == 1 ? length : JsonArray.of(length, JsonNumber.of(all)));
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
    long[] sorted = edges.clone(); // a set of boxed numbers would be many times as large
    Arrays.sort(sorted);
    return IntStream.range(0, sorted.length)
        .filter(i -> i == 0 || sorted[i] != sorted[i - 1])
        .mapToLong(i -> sorted[i]);
  }

  private static int run(long[] firsts, long value) {
    int found = Arrays.binarySearch(firsts, value);
    return found >= 0 ? found : -found - 2;
  }
}
