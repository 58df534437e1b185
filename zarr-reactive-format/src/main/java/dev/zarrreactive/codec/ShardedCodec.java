package dev.zarrreactive.codec;

import dev.zarrreactive.spi.Spi;

/**
 * An array→bytes codec that divides a chunk, the shard, into inner chunks that can be read one by
 * one, such as {@code sharding_indexed}.
 */
@Spi
public interface ShardedCodec extends ArrayToBytesCodec {
  /**
   * Returns the layout of shards of this representation.
   *
   * @throws dev.zarrreactive.error.MetadataException if the codec does not support the shard
   */
  ShardLayout layout(ChunkRepresentation shard);
}
