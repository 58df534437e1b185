package dev.zarrreactive.internal.planning;

import dev.zarrreactive.array.ResolvedSelection;
import java.util.Arrays;

/** The part of a selection in one chunk. */
public final class ChunkProjection {
  private final long[] chunkIndex;
  private final Region region;

  ChunkProjection(long[] chunkIndex, Region region) {
    this.chunkIndex = chunkIndex;
    this.region = region;
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
    return region.selected();
  }

  @Override
  public String toString() {
    return "chunk " + Arrays.toString(chunkIndex) + ": " + selected();
  }
}
