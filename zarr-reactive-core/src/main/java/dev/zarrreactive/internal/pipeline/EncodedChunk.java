package dev.zarrreactive.internal.pipeline;

import dev.zarrreactive.array.NdArray;
import org.jspecify.annotations.Nullable;

/**
 * A chunk to read, and its bytes.
 *
 * @param wanted what is wanted of it
 * @param bytes what is stored
 * @param known the chunk itself, where it is in memory
 */
record EncodedChunk(WantedChunk wanted, ChunkBytes bytes, @Nullable NdArray known) {
  /** A chunk that is to be fetched. */
  EncodedChunk(WantedChunk wanted, ChunkBytes bytes) {
    this(wanted, bytes, null);
  }
}
