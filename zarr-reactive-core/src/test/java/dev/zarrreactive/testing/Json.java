package dev.zarrreactive.testing;

import dev.zarrreactive.error.Location;
import dev.zarrreactive.extension.NamedConfiguration;
import dev.zarrreactive.json.JsonDocument;
import dev.zarrreactive.json.JsonObject;
import dev.zarrreactive.json.LocatedJson;
import dev.zarrreactive.store.Bytes;

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
}
