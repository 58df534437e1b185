package dev.zarrreactive.codec;

import dev.zarrreactive.chunkgrid.ChunkGrid;
import dev.zarrreactive.store.ByteRange;
import dev.zarrreactive.store.Bytes;

/** The layout of shards of one representation. Immutable. */
public interface ShardLayout {
  /** The division of the shard into inner chunks. */
  ChunkGrid innerGrid();

  /** The codec of every inner chunk. */
  ChunkCodec innerCodec();

  /** The size of a shard. */
  SizeBound encodedSize();

  /** The range of the index in the shard's bytes. */
  ByteRange indexRange();

  /**
   * Decodes an index.
   *
   * @param encoded the bytes at {@link #indexRange()}
   * @throws dev.zarrreactive.error.CodecException if they are not a valid index
   */
  ShardIndex decodeIndex(Bytes encoded);
}
