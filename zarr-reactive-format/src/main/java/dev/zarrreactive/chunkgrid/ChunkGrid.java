package dev.zarrreactive.chunkgrid;

import dev.zarrreactive.array.Shape;
import dev.zarrreactive.error.UnknownExtensionException;
import dev.zarrreactive.extension.NamedConfiguration;
import dev.zarrreactive.json.JsonArray;
import dev.zarrreactive.json.JsonObject;
import dev.zarrreactive.json.JsonValue;
import dev.zarrreactive.json.LocatedJson;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import java.util.stream.Stream;

/**
 * The division of an array into chunks: a row of edges for each dimension (specification: "Chunk
 * grids"). Chunks are numbered from zero in each dimension. A chunk at the array's end keeps its
 * full shape. Immutable.
 */
public final class ChunkGrid {
  private static final List<String> NAMES = List.of("rectilinear", "regular");

  private final Shape shape;
  private final List<ChunkEdges> dimensions;
  private final Shape largestChunkShape;

  private ChunkGrid(Shape shape, List<ChunkEdges> dimensions) {
    this.shape = shape;
    this.dimensions = List.copyOf(dimensions);
    this.largestChunkShape = Shape.of(dimensions.stream().mapToLong(ChunkEdges::largest).toArray());
  }

  /**
   * Returns the grid that the metadata names, over an array of the given shape.
   *
   * @throws UnknownExtensionException if the name is unknown
   * @throws dev.zarrreactive.error.MetadataException if the grid does not fit the shape
   */
  public static ChunkGrid of(NamedConfiguration extension, Shape shape) {
    extension.requireUnderstanding("a chunk grid");
    return switch (extension.name()) {
      case "regular" -> new ChunkGrid(shape, regular(extension, shape));
      case "rectilinear" -> new ChunkGrid(shape, rectilinear(extension, shape));
      default ->
          throw new UnknownExtensionException(
              "chunk grid", extension.name(), NAMES, extension.source().location());
    };
  }

  /**
   * Returns the regular grid of chunks of shape {@code chunk} over an array of shape {@code array}.
   */
  public static ChunkGrid regular(Shape array, Shape chunk) {
    return new ChunkGrid(
        array,
        IntStream.range(0, array.rank())
            .<ChunkEdges>mapToObj(d -> new RegularEdges(chunk.extent(d), array.extent(d)))
            .toList());
  }

  /**
   * Returns the grid that the metadata name, with edges for an array that has grown to {@code
   * shape}. A {@code regular} grid stays. Listed edges of a {@code rectilinear} one stay, and one
   * edge is added for the growth, or several if it is longer than the longest edge.
   *
   * @throws dev.zarrreactive.error.MetadataException if the edges add up to more than 2^63
   */
  public static NamedConfiguration grown(NamedConfiguration extension, Shape shape) {
    if (!extension.name().equals("rectilinear")) {
      return extension;
    }
    List<LocatedJson> edges = dimensions(extension.member("chunk_shapes"), shape);
    JsonValue[] grown = new JsonValue[edges.size()];
    try {
      Arrays.setAll(grown, d -> RectilinearEdges.grown(edges.get(d), shape.extent(d)));
    } catch (ArithmeticException e) {
      throw extension.error("the edges for the shape " + shape + " add up to more than 2^63");
    }
    JsonObject configuration =
        extension.configuration().object().with("chunk_shapes", JsonArray.of(grown));
    return NamedConfiguration.of(extension.name(), configuration);
  }

  /** The names of the supported chunk grids. */
  public static List<String> names() {
    return NAMES;
  }

  private static List<ChunkEdges> regular(NamedConfiguration extension, Shape shape) {
    extension.configuration().allowOnly("chunk_shape");
    List<LocatedJson> edges = dimensions(extension.member("chunk_shape"), shape);
    return zip(
        edges,
        shape,
        (edge, extent) -> {
          // Old programs wrote 0 for an array without elements.
          long length = edge.integer(extent == 0 ? 0 : 1, Long.MAX_VALUE);
          return new RegularEdges(Math.max(1, length), extent);
        });
  }

  private static List<ChunkEdges> rectilinear(NamedConfiguration extension, Shape shape) {
    extension.configuration().allowOnly("kind", "chunk_shapes");
    extension.member("kind").oneOf("inline");
    return zip(dimensions(extension.member("chunk_shapes"), shape), shape, RectilinearEdges::parse);
  }

  private static List<LocatedJson> dimensions(LocatedJson list, Shape shape) {
    List<LocatedJson> elements = list.elements();
    if (elements.size() != shape.rank()) {
      throw list.expected("one entry for each of the " + shape.rank() + " dimensions");
    }
    return elements;
  }

  private interface EdgesParser {
    ChunkEdges parse(LocatedJson json, long extent);
  }

  private static List<ChunkEdges> zip(List<LocatedJson> edges, Shape shape, EdgesParser parser) {
    return Stream.iterate(0, d -> d < shape.rank(), d -> d + 1)
        .map(d -> parser.parse(edges.get(d), shape.extent(d)))
        .toList();
  }

  /** The number of dimensions. */
  public int rank() {
    return dimensions.size();
  }

  /** The edges along one dimension. */
  public ChunkEdges dimension(int dimension) {
    return dimensions.get(dimension);
  }

  /** The number of chunks along each dimension. */
  public Shape gridShape() {
    long[] counts = new long[rank()];
    for (int d = 0; d < counts.length; d++) {
      counts[d] = dimensions.get(d).count();
    }
    return Shape.of(counts);
  }

  /**
   * Returns true if the chunk at {@code index} has no element of the array. The listed edges of a
   * {@code rectilinear} grid may reach beyond the array.
   */
  public boolean isOutside(long... index) {
    for (int d = 0; d < index.length; d++) {
      ChunkEdges edges = dimensions.get(d);
      if (index[d] >= edges.count() || edges.start(index[d]) >= shape.extent(d)) {
        return true;
      }
    }
    return false;
  }

  /** The full shape of the chunk at {@code index}. */
  public Shape chunkShape(long... index) {
    long[] shape = new long[rank()];
    for (int d = 0; d < shape.length; d++) {
      shape[d] = dimensions.get(d).length(index[d]);
    }
    return Shape.of(shape);
  }

  /** The index of the first element of the chunk at {@code index} in the array. */
  public long[] chunkStart(long... index) {
    long[] start = new long[rank()];
    for (int d = 0; d < start.length; d++) {
      start[d] = dimensions.get(d).start(index[d]);
    }
    return start;
  }

  /** The shape of the longest edge in each dimension, which bounds every chunk. */
  public Shape largestChunkShape() {
    return largestChunkShape;
  }

  /**
   * Checks the index of a chunk.
   *
   * @throws IllegalArgumentException if it is outside of the grid
   */
  public void checkIndex(long... index) {
    boolean inside = index.length == rank();
    for (int d = 0; inside && d < index.length; d++) {
      inside = index[d] >= 0 && index[d] < dimensions.get(d).count();
    }
    if (!inside) {
      throw new IllegalArgumentException(
          "no chunk " + Arrays.toString(index) + " in a chunk grid of shape " + gridShape());
    }
  }

  /**
   * Chunks of one length.
   *
   * @param edge the length of every chunk, at least 1
   * @param extent the extent of the dimension
   */
  record RegularEdges(long edge, long extent) implements ChunkEdges {
    @Override
    public long count() {
      return extent / edge + (extent % edge == 0 ? 0 : 1);
    }

    @Override
    public long chunkOf(long index) {
      return index / edge;
    }

    @Override
    public long start(long chunk) {
      return chunk * edge;
    }

    @Override
    public long length(long chunk) {
      return edge;
    }

    @Override
    public long largest() {
      return edge;
    }

    @Override
    public LongStream lengths() {
      return LongStream.of(edge);
    }
  }
}
