package dev.zarrreactive.testing;

import dev.zarrreactive.base.Bytes;
import dev.zarrreactive.error.Location;
import dev.zarrreactive.extension.NamedConfiguration;
import dev.zarrreactive.json.JsonArray;
import dev.zarrreactive.json.JsonDocument;
import dev.zarrreactive.json.JsonNull;
import dev.zarrreactive.json.JsonObject;
import dev.zarrreactive.json.JsonValue;
import dev.zarrreactive.json.LocatedJson;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** JSON in tests, written with single quotes. */
public final class Json {
  private Json() {}

  /** The value that the text is. */
  public static LocatedJson value(String text) {
    return JsonDocument.parse(Bytes.utf8(text.replace('\'', '"')).asByteBuffer(), Location.UNKNOWN);
  }

  /** The object that the text is. */
  public static JsonObject object(String text) {
    return value(text).object();
  }

  /** The extension that the text names. */
  public static NamedConfiguration extension(String text) {
    return NamedConfiguration.parse(value(text));
  }

  /** The extension of a name, with its configuration. */
  public static NamedConfiguration extension(String name, String configuration) {
    return extension("{'name': '" + name + "', 'configuration': " + configuration + "}");
  }

  /**
   * The document with one change: {@code -/member} takes something out, {@code /a/0=JSON} sets it.
   * The place is a JSON pointer without escapes.
   */
  public static JsonObject edited(JsonObject document, String edit) {
    int equals = edit.indexOf('=');
    return edit.startsWith("-")
        ? (JsonObject) edited(document, edit.substring(2).split("/"), 0, null)
        : (JsonObject)
            edited(
                document,
                edit.substring(1, equals).split("/"),
                0,
                value(edit.substring(equals + 1)).value());
  }

  private static JsonValue edited(
      JsonValue here, String[] path, int depth, @Nullable JsonValue change) {
    if (depth == path.length) {
      return Objects.requireNonNull(change);
    }
    boolean last = depth == path.length - 1;
    if (here instanceof JsonArray array) {
      List<JsonValue> elements = new ArrayList<>(array.elements());
      int index = Integer.parseInt(path[depth]);
      if (index == elements.size()) {
        elements.add(JsonNull.NULL); // one more
      }
      if (last && change == null) {
        elements.remove(index);
      } else {
        elements.set(index, edited(elements.get(index), path, depth + 1, change));
      }
      return new JsonArray(elements);
    }
    JsonObject object = (JsonObject) here;
    if (last && change == null) {
      return object.without(path[depth]);
    }
    JsonValue old = object.get(path[depth]);
    return object.with(
        path[depth], edited(old == null ? JsonNull.NULL : old, path, depth + 1, change));
  }
}
