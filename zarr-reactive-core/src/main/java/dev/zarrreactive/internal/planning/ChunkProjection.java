package dev.zarrreactive.internal.planning;

import dev.zarrreactive.array.ResolvedSelection;
import java.util.Arrays;

/** What a selection takes of one chunk. */
public final class ChunkProjection {
  private final long[] chunkIndex;
  private final Region region;
  private final ResolvedSelection selected;

  ChunkProjection(long[] chunkIndex, Region region, ResolvedSelection selected) {
    this.chunkIndex = chunkIndex;
    this.region = region;
    this.selected = selected;
  }

  /** The chunk's index in the chunk grid; not a copy. */
  public long[] chunkIndex() {
    return chunkIndex;
  }

  /** The elements taken, and their places in the result. */
  public Region region() {
    return region;
  }

  /** The same elements as a selection of the array. */
  public ResolvedSelection selected() {
    return selected;
  }

  /** This projection of an inner chunk, its result and its elements those of the whole array. */
  ChunkProjection inside(ChunkProjection shard, long[] shardStart) {
    return new ChunkProjection(
        chunkIndex, region.within(shard.region), selected.shifted(shardStart));
  }

  @Override
  public String toString() {
    return "chunk " + Arrays.toString(chunkIndex) + ": " + selected;
  }
}
