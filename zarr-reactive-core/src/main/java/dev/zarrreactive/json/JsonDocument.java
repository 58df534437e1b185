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
import dev.zarrreactive.spi.Spi;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.Reader;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.CodingErrorAction;
import java.nio.charset.StandardCharsets;

/**
 * Parses metadata documents: UTF-8, RFC 8259, capped in size and depth. A duplicate member and the
 * tokens {@code NaN} and {@code Infinity} are errors, except inside {@code attributes} and {@code
 * .zattrs}: other programs write them there.
 */
@Spi
public final class JsonDocument {
  /** The maximum size of a document, whatever the options allow: 256 MiB. */
  public static final int MAX_BYTES = 256 << 20;

  /** The maximum depth of a document. */
  public static final int MAX_DEPTH = 256;

  private static final JsonFactory FACTORY =
      JsonFactory.builder()
          .enable(JsonReadFeature.ALLOW_NON_NUMERIC_NUMBERS)
          .disable(JsonFactory.Feature.INTERN_FIELD_NAMES)
          .disable(JsonFactory.Feature.CANONICALIZE_FIELD_NAMES)
          .streamReadConstraints(
              StreamReadConstraints.builder()
                  .maxNestingDepth(MAX_DEPTH)
                  .maxNumberLength(1_000)
                  .maxStringLength(MAX_BYTES)
                  .build())
          .build();

  private JsonDocument() {}

  /**
   * Parses a document with any number of values.
   *
   * @param utf8 the document's bytes; a leading byte order mark is skipped
   * @param where the document's place, for errors
   * @throws MetadataException if it is malformed, too long or too deep
   */
  public static LocatedJson parse(ByteBuffer utf8, Location where) {
    return parse(utf8, where, Long.MAX_VALUE);
  }

  /**
   * Parses a document.
   *
   * @param utf8 the document's bytes; a leading byte order mark is skipped
   * @param where the document's place, for errors
   * @param maxElements the maximum number of values, where four integers of a list count as one
   * @throws MetadataException if it is malformed, too long, too deep or has more values
   */
  public static LocatedJson parse(ByteBuffer utf8, Location where, long maxElements) {
    return parse(utf8, where, maxElements, false);
  }

  /**
   * Parses a document that consists of attributes, otherwise as {@link #parse(ByteBuffer,
   * Location)}.
   */
  public static LocatedJson parseAttributes(ByteBuffer utf8, Location where) {
    return parseAttributes(utf8, where, Long.MAX_VALUE);
  }

  /**
   * Parses a document that consists of attributes, otherwise as {@link #parse(ByteBuffer, Location,
   * long)}.
   */
  public static LocatedJson parseAttributes(ByteBuffer utf8, Location where, long maxElements) {
    return parse(utf8, where, maxElements, true);
  }

  private static LocatedJson parse(
      ByteBuffer utf8, Location where, long maxElements, boolean lenient) {
    Location top = where.pointer("");
    if (utf8.remaining() > MAX_BYTES) {
      throw new MetadataException(
          "the document has "
              + utf8.remaining()
              + " bytes; at most "
              + MAX_BYTES
              + " are supported",
          top);
    }
    try (JsonParser parser = FACTORY.createParser(text(utf8))) {
      JsonToken first = parser.nextToken();
      if (first == null) {
        throw new MetadataException("the document is empty", top);
      }
      JsonValue value = new JsonTokens(parser, top, maxElements).value(first, lenient);
      if (parser.nextToken() != null) {
        throw new MetadataException("the document has content after its end", top);
      }
      return new LocatedJson(value, top);
    } catch (JsonProcessingException e) {
      JsonLocation at = e.getLocation();
      String line = at == null ? "" : " at line " + at.getLineNr() + ", column " + at.getColumnNr();
      throw new MetadataException("not JSON: " + reason(e) + line, top, e);
    } catch (CharacterCodingException e) {
      throw new MetadataException("the document is not UTF-8", top, e);
    } catch (IOException e) {
      throw new MetadataException("not JSON: " + e.getMessage(), top, e);
    }
  }

  /** Returns a reader that decodes as the parser advances. A whole copy would be twice as long. */
  private static Reader text(ByteBuffer utf8) {
    return new InputStreamReader(
        new BufferInput(utf8).withoutMark(),
        StandardCharsets.UTF_8
            .newDecoder()
            .onMalformedInput(CodingErrorAction.REPORT)
            .onUnmappableCharacter(CodingErrorAction.REPORT));
  }

  /** Returns Jackson's message without its advice to programmers. */
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
}
