package dev.zarrreactive.internal.metadata;

import dev.zarrreactive.array.Shape;
import dev.zarrreactive.datatype.DataType;
import dev.zarrreactive.extension.NamedConfiguration;
import dev.zarrreactive.json.JsonArray;
import dev.zarrreactive.json.JsonObject;
import dev.zarrreactive.json.JsonValue;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The codec {@code sharding_indexed} in metadata. */
public record ShardingMetadata(NamedConfiguration codec) {
  /** The name of the codec. */
  public static final String NAME = "sharding_indexed";

  private static final String CODECS = "codecs";
  private static final String INDEX_LOCATION = "index_location";

  /**
   * Returns the sharding of a chain; null for a chain without it, or with other codecs around it.
   */
  public static @Nullable ShardingMetadata find(List<NamedConfiguration> chain) {
    return chain.size() == 1 && chain.get(0).name().equals(NAME)
        ? new ShardingMetadata(chain.get(0))
        : null;
  }

  /**
   * Returns the configuration for inner chunks of this shape, each encoded by {@code codecs}, with
   * a checked index at the end.
   */
  public static JsonObject configuration(long[] innerShape, List<NamedConfiguration> codecs) {
    NamedConfiguration index =
        NamedConfiguration.of("bytes", JsonObject.EMPTY.with("endian", "little"));
    return JsonObject.EMPTY
        .with("chunk_shape", JsonArray.ofIntegers(innerShape))
        .with(CODECS, json(codecs))
        .with("index_codecs", json(List.of(index, NamedConfiguration.of("crc32c"))))
        .with(INDEX_LOCATION, "end");
  }

  /** Creates a sharding with inner chunks of this shape, each encoded by {@code codecs}. */
  public static ShardingMetadata of(long[] innerShape, List<NamedConfiguration> codecs) {
    return new ShardingMetadata(NamedConfiguration.of(NAME, configuration(innerShape, codecs)));
  }

  /** Returns a chain as a JSON array. */
  public static JsonArray json(List<NamedConfiguration> chain) {
    return new JsonArray(chain.stream().<JsonValue>map(NamedConfiguration::toJson).toList());
  }

  /** The shape of the inner chunks. */
  public Shape innerShape() {
    return Shape.of(codec.member("chunk_shape").integers(1, Long.MAX_VALUE));
  }

  /** Whether the index comes before the inner chunks, so that these must be known first. */
  public boolean indexIsFirst() {
    return codec.configuration().object().string(INDEX_LOCATION).orElse("end").equals("start");
  }

  /** The codecs of the inner chunks. */
  public List<NamedConfiguration> innerCodecs() {
    return codec.member(CODECS).elements().stream().map(NamedConfiguration::parse).toList();
  }

  /** Returns the sharding with other codecs for its inner chunks. */
  public ShardingMetadata withInnerCodecs(List<NamedConfiguration> codecs) {
    return with(codec.configuration().object().with(CODECS, json(codecs)));
  }

  /** Returns the sharding with inner chunks of another shape. */
  public ShardingMetadata withInnerShape(long... innerShape) {
    return with(
        codec.configuration().object().with("chunk_shape", JsonArray.ofIntegers(innerShape)));
  }

  private ShardingMetadata with(JsonObject configuration) {
    return new ShardingMetadata(CodecDefaults.configured(codec, configuration));
  }

  /**
   * Returns the configuration with complete codecs of the inner chunks. A value that is no list of
   * codecs is left to the readers of the metadata, which refuse it.
   */
  JsonObject completed(DataType type) {
    JsonObject given = codec.configuration().object();
    if (!(given.get(CODECS) instanceof JsonArray)) {
      return given;
    }
    ChainParts inner = ChainParts.of(CODECS + " of " + NAME, innerCodecs());
    return given.with(CODECS, json(inner.complete(type)));
  }
}
