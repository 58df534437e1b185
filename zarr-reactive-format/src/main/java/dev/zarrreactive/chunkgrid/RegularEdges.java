package dev.zarrreactive.chunkgrid;

import java.util.stream.LongStream;

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
