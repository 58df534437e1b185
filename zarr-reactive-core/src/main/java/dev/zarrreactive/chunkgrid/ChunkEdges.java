package dev.zarrreactive.chunkgrid;

import java.util.stream.LongStream;

/** The chunks along one dimension: edge after edge, from the index 0. */
public sealed interface ChunkEdges permits RegularEdges, RectilinearEdges {
  /** The number of chunks. */
  long count();

  /** The chunk that holds the element {@code index}, which must be inside the array. */
  long chunkOf(long index);

  /** The first element of the chunk. */
  long start(long chunk);

  /** The full length of the chunk, which may reach beyond the array's end. */
  long length(long chunk);

  /** The length of the longest chunk. */
  long largest();

  /** The lengths that chunks have, each once. */
  LongStream lengths();
}
