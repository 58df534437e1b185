package dev.zarrreactive.copy;

import dev.zarrreactive.datatype.DataType;
import dev.zarrreactive.datatype.VariableLengthType;
import dev.zarrreactive.extension.NamedConfiguration;
import dev.zarrreactive.json.JsonNumber;
import dev.zarrreactive.json.JsonObject;
import dev.zarrreactive.json.JsonString;
import dev.zarrreactive.json.JsonValue;
import java.util.List;

/**
 * Completes the codec {@code blosc}, whose configuration depends on the data type, so that one
 * choice of codecs serves all arrays of a hierarchy. The values are those of zarr-python.
 */
final class BloscDefaults {
  private static final String NAME = "blosc";
  private static final int LEVEL = 5;

  private BloscDefaults() {}

  /** Returns the chain with the members that {@code blosc} lacks. */
  static List<NamedConfiguration> completed(List<NamedConfiguration> chain, DataType type) {
    return chain.stream()
        .map(codec -> codec.name().equals(NAME) ? completed(codec, type) : codec)
        .toList();
  }

  private static NamedConfiguration completed(NamedConfiguration codec, DataType type) {
    int size = type instanceof VariableLengthType ? 1 : type.itemSize();
    JsonObject given = codec.configuration().object();
    JsonObject complete = given;
    complete = with(complete, "typesize", JsonNumber.of(size));
    complete = with(complete, "cname", new JsonString("zstd"));
    complete = with(complete, "clevel", JsonNumber.of(LEVEL));
    complete = with(complete, "shuffle", new JsonString(size == 1 ? "bitshuffle" : "shuffle"));
    complete = with(complete, "blocksize", JsonNumber.of(0));
    return complete.equals(given) ? codec : NamedConfiguration.of(NAME, complete);
  }

  private static JsonObject with(JsonObject given, String member, JsonValue otherwise) {
    return given.get(member) == null ? given.with(member, otherwise) : given;
  }
}
