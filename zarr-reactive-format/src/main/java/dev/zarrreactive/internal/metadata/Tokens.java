package dev.zarrreactive.internal.metadata;

import dev.zarrreactive.error.Leniency;
import dev.zarrreactive.error.MetadataException;
import dev.zarrreactive.json.JsonArray;
import dev.zarrreactive.json.JsonNumber;
import dev.zarrreactive.json.JsonObject;
import dev.zarrreactive.json.JsonString;
import dev.zarrreactive.json.JsonValue;
import dev.zarrreactive.json.LocatedJson;
import java.util.ArrayList;
import java.util.List;

/**
 * Reads and refuses the tokens {@code NaN}, {@code Infinity} and {@code -Infinity} in the document
 * of an array.
 */
public final class Tokens {
  private static final String FILL_VALUE = "fill_value";
  private static final String ATTRIBUTES = "attributes";

  private Tokens() {}

  /**
   * Returns the names in quotes for a fill value of tokens, and any other value unchanged. So they
   * are written as Zarr has them.
   */
  public static JsonValue quoted(JsonValue value) {
    if (value instanceof JsonNumber number && !number.isFinite()) {
      return new JsonString(number.text());
    }
    if (!(value instanceof JsonArray array) || array.elements().stream().noneMatch(Tokens::is)) {
      return value;
    }
    List<JsonValue> parts = new ArrayList<>(array.elements());
    parts.replaceAll(Tokens::quoted);
    return new JsonArray(parts);
  }

  /** Adds the warning of a fill value that is a token. */
  public static void note(LocatedJson fillValue, JsonValue quoted, Deviations deviations) {
    deviations.note(
        Leniency.TOKEN_AS_FILL_VALUE,
        fillValue,
        "the fill value is the token "
            + fillValue.value()
            + " without quotes, and read as "
            + quoted);
  }

  /** Returns the error of a token for a data type without such a value. */
  public static MetadataException refused(LocatedJson fillValue) {
    return fillValue.error("not JSON: the token " + fillValue.value());
  }

  private static boolean is(JsonValue value) {
    return value instanceof JsonNumber number && !number.isFinite();
  }

  /**
   * Checks an entry of consolidated metadata, which are read with tokens anywhere.
   *
   * @throws dev.zarrreactive.error.MetadataException for a token in another member than the fill
   *     value and the attributes
   */
  public static void check(LocatedJson entry) {
    if (entry.value() instanceof JsonObject) {
      entry.forEachMember(
          (name, member) -> {
            if (!name.equals(FILL_VALUE) && !name.equals(ATTRIBUTES)) {
              checkAll(member);
            }
          });
    }
  }

  private static void checkAll(LocatedJson json) {
    if (is(json.value())) {
      throw json.error("not JSON: the token " + json.value());
    } else if (json.value() instanceof JsonObject) {
      json.forEachMember((name, member) -> checkAll(member));
    } else if (json.value() instanceof JsonArray) {
      json.elements().forEach(Tokens::checkAll);
    }
  }
}
