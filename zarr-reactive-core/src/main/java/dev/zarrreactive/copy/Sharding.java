package dev.zarrreactive.copy;

import dev.zarrreactive.array.Shape;
import dev.zarrreactive.extension.NamedConfiguration;
import dev.zarrreactive.json.JsonArray;
import dev.zarrreactive.json.JsonNumber;
import dev.zarrreactive.json.JsonObject;
import dev.zarrreactive.json.JsonValue;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A codec chain that consists of {@code sharding_indexed}. */
record Sharding(NamedConfiguration codec) {
  private static final String NAME = "sharding_indexed";

  /**
   * Returns the sharding of a chain; null for a chain without it, or with other codecs around it.
   */
  static @Nullable Sharding find(List<NamedConfiguration> chain) {
    return chain.size() == 1 && chain.get(0).name().equals(NAME)
        ? new Sharding(chain.get(0))
        : null;
  }

  /**
   * Creates a sharding with inner chunks of this shape, each encoded by {@code codecs}, and the
   * index at the end.
   */
  static Sharding of(Shape innerShape, List<NamedConfiguration> codecs) {
    NamedConfiguration index =
        NamedConfiguration.of("bytes", JsonObject.EMPTY.with("endian", "little"));
    return new Sharding(
        NamedConfiguration.of(
            NAME,
            JsonObject.EMPTY
                .with("chunk_shape", numbers(innerShape))
                .with("codecs", CodecConversion.json(codecs))
                .with(
                    "index_codecs",
                    CodecConversion.json(List.of(index, NamedConfiguration.of("crc32c"))))
                .with("index_location", "end")));
  }

  static JsonArray numbers(Shape shape) {
    return new JsonArray(
        Arrays.stream(shape.toArray()).<JsonValue>mapToObj(JsonNumber::of).toList());
  }

  Shape innerShape() {
    return Shape.of(codec.member("chunk_shape").integers(1, Long.MAX_VALUE));
  }

  List<NamedConfiguration> innerCodecs() {
    return codec.member("codecs").elements().stream().map(NamedConfiguration::parse).toList();
  }

  /** Returns the sharding with other codecs for its inner chunks. */
  Sharding withInnerCodecs(List<NamedConfiguration> codecs) {
    return new Sharding(
        NamedConfiguration.of(
            NAME, codec.configuration().object().with("codecs", CodecConversion.json(codecs))));
  }
}
