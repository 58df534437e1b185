package dev.zarrreactive.copy;

import static dev.zarrreactive.copy.Sizes.product;
import static dev.zarrreactive.copy.Sizes.sum;

import dev.zarrreactive.ZarrArray;
import dev.zarrreactive.ZarrOptions;
import dev.zarrreactive.array.Shape;
import dev.zarrreactive.chunkgrid.ChunkEdges;
import dev.zarrreactive.chunkgrid.ChunkGrid;
import java.util.Arrays;

/**
 * How an array is read that is to be stored in other chunks. A block of the copy's chunks is read
 * at a time. Where chunks of the source are longer than those of the copy, or end elsewhere, a
 * block of one chunk would fetch and decode each of them several times; so a block is made longer
 * until it ends where a chunk of the source does, as far as memory allows.
 */
final class ReadPlan {
  /** One block has at most this part of the bytes in flight. */
  private static final int BLOCKS = 4;

  private final ChunkBlocks blocks;
  private final int concurrency;
  private final ZarrOptions optionsOfBlock;

  private ReadPlan(ChunkBlocks blocks, int concurrency, ZarrOptions optionsOfBlock) {
    this.blocks = blocks;
    this.concurrency = concurrency;
    this.optionsOfBlock = optionsOfBlock;
  }

  /** The plan for a copy that may use {@code limits}. */
  static ReadPlan of(ZarrArray source, ZarrArray copy, ZarrOptions limits) {
    ChunkGrid grid = copy.chunkGrid();
    long share = limits.maxInFlightBytes() / BLOCKS;
    Shape read = readShape(source, share);
    long chunk =
        Math.max(
            Sizes.bytes(read, source.dataType()),
            Sizes.bytes(grid.largestChunkShape(), copy.dataType()));
    // What is decoded at a time is in memory anyway: a block of that size costs little more.
    long[] edges = edges(copy, read, Math.max(share, chunk));
    long block = Sizes.bytes(blockShape(copy, edges), copy.dataType());
    int concurrency = ofSize(sum(block, product(2, chunk)), limits);
    return new ReadPlan(
        new ChunkBlocks(grid, copy.shape(), edges),
        concurrency,
        limits
            .withMaxConcurrency(Math.max(1, limits.maxConcurrency() / concurrency))
            .withMaxInFlightBytes(Math.max(1, limits.maxInFlightBytes() / concurrency - block)));
  }

  /** How many things of so many bytes may be in flight. */
  static int ofSize(long bytes, ZarrOptions limits) {
    long number = limits.maxInFlightBytes() / Math.max(1, bytes);
    return (int) Math.max(1, Math.min(limits.maxConcurrency(), number));
  }

  /** What is fetched at a time: a chunk, or where whole shards are too large an inner chunk. */
  private static Shape readShape(ZarrArray source, long share) {
    Shape chunk = source.chunkGrid().largestChunkShape();
    Sharding sharding = Sharding.find(source.metadata().codecs());
    return sharding != null && Sizes.bytes(chunk, source.dataType()) > share
        ? sharding.innerShape()
        : chunk;
  }

  /** How many chunks long a block is: the fastest dimension is the first to be made longer. */
  private static long[] edges(ZarrArray copy, Shape read, long budget) {
    long[] edges = new long[read.rank()];
    Arrays.fill(edges, 1);
    for (int d = edges.length - 1; d >= 0; d--) {
      long block = Sizes.bytes(blockShape(copy, edges), copy.dataType());
      ChunkEdges line = copy.chunkGrid().dimension(d);
      long most = Math.min(Math.max(1, line.count()), Math.max(1, budget / Math.max(1, block)));
      edges[d] = edge(line.largest(), read.extent(d), most);
    }
    return edges;
  }

  /**
   * How many chunks of one length make a block that ends where one of another length does; or else
   * one that is as long; or as many as may be.
   */
  private static long edge(long chunk, long read, long most) {
    long aligned = read / gcd(chunk, read);
    long asLong = read / chunk + (read % chunk == 0 ? 0 : 1);
    return aligned <= most ? aligned : Math.min(asLong, most);
  }

  private static long gcd(long one, long other) {
    return other == 0 ? one : gcd(other, one % other);
  }

  /** The extents of a block, which ends with the array. */
  private static Shape blockShape(ZarrArray copy, long[] edges) {
    long[] extents = new long[edges.length];
    Arrays.setAll(
        extents,
        d ->
            Math.min(
                copy.shape().extent(d),
                product(edges[d], copy.chunkGrid().dimension(d).largest())));
    return Shape.of(extents);
  }

  ChunkBlocks blocks() {
    return blocks;
  }

  /** How many blocks may be in flight. */
  int concurrency() {
    return concurrency;
  }

  /** What the reading, and after it the writing, of one block may use. */
  ZarrOptions optionsOfBlock() {
    return optionsOfBlock;
  }
}
