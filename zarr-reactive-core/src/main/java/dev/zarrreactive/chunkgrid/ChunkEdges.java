package dev.zarrreactive.chunkgrid;

import java.util.stream.LongStream;

/** The chunks along one dimension: a row of edges that begins at index 0. */
public sealed interface ChunkEdges permits RegularEdges, RectilinearEdges {
  /** The number of chunks. */
  long count();

  /** The chunk of the element {@code index}, which must be inside the array. */
  long chunkOf(long index);

  /** Returns true if the chunk has no element inside the array, or is beyond the last edge. */
  default boolean isOutside(long chunk, long extent) {
    return chunk >= count() || start(chunk) >= extent;
  }

  /** The first element of the chunk. */
  long start(long chunk);

  /** The full length of the chunk, which may reach beyond the array's end. */
  long length(long chunk);

  /** The length of the longest chunk. */
  long largest();

  /** The distinct lengths of chunks. */
  LongStream lengths();
}
