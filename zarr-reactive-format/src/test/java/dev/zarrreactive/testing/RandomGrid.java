package dev.zarrreactive.testing;

import dev.zarrreactive.array.Shape;
import dev.zarrreactive.chunkgrid.ChunkGrid;
import dev.zarrreactive.extension.NamedConfiguration;
import dev.zarrreactive.json.JsonArray;
import dev.zarrreactive.json.JsonNumber;
import dev.zarrreactive.json.JsonObject;
import dev.zarrreactive.json.JsonValue;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;

/**
 * A shape of rank 0 to 4 and a chunk grid over it, regular or rectilinear.
 *
 * @param edges for each dimension the length of every chunk, spelled out
 */
public record RandomGrid(Shape shape, NamedConfiguration metadata, List<List<Integer>> edges) {
  /** Some grid. */
  public static RandomGrid of(Random random) {
    long[] extents = new long[random.nextInt(5)];
    int largest = extents.length < 3 ? 12 : 5;
    for (int d = 0; d < extents.length; d++) {
      extents[d] = random.nextInt(12) == 0 ? 0 : 1 + random.nextInt(largest);
    }
    return of(Shape.of(extents), random);
  }

  /** Some grid over this shape. */
  public static RandomGrid of(Shape shape, Random random) {
    long[] extents = shape.toArray();
    return random.nextBoolean() ? regular(extents, random) : rectilinear(extents, random);
  }

  private static RandomGrid regular(long[] extents, Random random) {
    List<JsonValue> chunkShape = new ArrayList<>();
    List<List<Integer>> edges = new ArrayList<>();
    for (long extent : extents) {
      chunkShape.add(repeated(1 + random.nextInt(6), extent, edges));
    }
    return new RandomGrid(
        Shape.of(extents),
        NamedConfiguration.of(
            "regular", JsonObject.EMPTY.with("chunk_shape", new JsonArray(chunkShape))),
        edges);
  }

  private static RandomGrid rectilinear(long[] extents, Random random) {
    List<JsonValue> shapes = new ArrayList<>();
    List<List<Integer>> edges = new ArrayList<>();
    for (long extent : extents) {
      shapes.add(
          random.nextInt(4) == 0
              ? repeated(1 + random.nextInt(6), extent, edges)
              : listed(extent, random, edges));
    }
    return new RandomGrid(
        Shape.of(extents),
        NamedConfiguration.of(
            "rectilinear",
            JsonObject.EMPTY.with("kind", "inline").with("chunk_shapes", new JsonArray(shapes))),
        edges);
  }

  private static JsonValue repeated(int edge, long extent, List<List<Integer>> edges) {
    List<Integer> chunks = new ArrayList<>();
    for (long start = 0; start < extent; start += edge) {
      chunks.add(edge);
    }
    edges.add(chunks);
    return JsonNumber.of(edge);
  }

  /** Edges and runs of edges, which may go on beyond the extent. */
  private static JsonValue listed(long extent, Random random, List<List<Integer>> edges) {
    List<JsonValue> items = new ArrayList<>();
    List<Integer> chunks = new ArrayList<>();
    int sum = 0;
    while (sum < extent || random.nextInt(6) == 0) {
      int edge = 1 + random.nextInt(5);
      int count = random.nextBoolean() ? 1 : 1 + random.nextInt(3);
      items.add(
          count == 1 && random.nextBoolean()
              ? JsonNumber.of(edge)
              : JsonArray.of(JsonNumber.of(edge), JsonNumber.of(count)));
      for (int i = 0; i < count; i++) {
        chunks.add(edge);
        sum += edge;
      }
    }
    edges.add(chunks);
    return new JsonArray(items);
  }

  /** The grid as the library has it. */
  public ChunkGrid grid() {
    return ChunkGrid.of(metadata, shape);
  }

  /** The index of every chunk, in C order. */
  public List<long[]> chunks() {
    return RandomSelection.all(Shape.of(edges.stream().mapToLong(List::size).toArray()));
  }

  /** The full shape of a chunk. */
  public Shape chunkShape(long[] chunk) {
    long[] shape = new long[chunk.length];
    Arrays.setAll(shape, d -> edges.get(d).get((int) chunk[d]));
    return Shape.of(shape);
  }

  /** The chunk that holds an element, found by adding edges up. */
  public long[] chunkOf(long[] element) {
    long[] chunk = new long[element.length];
    for (int d = 0; d < chunk.length; d++) {
      long end = 0;
      for (int edge : edges.get(d)) {
        end += edge;
        if (element[d] < end) {
          break;
        }
        chunk[d]++;
      }
    }
    return chunk;
  }

  /** The place of an element in its chunk's C order. */
  public int placeInChunk(long[] element) {
    long[] chunk = chunkOf(element);
    long place = 0;
    for (int d = 0; d < chunk.length; d++) {
      List<Integer> lengths = edges.get(d);
      long start = lengths.subList(0, (int) chunk[d]).stream().mapToLong(edge -> edge).sum();
      place = place * lengths.get((int) chunk[d]) + element[d] - start;
    }
    return (int) place;
  }

  /** The place of an element in the array's C order. */
  public int placeInArray(long[] element) {
    long place = 0;
    for (int d = 0; d < element.length; d++) {
      place = place * shape.extent(d) + element[d];
    }
    return (int) place;
  }

  @Override
  public String toString() {
    return shape + " in " + metadata;
  }
}
