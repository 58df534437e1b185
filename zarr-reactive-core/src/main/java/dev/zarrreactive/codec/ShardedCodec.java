package dev.zarrreactive.codec;

/**
 * An array→bytes codec that divides a chunk, the shard, into inner chunks which can be read one by
 * one, such as {@code sharding_indexed}.
 */
public interface ShardedCodec extends ArrayToBytesCodec {
  /**
   * How such a shard is laid out.
   *
   * @throws dev.zarrreactive.error.MetadataException where the codec cannot take such a chunk
   */
  ShardLayout layout(ChunkRepresentation shard);
}
