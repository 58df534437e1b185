package dev.zarrreactive.codec;

import dev.zarrreactive.chunkgrid.ChunkGrid;
import dev.zarrreactive.store.ByteRange;
import dev.zarrreactive.store.Bytes;

/** How a shard of one representation is laid out. Immutable. */
public interface ShardLayout {
  /** How the shard is divided into inner chunks. */
  ChunkGrid innerGrid();

  /** The codec of every inner chunk. */
  ChunkCodec innerCodec();

  /** How many bytes a shard has. */
  SizeBound encodedSize();

  /** Where the index is in the shard's bytes. */
  ByteRange indexRange();

  /**
   * Decodes an index.
   *
   * @param encoded the bytes at {@link #indexRange()}
   * @throws dev.zarrreactive.error.CodecException where they are no index
   */
  ShardIndex decodeIndex(Bytes encoded);
}
