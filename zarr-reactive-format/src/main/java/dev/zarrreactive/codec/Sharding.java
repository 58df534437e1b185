package dev.zarrreactive.codec;

import dev.zarrreactive.extension.NamedConfiguration;
import dev.zarrreactive.internal.metadata.ShardingMetadata;
import dev.zarrreactive.json.JsonArray;
import dev.zarrreactive.json.JsonObject;
import java.util.List;

/**
 * The codec {@code sharding_indexed} in metadata: each chunk of the array is a shard of inner
 * chunks (specification: "Sharding codec"). {@link Codecs#sharding} makes it; each method returns a
 * changed one. Most arrays need only {@link
 * dev.zarrreactive.metadata.ArrayMetadataBuilder#shardShape}; this is for shards in shards, and for
 * an index with other codecs or at the start.
 */
public final class Sharding extends NamedConfiguration {
  private Sharding(JsonObject configuration) {
    super(ShardingMetadata.NAME, configuration);
  }

  static Sharding of(long[] innerShape, List<NamedConfiguration> codecs) {
    return new Sharding(ShardingMetadata.configuration(innerShape, codecs));
  }

  private static JsonArray chain(NamedConfiguration... codecs) {
    return ShardingMetadata.json(List.of(codecs));
  }

  /**
   * Sets the codecs of the inner chunks, by default {@code zstd} of level 0. If no codec turns the
   * inner chunk into bytes, the builder of an array's metadata adds that of the data type.
   */
  public Sharding codecs(NamedConfiguration... codecs) {
    return new Sharding(configuration().object().with("codecs", chain(codecs)));
  }

  /**
   * Sets the codecs of the index, by default little-endian {@code bytes} and {@code crc32c}. They
   * need an array→bytes codec, and none that compresses: readers find the index by its size.
   */
  public Sharding indexCodecs(NamedConfiguration... codecs) {
    return new Sharding(configuration().object().with("index_codecs", chain(codecs)));
  }

  /** Stores the index at the start of the shard instead of its end. */
  public Sharding indexAtStart() {
    return new Sharding(configuration().object().with("index_location", "start"));
  }
}
