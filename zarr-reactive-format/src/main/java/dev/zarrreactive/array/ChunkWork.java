package dev.zarrreactive.array;

import dev.zarrreactive.spi.Spi;

/**
 * Makes something of a decoded chunk, on the codec thread that has decoded it. Several threads call
 * it at a time.
 *
 * @param <T> what is made, which is handed on in place of the chunk
 */
@FunctionalInterface
@Spi
public interface ChunkWork<T> {
  /** Returns what is made of a chunk, never null. */
  T apply(Chunk chunk);

  /**
   * Returns the bytes that are held for each byte of the chunk until the result is handed on, at
   * least 1: more than 1 where the result is larger than the chunk.
   */
  default int growth() {
    return 1;
  }

  /**
   * Returns false if the result has no part of the chunk's memory, and only reads it: whole chunks
   * are then decoded into memory that is used again.
   */
  default boolean retainsChunk() {
    return true;
  }
}
