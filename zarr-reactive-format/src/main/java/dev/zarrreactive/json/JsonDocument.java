package dev.zarrreactive.json;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonLocation;
import com.fasterxml.jackson.core.JsonParseException;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.StreamReadConstraints;
import com.fasterxml.jackson.core.exc.StreamConstraintsException;
import com.fasterxml.jackson.core.io.JsonEOFException;
import com.fasterxml.jackson.core.json.JsonReadFeature;
import dev.zarrreactive.error.Leniency;
import dev.zarrreactive.error.Location;
import dev.zarrreactive.error.MetadataException;
import dev.zarrreactive.json.JsonTokens.Rules;
import dev.zarrreactive.spi.Spi;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.Reader;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.CodingErrorAction;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * Parses metadata documents: UTF-8, RFC 8259, capped in size and depth. A duplicate member and the
 * tokens {@code NaN} and {@code Infinity} are errors, except inside {@code attributes}, {@code
 * .zattrs} and consolidated metadata: other programs write them there. {@link Leniency} has the
 * list.
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

  /** The kinds of documents, which differ in the deviations from JSON that are accepted. */
  public enum Kind {
    /** A {@code zarr.json} or a {@code .zgroup}, or any other document. */
    NODE(Rules.STRICT),

    /** A {@code .zarray}: its fill value may be a token. */
    V2_ARRAY(Rules.ARRAY_OF_V2),

    /** Attributes alone, such as a {@code .zattrs}. */
    ATTRIBUTES(Rules.ATTRIBUTES),

    /** A {@code .zmetadata}. */
    V2_CONSOLIDATED(Rules.CONSOLIDATED);

    private final Rules rules;

    Kind(Rules rules) {
      this.rules = rules;
    }
  }

  /**
   * A parsed document.
   *
   * @param json the value of the document
   * @param accepted the first place of each deviation from JSON that was accepted
   * @param consolidatedProblem the error for which the member {@code consolidated_metadata} was
   *     left out, or null
   */
  public record Parsed(
      LocatedJson json,
      Map<Leniency, Location> accepted,
      @Nullable MetadataException consolidatedProblem) {}

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
    return parse(utf8, where, maxElements, Kind.NODE).json();
  }

  /**
   * Parses a document that consists of attributes, otherwise as {@link #parse(ByteBuffer,
   * Location)}.
   */
  public static LocatedJson parseAttributes(ByteBuffer utf8, Location where) {
    return parse(utf8, where, Long.MAX_VALUE, Kind.ATTRIBUTES).json();
  }

  /**
   * Parses a document of the kind, otherwise as {@link #parse(ByteBuffer, Location, long)}. An
   * error inside of the consolidated metadata of a group leaves these out, unless the text ends or
   * is no JSON there.
   */
  public static Parsed parse(ByteBuffer utf8, Location where, long maxElements, Kind kind) {
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
    try {
      return parse(utf8, top, maxElements, kind, UnaryOperator.identity());
    } catch (JsonParseException e) {
      if (!isAboutSurrogate(e)) {
        throw malformed(e, top);
      }
      try {
        return parse(utf8, top, maxElements, kind, UnpairedEscapes::new);
      } catch (JsonProcessingException again) {
        throw malformed(again, top);
      } catch (IOException again) {
        throw unreadable(again, top);
      }
    } catch (JsonProcessingException e) {
      throw malformed(e, top);
    } catch (IOException e) {
      throw unreadable(e, top);
    }
  }

  /** Jackson refuses a name with the escape of an unpaired surrogate, which JSON allows. */
  private static boolean isAboutSurrogate(JsonParseException e) {
    return String.valueOf(e.getOriginalMessage()).contains("surrogate");
  }

  private static Parsed parse(
      ByteBuffer utf8, Location top, long maxElements, Kind kind, UnaryOperator<Reader> filter)
      throws IOException {
    BufferInput bytes = new BufferInput(utf8);
    boolean hasMark = bytes.skipMark();
    try (JsonParser parser = FACTORY.createParser(filter.apply(text(bytes)))) {
      JsonToken first = parser.nextToken();
      if (first == null) {
        throw new MetadataException("the document is empty", top);
      }
      JsonTokens tokens = new JsonTokens(parser, top, maxElements);
      JsonValue value = tokens.value(first, kind.rules);
      if (parser.nextToken() != null) {
        throw new MetadataException("the document has content after its end", top);
      }
      Map<Leniency, Location> accepted = tokens.accepted();
      if (hasMark) {
        accepted.put(Leniency.BYTE_ORDER_MARK, top);
      }
      return new Parsed(new LocatedJson(value, top), accepted, tokens.consolidatedProblem());
    }
  }

  private static MetadataException malformed(JsonProcessingException e, Location top) {
    JsonLocation at = e.getLocation();
    String line = at == null ? "" : " at line " + at.getLineNr() + ", column " + at.getColumnNr();
    return new MetadataException("not JSON: " + reason(e) + line, top, e);
  }

  private static MetadataException unreadable(IOException e, Location top) {
    return e instanceof CharacterCodingException
        ? new MetadataException("the document is not UTF-8", top, e)
        : new MetadataException("not JSON: " + e.getMessage(), top, e);
  }

  /** Returns a reader that decodes as the parser advances. A whole copy would be twice as long. */
  private static Reader text(BufferInput utf8) {
    return new InputStreamReader(
        utf8,
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

  /** Reads the bytes of a buffer without a change of its position. */
  private static final class BufferInput extends InputStream {
    private static final byte[] BYTE_ORDER_MARK = {(byte) 0xEF, (byte) 0xBB, (byte) 0xBF};

    private final ByteBuffer bytes;

    BufferInput(ByteBuffer bytes) {
      this.bytes = bytes.duplicate();
    }

    /** Skips a byte order mark, and returns whether one was next. */
    boolean skipMark() {
      int mark = BYTE_ORDER_MARK.length;
      if (bytes.remaining() >= mark
          && bytes.slice(bytes.position(), mark).equals(ByteBuffer.wrap(BYTE_ORDER_MARK))) {
        bytes.position(bytes.position() + mark);
        return true;
      }
      return false;
    }

    @Override
    public int read() {
      return bytes.hasRemaining() ? bytes.get() & 0xFF : -1;
    }

    @Override
    public int read(byte[] target, int offset, int length) {
      if (!bytes.hasRemaining()) {
        return -1;
      }
      int count = Math.min(length, bytes.remaining());
      bytes.get(target, offset, count);
      return count;
    }
  }
}
