package dev.zarrreactive.copy;

import static dev.zarrreactive.internal.planning.SaturatingSize.product;
import static dev.zarrreactive.internal.planning.SaturatingSize.sum;

import dev.zarrreactive.ZarrArray;
import dev.zarrreactive.ZarrOptions;
import dev.zarrreactive.array.Shape;
import dev.zarrreactive.chunkgrid.ChunkEdges;
import dev.zarrreactive.chunkgrid.ChunkGrid;
import dev.zarrreactive.datatype.DataType;
import dev.zarrreactive.internal.metadata.ShardingMetadata;
import dev.zarrreactive.internal.planning.SaturatingSize;
import java.util.Arrays;

/**
 * The blocks in which an array is read to be stored in other chunks. A block consists of chunks of
 * the copy. Chunks of the source that are longer, or end elsewhere, would be fetched and decoded
 * once for each chunk of the copy that they touch. So a block is made longer until it ends where a
 * chunk of the source does, as far as memory allows.
 */
final class ReadPlan {
  /** The blocks that fit at once into the bytes in flight. */
  static final int BLOCKS = 4;

  private final ChunkBlocks blocks;
  private final int concurrency;
  private final ZarrOptions optionsOfBlock;

  private ReadPlan(ChunkBlocks blocks, int concurrency, ZarrOptions optionsOfBlock) {
    this.blocks = blocks;
    this.concurrency = concurrency;
    this.optionsOfBlock = optionsOfBlock;
  }

  /** Plans a copy within {@code limits}. */
  static ReadPlan of(ZarrArray source, ZarrArray copy, ZarrOptions limits) {
    ChunkGrid grid = copy.chunkGrid();
    long share = limits.maxInFlightBytes() / BLOCKS;
    Shape read = readShape(source, share);
    long chunk =
        Math.max(
            SaturatingSize.bytes(read, source.dataType()),
            SaturatingSize.bytes(grid.largestChunkShape(), copy.dataType()));
    // A block as large as one decoded chunk costs little more: the chunk is in memory anyway.
    long[] edges = edges(grid, copy.shape(), copy.dataType(), read, Math.max(share, chunk));
    long block = SaturatingSize.bytes(blockShape(grid, copy.shape(), edges), copy.dataType());
    int concurrency = ofSize(sum(block, product(2, chunk)), limits);
    return new ReadPlan(
        new ChunkBlocks(grid, copy.shape(), edges),
        concurrency,
        limits
            .withMaxConcurrency(Math.max(1, limits.maxConcurrency() / concurrency))
            .withMaxInFlightBytes(Math.max(1, limits.maxInFlightBytes() / concurrency - block)));
  }

  /** Returns how many items of {@code bytes} bytes may be in flight. */
  static int ofSize(long bytes, ZarrOptions limits) {
    long number = limits.maxInFlightBytes() / Math.max(1, bytes);
    return (int) Math.max(1, Math.min(limits.maxConcurrency(), number));
  }

  /**
   * Returns the shape that is fetched at a time: a chunk, or an inner chunk of shards that are too
   * large.
   */
  static Shape readShape(ZarrArray source, long share) {
    Shape chunk = source.chunkGrid().largestChunkShape();
    ShardingMetadata sharding = ShardingMetadata.find(source.metadata().codecs());
    return sharding != null && SaturatingSize.bytes(chunk, source.dataType()) > share
        ? sharding.innerShape()
        : chunk;
  }

  /** Returns the lengths of a block in chunks: the fastest dimension is extended first. */
  static long[] edges(ChunkGrid grid, Shape array, DataType dataType, Shape read, long budget) {
    long[] edges = new long[read.rank()];
    Arrays.fill(edges, 1);
    for (int d = edges.length - 1; d >= 0; d--) {
      long block = SaturatingSize.bytes(blockShape(grid, array, edges), dataType);
      ChunkEdges line = grid.dimension(d);
      long most = Math.min(Math.max(1, line.count()), Math.max(1, budget / Math.max(1, block)));
      edges[d] = edge(line.largest(), read.extent(d), most);
    }
    return edges;
  }

  /**
   * Returns the number of chunks of one length whose block ends where a chunk of the other length
   * does, or is as long as one, or else the most that are allowed.
   */
  private static long edge(long chunk, long read, long most) {
    long aligned = read / gcd(chunk, read);
    long asLong = read / chunk + (read % chunk == 0 ? 0 : 1);
    return aligned <= most ? aligned : Math.min(asLong, most);
  }

  private static long gcd(long one, long other) {
    return other == 0 ? one : gcd(other, one % other);
  }

  /** Returns the extents of a block, which ends with the array. */
  static Shape blockShape(ChunkGrid grid, Shape array, long[] edges) {
    long[] extents = new long[edges.length];
    Arrays.setAll(
        extents, d -> Math.min(array.extent(d), product(edges[d], grid.dimension(d).largest())));
    return Shape.of(extents);
  }

  ChunkBlocks blocks() {
    return blocks;
  }

  /** Returns the number of blocks in flight. */
  int concurrency() {
    return concurrency;
  }

  /** Returns the limits of reading, and then of writing, one block. */
  ZarrOptions optionsOfBlock() {
    return optionsOfBlock;
  }
}
