package dev.zarrreactive.internal.metadata;

import dev.zarrreactive.error.UnsupportedFeatureException;
import dev.zarrreactive.extension.NamedConfiguration;
import dev.zarrreactive.json.JsonBoolean;
import dev.zarrreactive.json.JsonObject;
import dev.zarrreactive.json.JsonString;
import dev.zarrreactive.json.JsonValue;
import dev.zarrreactive.json.LocatedJson;
import java.util.LinkedHashMap;
import java.util.Map;

/** Translates codecs of Zarr v3 to filters and compressors of Zarr v2. */
public final class V2Codecs {
  private V2Codecs() {}

  /**
   * Returns a codec as a filter or compressor.
   *
   * @throws UnsupportedFeatureException if Zarr v2 lacks the codec
   */
  public static JsonObject write(NamedConfiguration codec) {
    String name = codec.name();
    if (name.startsWith(V2Codec.PREFIX)) {
      return withId(name.substring(V2Codec.PREFIX.length()), codec.configuration().object());
    }
    return switch (name) {
      case "gzip", "crc32c", "vlen-utf8", "vlen-bytes" ->
          withId(name, codec.configuration().object());
      case "zstd" -> withId(name, zstd(codec.configuration().object()));
      case "blosc" -> withId(name, blosc(codec));
      default -> throw refused("the codec \"" + name + "\"" + remedy(name), codec.source());
    };
  }

  private static String remedy(String name) {
    return name.equals("transpose")
        ? " but with the order of all dimensions reversed, before other codecs"
        : "";
  }

  /** Leaves out a checksum that is off: numcodecs before 0.13 refuses the member. */
  private static JsonObject zstd(JsonObject configuration) {
    return new JsonBoolean(false).equals(configuration.get("checksum"))
        ? configuration.without("checksum")
        : configuration;
  }

  /** Translates the shuffle, which Zarr v3 spells as a word. */
  private static JsonObject blosc(NamedConfiguration codec) {
    LocatedJson shuffle = codec.optional("shuffle");
    String text = shuffle == null ? "" : shuffle.oneOf("noshuffle", "shuffle", "bitshuffle");
    JsonObject configuration = codec.configuration().object();
    return switch (text) {
      case "" -> configuration;
      case "noshuffle" -> configuration.with("shuffle", 0);
      case "shuffle" -> configuration.with("shuffle", 1);
      default -> configuration.with("shuffle", 2);
    };
  }

  private static JsonObject withId(String id, JsonObject configuration) {
    Map<String, JsonValue> members = new LinkedHashMap<>();
    members.put("id", new JsonString(id));
    members.putAll(configuration.members());
    return new JsonObject(members);
  }

  /** Returns the error of a feature that Zarr v2 lacks. */
  public static UnsupportedFeatureException refused(String what, LocatedJson place) {
    return new UnsupportedFeatureException("Zarr v2 does not have " + what, place.location());
  }
}
