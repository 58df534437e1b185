package dev.zarrreactive.metadata;

import dev.zarrreactive.error.UnsupportedFeatureException;
import dev.zarrreactive.extension.NamedConfiguration;
import dev.zarrreactive.json.JsonArray;
import dev.zarrreactive.json.JsonNumber;
import dev.zarrreactive.json.JsonObject;
import dev.zarrreactive.json.JsonString;
import dev.zarrreactive.json.JsonValue;
import dev.zarrreactive.json.LocatedJson;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The storage transformer {@code sharding} of the 2022 draft, as the codec {@code sharding_indexed}
 * of Zarr v3: the chunks of the grid are the inner chunks, so many of them in each dimension are a
 * shard, and the index at its end has no checksum.
 */
final class Draft2022Sharding {
  private static final JsonString EXTENSION =
      new JsonString(Draft2022Hierarchy.URI + "storage_transformers/sharding/1.0");

  private Draft2022Sharding() {}

  /**
   * How many chunks a shard has in each dimension; null where there are no shards.
   *
   * @throws UnsupportedFeatureException where there is another storage transformer
   */
  static @Nullable LocatedJson in(LocatedJson array) {
    LocatedJson transformers = array.optional("storage_transformers");
    if (transformers == null || transformers.elements().isEmpty()) {
      return null;
    }
    LocatedJson transformer = transformers.elements().get(0);
    transformer.allowOnly("extension", "type", "configuration");
    boolean sharding =
        transformer.member("extension").value().equals(EXTENSION)
            && transformer.member("type").value().equals(new JsonString("indexed"));
    if (!sharding || transformers.elements().size() > 1) {
      throw new UnsupportedFeatureException(
          "of the storage transformers only a single \"indexed\" of " + EXTENSION + " is supported",
          transformers.location());
    }
    LocatedJson configuration = transformer.member("configuration");
    configuration.allowOnly("chunks_per_shard");
    return configuration.member("chunks_per_shard");
  }

  /** The chunk grid of Zarr v3, whose chunks are the shards. */
  static NamedConfiguration shards(NamedConfiguration chunks, LocatedJson chunksPerShard) {
    long[] chunk = chunks.member("chunk_shape").integers(1, Long.MAX_VALUE);
    long[] count = chunksPerShard.integers(1, Long.MAX_VALUE);
    if (count.length != chunk.length) {
      throw chunksPerShard.expected("one number for each of the " + chunk.length + " dimensions");
    }
    List<JsonValue> shard = new ArrayList<>();
    for (int d = 0; d < chunk.length; d++) {
      if (chunk[d] > Long.MAX_VALUE / count[d]) {
        throw chunksPerShard.expected("shards of less than 2^63 elements in each dimension");
      }
      shard.add(JsonNumber.of(chunk[d] * count[d]));
    }
    JsonObject configuration = JsonObject.EMPTY.with("chunk_shape", new JsonArray(shard));
    return NamedConfiguration.of(
        "regular", new LocatedJson(configuration, chunksPerShard.location()));
  }

  /** The codec of the shards. */
  static NamedConfiguration codec(
      NamedConfiguration chunks, List<NamedConfiguration> chain, LocatedJson place) {
    JsonObject index =
        NamedConfiguration.of("bytes", JsonObject.EMPTY.with("endian", "little")).toJson();
    JsonObject configuration =
        JsonObject.EMPTY
            .with("chunk_shape", chunks.member("chunk_shape").value())
            .with(
                "codecs",
                new JsonArray(chain.stream().<JsonValue>map(NamedConfiguration::toJson).toList()))
            .with("index_codecs", JsonArray.of(index));
    return NamedConfiguration.of(
        "sharding_indexed", new LocatedJson(configuration, place.location()));
  }
}
