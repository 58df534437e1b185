package dev.zarrreactive.metadata;

import dev.zarrreactive.array.Shape;
import dev.zarrreactive.datatype.DataType;
import dev.zarrreactive.error.Location;
import dev.zarrreactive.error.MetadataException;
import dev.zarrreactive.error.UnsupportedFeatureException;
import dev.zarrreactive.extension.NamedConfiguration;
import dev.zarrreactive.internal.metadata.ShardingMetadata;
import dev.zarrreactive.json.JsonArray;
import dev.zarrreactive.json.JsonObject;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The extents of an array that is described, and its division into shards and chunks. */
final class ArrayLayout {
  private static final String REGULAR = "regular";
  private static final String CHUNK_SHAPE = "chunk_shape";
  private static final Location GRID = Location.UNKNOWN.pointer("/chunk_grid");
  private static final Location STORED_CHUNK_SHAPE = GRID.child("configuration").child(CHUNK_SHAPE);
  private static final Location CODECS = Location.UNKNOWN.pointer("/codecs");

  private Shape shape;
  private long @Nullable [] chunkShape;
  private long @Nullable [] shardShape;
  private @Nullable NamedConfiguration grid;
  private boolean sharded;
  private Access access = Access.blocks();

  /** The sharding of the array that this one is like, for its index. */
  private @Nullable ShardingMetadata model;

  ArrayLayout(Shape shape) {
    this.shape = shape;
  }

  /** A chunk grid, and the codecs of its chunks, in metadata. */
  record Stored(NamedConfiguration grid, JsonArray codecs) {}

  /** Takes the division of another array, and returns its codecs, in shards of inner chunks. */
  List<NamedConfiguration> like(ArrayMetadata array) {
    if (!array.chunkGrid().name().equals(REGULAR)) {
      grid = array.chunkGrid();
      return array.codecs();
    }
    long[] stored = array.chunkGrid().member(CHUNK_SHAPE).integers(0, Long.MAX_VALUE);
    Arrays.setAll(stored, d -> Math.max(1, stored[d]));
    ShardingMetadata sharding = ShardingMetadata.find(array.codecs());
    if (sharding == null) {
      chunkShape = stored;
      return array.codecs();
    }
    sharded = true;
    model = array.draft() == null ? sharding : null; // drafts have indexes of their own
    shardShape = stored;
    chunkShape = sharding.innerShape().toArray();
    return sharding.innerCodecs();
  }

  int rank() {
    return shape.rank();
  }

  JsonArray shapeJson() {
    return JsonArray.ofIntegers(shape.toArray());
  }

  void shape(Shape other) {
    checkRank("shape", other.rank(), other.toString());
    shape = other;
  }

  void chunkShape(long... extents) {
    chunkShape = checked("chunkShape", extents);
    grid = null;
  }

  void shardShape(long... extents) {
    shardShape = checked("shardShape", extents);
    sharded = true;
  }

  /** Chooses shards, or stores each chunk as a value of its own. */
  void sharded(boolean inShards) {
    sharded = inShards;
    shardShape = null;
    model = inShards ? model : null;
  }

  void grid(NamedConfiguration any) {
    grid = any;
    chunkShape = null;
  }

  void access(Access hint) {
    hint.checkRank(rank());
    access = hint;
  }

  /** Refuses a setting for another number of dimensions. */
  void checkRank(String setter, int rank, String found) {
    if (rank != shape.rank()) {
      throw new IllegalArgumentException(
          setter
              + ": expected one entry for each of the "
              + shape.rank()
              + " dimensions of the array of shape "
              + shape
              + ", found "
              + found);
    }
  }

  private long[] checked(String setter, long... extents) {
    checkRank(setter, extents.length, Arrays.toString(extents));
    for (long extent : extents) {
      if (extent < 1) {
        throw new IllegalArgumentException(
            setter
                + ": expected at least one element in each dimension, found "
                + Arrays.toString(extents));
      }
    }
    return extents.clone();
  }

  /**
   * Returns the grid and the codecs of the chunks that are stored, which may be shards.
   *
   * @param chain the codecs, in shards those of the inner chunks
   */
  Stored stored(DataType type, int zarrFormat, List<NamedConfiguration> chain) {
    if (!sharded) {
      checkTranspositions(chain, CODECS);
      NamedConfiguration chunks = grid != null ? grid : regular(plainChunk(type, chain));
      checkGridRank(chunks);
      return new Stored(chunks, ShardingMetadata.json(chain));
    }
    if (zarrFormat == 2) {
      throw new UnsupportedFeatureException(
          "Zarr v2 does not have shards; use ArrayMetadata.v3(...), or unsharded()", CODECS);
    } else if (grid != null) {
      throw new MetadataException(
          "shards need inner chunks of one shape; set chunkShape(...) instead of chunkGrid(...)",
          GRID);
    }
    checkTranspositions(chain, CODECS.child("0").child("configuration").child("codecs"));
    long[] inner = innerChunk(type);
    long[] shard =
        shardShape != null
            ? shardShape
            : ChunkShapes.shard(shape, inner, type.memorySize(), access);
    checkWholeChunks(shard, inner);
    ShardingMetadata sharding =
        model == null
            ? ShardingMetadata.of(inner, chain)
            : model.withInnerShape(inner).withInnerCodecs(chain);
    return new Stored(regular(shard), ShardingMetadata.json(List.of(sharding.codec())));
  }

  private static NamedConfiguration regular(long... extents) {
    return NamedConfiguration.of(
        REGULAR, JsonObject.EMPTY.with(CHUNK_SHAPE, JsonArray.ofIntegers(extents)));
  }

  private long[] plainChunk(DataType type, List<NamedConfiguration> chain) {
    ShardingMetadata given = ShardingMetadata.find(chain);
    if (given == null || given.codec().optional(CHUNK_SHAPE) == null) {
      return chunkShape != null ? chunkShape : ChunkShapes.chunk(shape, type.memorySize(), access);
    }
    long[] inner = given.innerShape().toArray();
    if (inner.length != rank()) {
      throw wrongRank(
          "chunk_shape of \"sharding_indexed\"",
          JsonArray.ofIntegers(inner),
          CODECS.child("0").child("configuration").child(CHUNK_SHAPE));
    } else if (chunkShape == null) {
      return ChunkShapes.shard(shape, inner, type.memorySize(), access);
    }
    checkWholeChunks(chunkShape, inner);
    return chunkShape;
  }

  private long[] innerChunk(DataType type) {
    if (chunkShape != null) {
      return chunkShape;
    } else if (shardShape == null) {
      return ChunkShapes.chunk(shape, type.memorySize(), access);
    }
    long[] inner = ChunkShapes.inner(shardShape, type.memorySize(), access);
    if (inner == null) {
      throw new MetadataException(
          "only very small chunks divide shards of shape "
              + Arrays.toString(shardShape)
              + "; set chunkShape(...), or a shard shape with more divisors",
          STORED_CHUNK_SHAPE);
    }
    return inner;
  }

  private static void checkWholeChunks(long[] shard, long... inner) {
    for (int d = 0; d < shard.length; d++) {
      long over = shard[d] % inner[d];
      if (over != 0) {
        long below = shard[d] - over;
        long above = below > Long.MAX_VALUE - inner[d] ? below : below + inner[d];
        throw new MetadataException(
            "a shard holds whole chunks: in dimension "
                + d
                + ", the extent "
                + shard[d]
                + " of the shards "
                + Arrays.toString(shard)
                + " is no multiple of "
                + inner[d]
                + " of the chunks "
                + Arrays.toString(inner)
                + (below == 0 ? "; the next is " : "; the nearest are " + below + " and ")
                + above,
            STORED_CHUNK_SHAPE);
      }
    }
  }

  private void checkGridRank(NamedConfiguration chunks) {
    if (chunks.name().equals(REGULAR)
        && chunks.configuration().object().get(CHUNK_SHAPE) instanceof JsonArray extents
        && extents.elements().size() != rank()) {
      throw wrongRank("chunk_shape", extents, STORED_CHUNK_SHAPE);
    }
  }

  /** Checks the codecs that see the dimensions of the array. */
  private void checkTranspositions(List<NamedConfiguration> chain, Location place) {
    for (int i = 0; i < chain.size() && !chain.get(i).name().equals("reshape"); i++) {
      if (chain.get(i).name().equals("transpose")
          && chain.get(i).configuration().object().get("order") instanceof JsonArray order
          && order.elements().size() != rank()) {
        throw wrongRank(
            "order of \"transpose\"",
            order,
            place.child(Integer.toString(i)).child("configuration").child("order"));
      }
    }
  }

  private MetadataException wrongRank(String what, JsonArray found, Location place) {
    return new MetadataException(
        "expected one entry of "
            + what
            + " for each of the "
            + rank()
            + " dimensions, found "
            + found,
        place);
  }
}
