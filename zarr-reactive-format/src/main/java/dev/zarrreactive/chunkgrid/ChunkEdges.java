package dev.zarrreactive.chunkgrid;

import dev.zarrreactive.chunkgrid.ChunkGrid.RegularEdges;
import java.util.stream.LongStream;

/** The chunks along one dimension: a row of edges that begins at index 0. */
public sealed interface ChunkEdges permits RegularEdges, RectilinearEdges {
  /** The number of chunks. */
  long count();

  /** The chunk of the element {@code index}, which must be inside the array. */
  long chunkOf(long index);

  /** The first element of the chunk. */
  long start(long chunk);

  /** The full length of the chunk, which may reach beyond the array's end. */
  long length(long chunk);

  /** The length of the longest chunk. */
  long largest();

  /** The distinct lengths of chunks. */
  LongStream lengths();
}
