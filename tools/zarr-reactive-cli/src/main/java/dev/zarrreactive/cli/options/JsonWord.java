package dev.zarrreactive.cli.options;

import dev.zarrreactive.error.MetadataException;
import dev.zarrreactive.json.JsonArray;
import dev.zarrreactive.json.JsonString;
import dev.zarrreactive.json.JsonValue;
import java.util.List;

/** Words of the command line that are JSON, or else texts. */
public final class JsonWord {
  private JsonWord() {}

  /** Returns the value of JSON, otherwise the text itself. */
  public static JsonValue of(String text) {
    try {
      return JsonValue.parse(text);
    } catch (MetadataException e) {
      return new JsonString(text);
    }
  }

  /** Returns texts as an array. */
  public static JsonArray texts(List<String> texts) {
    return new JsonArray(texts.stream().<JsonValue>map(JsonString::new).toList());
  }
}
