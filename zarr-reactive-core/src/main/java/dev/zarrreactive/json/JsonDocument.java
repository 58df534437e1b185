package dev.zarrreactive.json;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonLocation;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.StreamReadConstraints;
import com.fasterxml.jackson.core.exc.StreamConstraintsException;
import com.fasterxml.jackson.core.io.JsonEOFException;
import com.fasterxml.jackson.core.json.JsonReadFeature;
import dev.zarrreactive.error.Location;
import dev.zarrreactive.error.MetadataException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.CodingErrorAction;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Parses metadata documents: UTF-8, RFC 8259, capped in size and depth. Outside {@code attributes}
 * and {@code .zattrs} a member that stands twice and the tokens {@code NaN} and {@code Infinity}
 * are errors; inside, where they harm nobody and other programs write them, they are kept.
 */
public final class JsonDocument {
  /** Documents longer than this are refused: 256 MiB, enough for 100,000 consolidated nodes. */
  public static final int MAX_BYTES = 256 << 20;

  /** Documents nested deeper than this are refused. */
  public static final int MAX_DEPTH = 256;

  private static final JsonFactory FACTORY =
      JsonFactory.builder()
          .enable(JsonReadFeature.ALLOW_NON_NUMERIC_NUMBERS)
          .streamReadConstraints(
              StreamReadConstraints.builder()
                  .maxNestingDepth(MAX_DEPTH)
                  .maxNumberLength(1_000)
                  .maxStringLength(MAX_BYTES)
                  .build())
          .build();

  private JsonDocument() {}

  /**
   * Parses a document.
   *
   * @param utf8 the document's bytes; a leading byte order mark is skipped
   * @param where the document's place, for errors
   * @throws MetadataException where it is not JSON, too long or too deep
   */
  public static LocatedJson parse(ByteBuffer utf8, Location where) {
    return parse(utf8, where, false);
  }

  /**
   * Parses a document that is nothing but attributes.
   *
   * @param utf8 the document's bytes; a leading byte order mark is skipped
   * @param where the document's place, for errors
   * @throws MetadataException where it is not JSON, too long or too deep
   */
  public static LocatedJson parseAttributes(ByteBuffer utf8, Location where) {
    return parse(utf8, where, true);
  }

  private static LocatedJson parse(ByteBuffer utf8, Location where, boolean lenient) {
    Location top = where.pointer("");
    if (utf8.remaining() > MAX_BYTES) {
      throw new MetadataException(
          "the document has " + utf8.remaining() + " bytes; more than " + MAX_BYTES, top);
    }
    CharBuffer text = decode(utf8, top);
    try (JsonParser parser =
        FACTORY.createParser(text.array(), text.arrayOffset() + text.position(), text.length())) {
      JsonToken first = parser.nextToken();
      if (first == null) {
        throw new MetadataException("the document is empty", top);
      }
      JsonValue value = value(parser, first, top, lenient);
      if (parser.nextToken() != null) {
        throw new MetadataException("something follows the document's end", top);
      }
      return new LocatedJson(value, top);
    } catch (JsonProcessingException e) {
      JsonLocation at = e.getLocation();
      String line = at == null ? "" : " at line " + at.getLineNr() + ", column " + at.getColumnNr();
      throw new MetadataException("not JSON: " + reason(e) + line, top, e);
    } catch (IOException e) {
      throw new MetadataException("not JSON: " + e.getMessage(), top, e);
    }
  }

  /** What Jackson says, without its advice to programmers. */
  private static String reason(JsonProcessingException e) {
    if (e instanceof JsonEOFException) {
      return "the document is cut short";
    }
    String message = String.valueOf(e.getOriginalMessage());
    if (e instanceof StreamConstraintsException) {
      return message.startsWith("Document nesting depth")
          ? "nested deeper than " + MAX_DEPTH
          : message.replaceAll(", from `.*", ")");
    }
    return message.replaceAll(": (maybe|expected|was expecting) .*", "").replaceAll("\\R.*", "");
  }

  private static CharBuffer decode(ByteBuffer utf8, Location top) {
    try {
      CharBuffer text =
          StandardCharsets.UTF_8
              .newDecoder()
              .onMalformedInput(CodingErrorAction.REPORT)
              .onUnmappableCharacter(CodingErrorAction.REPORT)
              .decode(utf8.duplicate());
      if (text.hasRemaining() && text.get(text.position()) == '\uFEFF') {
        text.position(text.position() + 1);
      }
      return text;
    } catch (CharacterCodingException e) {
      throw new MetadataException("the document is not UTF-8", top, e);
    }
  }

  private static JsonValue value(
      JsonParser parser, JsonToken token, Location where, boolean lenient) throws IOException {
    return switch (token) {
      case START_OBJECT -> object(parser, where, lenient);
      case START_ARRAY -> array(parser, where, lenient);
      case VALUE_STRING -> new JsonString(parser.getText());
      case VALUE_NUMBER_INT -> new JsonNumber(parser.getText());
      case VALUE_NUMBER_FLOAT -> number(parser.getText(), where, lenient);
      case VALUE_TRUE -> new JsonBoolean(true);
      case VALUE_FALSE -> new JsonBoolean(false);
      default -> JsonNull.NULL;
    };
  }

  private static JsonArray array(JsonParser parser, Location where, boolean lenient)
      throws IOException {
    List<JsonValue> elements = new ArrayList<>();
    for (JsonToken t = parser.nextToken(); t != JsonToken.END_ARRAY; t = parser.nextToken()) {
      Location place = lenient ? where : where.child(Integer.toString(elements.size()));
      elements.add(value(parser, t, place, lenient));
    }
    return new JsonArray(elements);
  }

  private static JsonNumber number(String text, Location where, boolean lenient) {
    JsonNumber number = new JsonNumber(spelling(text));
    if (!number.isFinite() && !lenient) {
      throw new MetadataException("not JSON: the token " + number.text(), where);
    }
    return number;
  }

  /** Jackson also takes the tokens INF and +INF. */
  private static String spelling(String text) {
    return switch (text) {
      case "INF", "+INF", "+Infinity" -> "Infinity";
      case "-INF" -> "-Infinity";
      default -> text;
    };
  }

  private static JsonObject object(JsonParser parser, Location where, boolean lenient)
      throws IOException {
    Map<String, JsonValue> members = new LinkedHashMap<>();
    for (String name = parser.nextFieldName(); name != null; name = parser.nextFieldName()) {
      Location place = lenient ? where : where.child(name);
      JsonToken token = parser.nextToken();
      JsonValue value = value(parser, token, place, lenient || isAttributes(name));
      if (members.put(name, value) != null && !lenient) {
        throw new MetadataException("the member \"" + name + "\" stands twice", place);
      }
    }
    return new JsonObject(members);
  }

  /** Consolidated metadata of Zarr v2 names the attributes of a node by their key. */
  private static boolean isAttributes(String name) {
    return name.equals("attributes") || name.equals(".zattrs") || name.endsWith("/.zattrs");
  }
}
