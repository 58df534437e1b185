package dev.zarrreactive.codec;

import dev.zarrreactive.chunkgrid.ChunkGrid;
import dev.zarrreactive.store.ByteRange;
import dev.zarrreactive.store.Bytes;
import java.util.List;
import org.jspecify.annotations.Nullable;

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

  /**
   * Returns the shard that holds some encoded inner chunks.
   *
   * @param innerChunks for each place of {@link #innerGrid()} in C order the encoded inner chunk;
   *     null for one that is left out, since all of it is fill value
   */
  Bytes join(List<@Nullable Bytes> innerChunks);
}
