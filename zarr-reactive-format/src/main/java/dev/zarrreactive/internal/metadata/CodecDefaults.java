package dev.zarrreactive.internal.metadata;

import dev.zarrreactive.datatype.BytesType;
import dev.zarrreactive.datatype.DataType;
import dev.zarrreactive.datatype.ListType;
import dev.zarrreactive.datatype.OptionalType;
import dev.zarrreactive.datatype.StringType;
import dev.zarrreactive.datatype.VariableLengthType;
import dev.zarrreactive.extension.NamedConfiguration;
import dev.zarrreactive.json.JsonArray;
import dev.zarrreactive.json.JsonNumber;
import dev.zarrreactive.json.JsonObject;
import dev.zarrreactive.json.JsonValue;
import dev.zarrreactive.json.LocatedJson;
import java.util.List;
import java.util.Map;

/**
 * The codecs and the members of their configurations that follow from the data type, so that one
 * choice of codecs serves arrays of any type. The values are those of zarr-python.
 */
public final class CodecDefaults {
  /** The compressor of an array for which none is chosen: zstd at its own default level. */
  public static final NamedConfiguration COMPRESSOR =
      NamedConfiguration.of("zstd", JsonObject.EMPTY.with("level", 0).with("checksum", false));

  private static final String ENDIAN = "endian";

  private static final int BLOSC_LEVEL = 5;

  private CodecDefaults() {}

  /** Returns the array→bytes codec of a data type. */
  public static NamedConfiguration toBytes(DataType dataType) {
    if (dataType instanceof StringType) {
      return NamedConfiguration.of("vlen-utf8");
    } else if (dataType instanceof BytesType) {
      return NamedConfiguration.of("vlen-bytes");
    } else if (dataType instanceof ListType) {
      return NamedConfiguration.of("vlen-ndarray");
    } else if (dataType instanceof OptionalType optional) {
      JsonObject mask = NamedConfiguration.of("packbits").toJson();
      return NamedConfiguration.of(
          "zarrs.optional",
          JsonObject.EMPTY
              .with("mask_codecs", JsonArray.of(mask))
              .with("data_codecs", JsonArray.of(toBytes(optional.inner()).toJson())));
    }
    return completed(NamedConfiguration.of("bytes"), dataType);
  }

  /** Returns the chain with the members that its codecs lack. */
  public static List<NamedConfiguration> completed(List<NamedConfiguration> chain, DataType type) {
    return chain.stream().map(codec -> completed(codec, type)).toList();
  }

  private static NamedConfiguration completed(NamedConfiguration codec, DataType type) {
    JsonObject given = codec.configuration().object();
    JsonObject complete =
        switch (codec.name()) {
          case "blosc" -> blosc(given, type);
          case "bytes" ->
              type.hasByteOrder() && given.get(ENDIAN) == null
                  ? given.with(ENDIAN, "little")
                  : given;
          case ShardingMetadata.NAME -> new ShardingMetadata(codec).completed(type);
          default -> given;
        };
    return complete.equals(given) ? codec : configured(codec, complete);
  }

  /** Returns the use of a codec with another configuration. */
  static NamedConfiguration configured(NamedConfiguration codec, JsonObject configuration) {
    return NamedConfiguration.parse(
        new LocatedJson(
            codec.toJson().with("configuration", configuration), codec.source().location()));
  }

  /** Completes a configuration, in the order of zarr-python. */
  private static JsonObject blosc(JsonObject given, DataType type) {
    int size = typesize(type);
    JsonObject complete =
        JsonObject.EMPTY
            .with("typesize", size)
            .with("cname", "zstd")
            .with("clevel", BLOSC_LEVEL)
            .with("shuffle", size == 1 ? "bitshuffle" : "shuffle")
            .with("blocksize", 0);
    for (Map.Entry<String, JsonValue> member : given.members().entrySet()) {
      complete = complete.with(member.getKey(), member.getValue());
    }
    return complete;
  }

  private static int typesize(DataType type) {
    return type instanceof VariableLengthType ? 1 : type.itemSize();
  }

  /** Returns the chain without the members that follow from {@code old}, for another data type. */
  static List<NamedConfiguration> without(List<NamedConfiguration> chain, DataType old) {
    return chain.stream().map(codec -> without(codec, old)).toList();
  }

  private static NamedConfiguration without(NamedConfiguration codec, DataType old) {
    JsonObject given = codec.configuration().object();
    boolean follows =
        codec.name().equals("blosc") && JsonNumber.of(typesize(old)).equals(given.get("typesize"));
    return follows ? configured(codec, given.without("typesize")) : codec;
  }
}
