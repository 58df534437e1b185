package dev.zarrreactive.codec;

import dev.zarrreactive.base.ByteRange;
import dev.zarrreactive.base.Bytes;
import dev.zarrreactive.chunkgrid.ChunkGrid;
import dev.zarrreactive.spi.Spi;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The layout of shards of one representation. Immutable. */
@Spi
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

  /**
   * Encodes an index, of a shard that is stored piece by piece.
   *
   * @param entries for each place of {@link #innerGrid()} in C order the offset and the size of the
   *     inner chunk, both -1 for one that is left out; 64-bit and little-endian
   */
  Bytes encodeIndex(Bytes entries);

  /**
   * Returns the shard that holds some encoded inner chunks.
   *
   * @param innerChunks for each place of {@link #innerGrid()} in C order the encoded inner chunk;
   *     null for one that is left out, since all of it is fill value
   */
  Bytes join(List<@Nullable Bytes> innerChunks);
}
