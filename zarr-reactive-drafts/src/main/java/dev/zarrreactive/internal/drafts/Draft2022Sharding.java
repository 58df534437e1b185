package dev.zarrreactive.internal.drafts;

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
 * Translates the storage transformer {@code sharding} of the 2022 draft to the codec {@code
 * sharding_indexed} of Zarr v3. The chunks of the grid are the inner chunks, a fixed number of them
 * in each dimension is a shard, and the index at its end has no checksum.
 */
final class Draft2022Sharding {
  private static final JsonString EXTENSION =
      new JsonString(Draft2022Extensions.URI + "storage_transformers/sharding/1.0");

  private Draft2022Sharding() {}

  /**
   * Returns the number of chunks of a shard in each dimension, or null for an array without shards.
   *
   * @throws UnsupportedFeatureException if the array has another storage transformer
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
          "the only supported storage transformer is a single \"indexed\" of " + EXTENSION + "",
          transformers.location());
    }
    LocatedJson configuration = transformer.member("configuration");
    configuration.allowOnly("chunks_per_shard");
    return configuration.member("chunks_per_shard");
  }

  /** Returns the chunk grid of Zarr v3, whose chunks are the shards. */
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

  /** Returns the codec of the shards. */
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
