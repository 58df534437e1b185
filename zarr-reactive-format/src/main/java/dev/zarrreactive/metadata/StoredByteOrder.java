package dev.zarrreactive.metadata;

import dev.zarrreactive.extension.NamedConfiguration;
import dev.zarrreactive.json.JsonArray;
import dev.zarrreactive.json.JsonObject;
import dev.zarrreactive.json.JsonString;
import dev.zarrreactive.json.JsonValue;
import java.nio.ByteOrder;
import java.util.List;

/**
 * Finds the byte order that a codec chain stores, for the one fill value that depends on it: the
 * packed bytes of a {@code structured} item. It reads only the metadata, before the codecs exist.
 */
final class StoredByteOrder {
  private StoredByteOrder() {}

  /** Returns the byte order, by default little-endian. */
  static ByteOrder of(List<NamedConfiguration> codecs) {
    boolean big =
        codecs.stream().anyMatch(codec -> isBig(codec.name(), codec.configuration().object()));
    return big ? ByteOrder.BIG_ENDIAN : ByteOrder.LITTLE_ENDIAN;
  }

  private static boolean isBig(String codec, JsonObject configuration) {
    return switch (codec) {
      case "bytes", "endian" -> new JsonString("big").equals(configuration.get("endian"));
      case "sharding_indexed" ->
          configuration.get("codecs") instanceof JsonArray inner
              && inner.elements().stream().anyMatch(StoredByteOrder::isBig);
      default -> false;
    };
  }

  private static boolean isBig(JsonValue codec) {
    return codec instanceof JsonObject object
        && object.get("name") instanceof JsonString name
        && object.get("configuration") instanceof JsonObject configuration
        && isBig(name.value(), configuration);
  }
}
