package dev.zarrreactive.cli.options;

import dev.zarrreactive.error.Location;
import dev.zarrreactive.error.MetadataException;
import dev.zarrreactive.json.JsonArray;
import dev.zarrreactive.json.JsonDocument;
import dev.zarrreactive.json.JsonString;
import dev.zarrreactive.json.JsonValue;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.List;

/** Words of the command line that are JSON, or else texts. */
public final class JsonWord {
  private JsonWord() {}

  /** Returns the value of JSON, otherwise the text itself. */
  public static JsonValue of(String text) {
    ByteBuffer utf8 = ByteBuffer.wrap(text.getBytes(StandardCharsets.UTF_8));
    try {
      return JsonDocument.parse(utf8, Location.UNKNOWN).value();
    } catch (MetadataException e) {
      return new JsonString(text);
    }
  }

  /** Returns texts as an array. */
  public static JsonArray texts(List<String> texts) {
    return new JsonArray(texts.stream().<JsonValue>map(JsonString::new).toList());
  }
}
