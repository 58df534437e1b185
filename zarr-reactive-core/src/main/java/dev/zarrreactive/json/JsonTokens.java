package dev.zarrreactive.json;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import dev.zarrreactive.error.Location;
import dev.zarrreactive.error.MetadataException;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Makes values of the tokens of one document, and counts them. A {@link Location} is made only for
 * an error: the parser knows its position.
 */
final class JsonTokens {
  /** The weight of a value, in integers of a list of integers. */
  private static final int VALUE = 4;

  /** The number of digits that always fit into a long. */
  private static final int DIGITS = 18;

  /** The maximum number of member names that are kept. */
  private static final int NAMES = 256;

  private final JsonParser parser;
  private final Location top;
  private final long maxElements;
  private final long maxWeight;

  /** The first member names, each once: nodes and codecs repeat them. */
  private final Map<String, String> names = new HashMap<>();

  private long weight;

  /**
   * Reads the tokens of a document.
   *
   * @param maxElements the maximum number of values, where four integers of a list count as one
   */
  JsonTokens(JsonParser parser, Location top, long maxElements) {
    this.parser = parser;
    this.top = top;
    this.maxElements = maxElements;
    this.maxWeight = maxElements > Long.MAX_VALUE / VALUE ? Long.MAX_VALUE : VALUE * maxElements;
  }

  /** Returns an error at the token that was read last. */
  private MetadataException error(String message) {
    return new MetadataException(
        message, top.pointer(parser.getParsingContext().pathAsPointer().toString()));
  }

  private void count(long more) {
    weight += more;
    if (weight > maxWeight) {
      throw new MetadataException(
          "the document has more than "
              + maxElements
              + " values, the maximum of the options; raise it for documents that you trust",
          top);
    }
  }

  /**
   * Makes the value that begins with {@code token}.
   *
   * @param lenient true inside attributes
   */
  JsonValue value(JsonToken token, boolean lenient) throws IOException {
    count(VALUE);
    return switch (token) {
      case START_OBJECT -> object(lenient);
      case START_ARRAY -> array(lenient);
      case VALUE_STRING -> new JsonString(parser.getText());
      case VALUE_NUMBER_INT -> new JsonNumber(parser.getText());
      case VALUE_NUMBER_FLOAT -> number(lenient);
      case VALUE_TRUE -> new JsonBoolean(true);
      case VALUE_FALSE -> new JsonBoolean(false);
      default -> JsonNull.NULL;
    };
  }

  private JsonNumber number(boolean lenient) throws IOException {
    JsonNumber number = new JsonNumber(spelling(parser.getText()));
    if (!number.isFinite() && !lenient) {
      throw error("not JSON: the token " + number.text());
    }
    return number;
  }

  /** Jackson also accepts the tokens INF and +INF. */
  private static String spelling(String text) {
    return switch (text) {
      case "INF", "+INF", "+Infinity" -> "Infinity";
      case "-INF" -> "-Infinity";
      default -> text;
    };
  }

  private JsonArray array(boolean lenient) throws IOException {
    long[] integers = new long[4];
    int size = 0;
    JsonToken token = parser.nextToken();
    for (; isPlainInteger(token); token = parser.nextToken()) {
      count(1);
      if (size == integers.length) {
        integers = Arrays.copyOf(integers, size + (size >> 1));
      }
      integers[size++] = parser.getLongValue();
    }
    return token == JsonToken.END_ARRAY
        ? new JsonArray(new IntegerList(integers, size))
        : mixed(new IntegerList(integers, size), token, lenient);
  }

  /** Returns true for an integer that a long spells the same way. */
  private boolean isPlainInteger(JsonToken token) throws IOException {
    return token == JsonToken.VALUE_NUMBER_INT
        && parser.getTextLength() <= DIGITS
        && (parser.getTextLength() != 2 || parser.getLongValue() != 0); // -0
  }

  private JsonArray mixed(IntegerList first, JsonToken next, boolean lenient) throws IOException {
    count((VALUE - 1) * (long) first.size());
    List<JsonValue> elements = new ArrayList<>(first);
    for (JsonToken t = next; t != JsonToken.END_ARRAY; t = parser.nextToken()) {
      elements.add(value(t, lenient));
    }
    return new JsonArray(elements);
  }

  private JsonObject object(boolean lenient) throws IOException {
    Map<String, JsonValue> members = new LinkedHashMap<>();
    for (String name = parser.nextFieldName(); name != null; name = parser.nextFieldName()) {
      JsonToken token = parser.nextToken();
      JsonValue value = value(token, lenient || isAttributes(name));
      if (members.put(once(name), value) != null && !lenient) {
        throw error("duplicate member \"" + name + '"');
      }
    }
    return new JsonObject(members);
  }

  private String once(String name) {
    String known = names.size() < NAMES ? names.putIfAbsent(name, name) : names.get(name);
    return known == null ? name : known;
  }

  /** Recognises the keys of attributes too: consolidated metadata of Zarr v2 names them. */
  private static boolean isAttributes(String name) {
    return name.equals("attributes") || name.equals(".zattrs") || name.endsWith("/.zattrs");
  }
}
