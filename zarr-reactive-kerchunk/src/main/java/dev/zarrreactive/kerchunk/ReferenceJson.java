package dev.zarrreactive.kerchunk;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.JsonLocation;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.StreamReadConstraints;
import com.fasterxml.jackson.core.io.JsonEOFException;
import com.fasterxml.jackson.core.json.JsonReadFeature;
import dev.zarrreactive.base.Bytes;
import dev.zarrreactive.base.StoreKey;
import dev.zarrreactive.error.Location;
import dev.zarrreactive.error.MetadataException;
import dev.zarrreactive.error.UnsupportedFeatureException;
import dev.zarrreactive.error.ZarrException;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.Reader;
import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.CharsetEncoder;
import java.nio.charset.CodingErrorAction;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Reads a file of references in JSON, of version 0 (only references) or 1 (templates, generators
 * and references). Programs write the version first, and then one pass is enough. The members may
 * come in any order, and then a second pass reads the references.
 */
final class ReferenceJson {
  private static final String BASE64 = "base64:";

  private static final JsonFactory FACTORY =
      JsonFactory.builder()
          .enable(JsonReadFeature.ALLOW_NON_NUMERIC_NUMBERS)
          .disable(JsonFactory.Feature.INTERN_FIELD_NAMES)
          .disable(JsonFactory.Feature.CANONICALIZE_FIELD_NAMES) // a million names, each once
          .streamReadConstraints(
              StreamReadConstraints.builder()
                  .maxNestingDepth(256)
                  .maxNumberLength(1_000)
                  .maxStringLength(Integer.MAX_VALUE)
                  .build())
          .build();

  private final Bytes json;
  private final Location top;
  private final Supplier<ReferenceTable.Builder> newTable;
  private final CharsetEncoder utf8 = StandardCharsets.UTF_8.newEncoder();

  private ReferenceTable.Builder table;
  private boolean hasVersion;
  private boolean hasReferences;

  /** The references were read in the first pass. */
  private boolean isRead;

  private final Map<String, String> templates = new LinkedHashMap<>();
  private final List<Generator> generators = new ArrayList<>();

  private ReferenceJson(Bytes json, KerchunkOptions options, Location place) {
    this.json = json;
    this.top = place.pointer("");
    this.newTable =
        () -> new ReferenceTable.Builder(options.maxReferences(), options.maxBytes(), place);
    this.table = newTable.get();
  }

  /**
   * Reads references.
   *
   * @param json the file, not compressed
   * @throws MetadataException where the file is malformed; the JSON pointer says where
   * @throws UnsupportedFeatureException where it uses what is not supported, or exceeds a bound
   */
  static ReferenceTable read(Bytes json, KerchunkOptions options, Location place) {
    return new ReferenceJson(withoutMark(json), options, place).read();
  }

  private static Bytes withoutMark(Bytes json) {
    boolean hasMark = json.size() >= 4 && (json.getInt(0) & 0xffffff) == 0xBFBBEF;
    return hasMark ? json.slice(3, json.size() - 3) : json;
  }

  private ReferenceTable read() {
    parse(this::readOthers);
    Templates expander = new Templates(hasVersion ? templates : Map.of());
    if (!hasVersion || (hasReferences && !isRead)) {
      table = newTable.get();
      parse(parser -> readReferences(parser, expander));
    }
    for (int i = 0; i < generators.size(); i++) {
      Location where = top.child("gen").child(Integer.toString(i));
      try {
        generators.get(i).generate(expander, table, where);
      } catch (TemplateProblem e) {
        throw located(e, where);
      }
    }
    return table.build();
  }

  private interface Reading {
    void read(JsonParser parser) throws IOException;
  }

  private void parse(Reading reading) {
    try (JsonParser parser = FACTORY.createParser(text())) {
      JsonToken first = parser.nextToken();
      if (first == null) {
        throw new MetadataException("the file of references is empty", top);
      } else if (first != JsonToken.START_OBJECT) {
        throw new MetadataException("references are a JSON object, not " + kind(first), top);
      }
      reading.read(parser);
      if (parser.nextToken() != null) {
        throw new MetadataException("content after the end of the references", top);
      }
    } catch (JsonProcessingException e) {
      throw malformed(e);
    } catch (CharacterCodingException e) {
      throw new MetadataException("the references are not UTF-8", top, e);
    } catch (IOException e) {
      throw new MetadataException("not JSON: " + e.getMessage(), top, e);
    }
  }

  /** Decodes as the parser advances. */
  private Reader text() {
    return new InputStreamReader(
        new ByteArrayInputStream(json.unsafeArray(), json.unsafeOffset(), json.size()),
        StandardCharsets.UTF_8
            .newDecoder()
            .onMalformedInput(CodingErrorAction.REPORT)
            .onUnmappableCharacter(CodingErrorAction.REPORT));
  }

  private MetadataException malformed(JsonProcessingException e) {
    JsonLocation at = e.getLocation();
    String reason =
        e instanceof JsonEOFException
            ? "the file is cut short"
            : String.valueOf(e.getOriginalMessage())
                .replaceAll(": (maybe|expected|was expecting) .*", "")
                .replaceAll("\\R.*", "");
    return new MetadataException(
        "not JSON: "
            + reason
            + (at == null ? "" : " at line " + at.getLineNr() + ", column " + at.getColumnNr()),
        top,
        e);
  }

  /** The place of the token that was read last. */
  private Location here(JsonParser parser) {
    Location here = top;
    List<String> path = new ArrayList<>();
    for (var context = parser.getParsingContext();
        context != null && !context.inRoot();
        context = context.getParent()) {
      path.add(
          context.inArray()
              ? Integer.toString(Math.max(0, context.getCurrentIndex()))
              : String.valueOf(context.getCurrentName()));
    }
    for (int i = path.size() - 1; i >= 0; i--) {
      here = here.child(path.get(i));
    }
    return here;
  }

  private MetadataException error(JsonParser parser, String message) {
    return new MetadataException(message, here(parser));
  }

  private static ZarrException located(TemplateProblem e, Location where) {
    return e.isUnsupported()
        ? new UnsupportedFeatureException(e.message(), where)
        : new MetadataException(e.message(), where);
  }

  private static String kind(@Nullable JsonToken token) {
    if (token == null) {
      return "nothing";
    }
    return switch (token) {
      case START_OBJECT -> "an object";
      case START_ARRAY -> "an array";
      case VALUE_STRING -> "a text";
      case VALUE_NUMBER_INT, VALUE_NUMBER_FLOAT -> "a number";
      case VALUE_TRUE, VALUE_FALSE -> "a boolean";
      default -> "null";
    };
  }

  /**
   * Reads version, templates and generators, and references behind the version. Templates behind
   * the references are used by a second pass.
   */
  private void readOthers(JsonParser parser) throws IOException {
    for (String name = parser.nextFieldName(); name != null; name = parser.nextFieldName()) {
      JsonToken token = parser.nextToken();
      switch (name) {
        case "version" -> {
          if (token != JsonToken.VALUE_NUMBER_INT || !parser.getText().equals("1")) {
            throw new UnsupportedFeatureException(
                "version "
                    + (token.isScalarValue() ? parser.getText() : kind(token))
                    + " of references is not supported; 1 is, and 0, which has no version",
                here(parser));
          }
          hasVersion = true;
        }
        case "templates" -> readTemplates(parser, token);
        case "gen" -> readGenerators(parser, token);
        case "refs" -> {
          hasReferences = true;
          isRead = hasVersion && token == JsonToken.START_OBJECT;
          if (isRead) {
            readMembers(parser, new Templates(Map.copyOf(templates)));
          } else {
            parser.skipChildren();
          }
        }
        default -> parser.skipChildren();
      }
    }
    if (!hasVersion) {
      generators.clear();
    }
  }

  private void readTemplates(JsonParser parser, JsonToken token) throws IOException {
    if (token != JsonToken.START_OBJECT) {
      parser.skipChildren();
      return;
    }
    for (String name = parser.nextFieldName(); name != null; name = parser.nextFieldName()) {
      if (parser.nextToken() != JsonToken.VALUE_STRING) {
        throw error(parser, "a template is a text, not " + kind(parser.currentToken()));
      }
      isRead = false;
      templates.put(name, parser.getText());
    }
  }

  private void readGenerators(JsonParser parser, JsonToken token) throws IOException {
    if (token != JsonToken.START_ARRAY) {
      parser.skipChildren();
      return;
    }
    while (parser.nextToken() != JsonToken.END_ARRAY) {
      if (parser.currentToken() != JsonToken.START_OBJECT) {
        throw error(parser, "a generator is an object, not " + kind(parser.currentToken()));
      }
      generators.add(readGenerator(parser));
    }
  }

  private Generator readGenerator(JsonParser parser) throws IOException {
    Location where = here(parser);
    Map<String, TemplateText> texts = new LinkedHashMap<>();
    Map<String, Generator.Dimension> dimensions = new LinkedHashMap<>();
    for (String name = parser.nextFieldName(); name != null; name = parser.nextFieldName()) {
      JsonToken token = parser.nextToken();
      if (name.equals("dimensions")) {
        readDimensions(parser, dimensions);
      } else if (token == JsonToken.VALUE_STRING || token == JsonToken.VALUE_NUMBER_INT) {
        try {
          texts.put(name, TemplateText.parse(parser.getText()));
        } catch (TemplateProblem e) {
          throw located(e, here(parser));
        }
      } else {
        throw error(parser, "a member of a generator is a text, not " + kind(token));
      }
    }
    TemplateText key = texts.get("key");
    TemplateText url = texts.get("url");
    TemplateText offset = texts.get("offset");
    TemplateText length = texts.get("length");
    if (key == null || url == null) {
      throw new MetadataException("a generator needs the members key and url", where);
    } else if ((offset == null) != (length == null)) {
      throw new MetadataException("a generator has both of offset and length, or neither", where);
    }
    return new Generator(key, url, offset, length, dimensions);
  }

  private void readDimensions(JsonParser parser, Map<String, Generator.Dimension> dimensions)
      throws IOException {
    if (parser.currentToken() != JsonToken.START_OBJECT) {
      throw error(parser, "dimensions are an object, not " + kind(parser.currentToken()));
    }
    for (String name = parser.nextFieldName(); name != null; name = parser.nextFieldName()) {
      JsonToken token = parser.nextToken();
      if (token == JsonToken.START_ARRAY) {
        dimensions.put(name, readValues(parser));
      } else if (token == JsonToken.START_OBJECT) {
        dimensions.put(name, readSteps(parser));
      } else {
        throw error(parser, "a dimension is a list or {start, stop, step}, not " + kind(token));
      }
    }
  }

  private Generator.Dimension readValues(JsonParser parser) throws IOException {
    List<Object> values = new ArrayList<>();
    while (parser.nextToken() != JsonToken.END_ARRAY) {
      values.add(
          parser.currentToken() == JsonToken.VALUE_STRING ? parser.getText() : integer(parser));
    }
    return new Generator.Dimension.Listed(values);
  }

  private Generator.Dimension readSteps(JsonParser parser) throws IOException {
    Location where = here(parser);
    long start = 0;
    @Nullable Long stop = null;
    long step = 1;
    for (String name = parser.nextFieldName(); name != null; name = parser.nextFieldName()) {
      parser.nextToken();
      switch (name) {
        case "start" -> start = integer(parser);
        case "stop" -> stop = integer(parser);
        case "step" -> step = integer(parser);
        default -> throw error(parser, "a dimension has start, stop and step, not " + name);
      }
    }
    if (stop == null || step == 0) {
      throw new MetadataException(
          stop == null ? "a dimension needs the member stop" : "the step of a dimension is 0",
          where);
    }
    return new Generator.Dimension.Stepped(start, stop, step);
  }

  private long integer(JsonParser parser) throws IOException {
    if (parser.currentToken() != JsonToken.VALUE_NUMBER_INT
        || parser.getNumberType() == JsonParser.NumberType.BIG_INTEGER) {
      throw error(parser, "expected a 64-bit integer, found " + kind(parser.currentToken()));
    }
    return parser.getLongValue();
  }

  /** Reads the references, and skips all others. */
  private void readReferences(JsonParser parser, Templates expander) throws IOException {
    if (!hasVersion) {
      readMembers(parser, expander);
      return;
    }
    for (String name = parser.nextFieldName(); name != null; name = parser.nextFieldName()) {
      JsonToken token = parser.nextToken();
      if (name.equals("refs") && token == JsonToken.START_OBJECT) {
        readMembers(parser, expander);
      } else if (name.equals("refs")) {
        throw error(parser, "the references are an object, not " + kind(token));
      } else {
        parser.skipChildren();
      }
    }
  }

  private void readMembers(JsonParser parser, Templates expander) throws IOException {
    for (String name = parser.nextFieldName(); name != null; name = parser.nextFieldName()) {
      String key = scalar(name);
      checkKey(parser, key);
      switch (parser.nextToken()) {
        case VALUE_STRING -> readText(parser, key, parser.getText());
        case START_OBJECT -> {
          byte[] object = object(parser);
          table.inline(key, object, 0, object.length);
        }
        case START_ARRAY -> readElsewhere(parser, key, expander);
        default ->
            throw error(
                parser,
                "a reference is a text, an object, [url] or [url, offset, length], not "
                    + kind(parser.currentToken()));
      }
    }
  }

  /**
   * Returns the key of the only chunk of a scalar for a name without any index, such as {@code
   * level/}: kerchunk writes it for GRIB, and VirtualiZarr for netCDF.
   */
  private static String scalar(String name) {
    return name.length() > 1 && name.endsWith("/") ? name + "0" : name;
  }

  private void checkKey(JsonParser parser, String key) {
    try {
      StoreKey.of(key);
    } catch (IllegalArgumentException e) {
      throw error(parser, "the name of a reference is no key of a store: " + e.getMessage());
    }
  }

  /** Reads an object, and returns its text; numbers are spelled as they are. */
  private static byte[] object(JsonParser parser) throws IOException {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    try (JsonGenerator text = FACTORY.createGenerator(out)) {
      int depth = 0;
      do {
        switch (parser.currentToken()) {
          case START_OBJECT -> text.writeStartObject();
          case END_OBJECT -> text.writeEndObject();
          case START_ARRAY -> text.writeStartArray();
          case END_ARRAY -> text.writeEndArray();
          case FIELD_NAME -> text.writeFieldName(parser.currentName());
          case VALUE_STRING -> text.writeString(parser.getText());
          case VALUE_NUMBER_INT, VALUE_NUMBER_FLOAT -> text.writeNumber(parser.getText());
          case VALUE_TRUE, VALUE_FALSE -> text.writeBoolean(parser.getBooleanValue());
          default -> text.writeNull();
        }
        depth += parser.currentToken().isStructStart() ? 1 : 0;
        depth -= parser.currentToken().isStructEnd() ? 1 : 0;
      } while (depth > 0 && parser.nextToken() != null);
    }
    return out.toByteArray();
  }

  private void readText(JsonParser parser, String key, String text) {
    try {
      if (text.startsWith(BASE64)) {
        byte[] data = Base64.getDecoder().decode(text.substring(BASE64.length()));
        table.inline(key, data, 0, data.length);
        return;
      }
      ByteBuffer data = utf8.reset().encode(CharBuffer.wrap(text));
      table.inline(key, data.array(), data.arrayOffset() + data.position(), data.remaining());
    } catch (IllegalArgumentException e) {
      throw error(parser, "a text that begins with base64: and is none: " + e.getMessage());
    } catch (CharacterCodingException e) {
      throw error(parser, "a text with half of a character, which UTF-8 cannot hold");
    }
  }

  private void readElsewhere(JsonParser parser, String key, Templates expander) throws IOException {
    @Nullable String url = null;
    JsonToken token = parser.nextToken();
    if (token == JsonToken.VALUE_STRING) {
      try {
        url = expander.expand(parser.getText());
      } catch (TemplateProblem e) {
        throw located(e, here(parser));
      }
    } else if (token != JsonToken.VALUE_NULL) {
      throw error(parser, "the URL of a reference is a text or null, not " + kind(token));
    }
    if (parser.nextToken() == JsonToken.END_ARRAY) {
      table.elsewhere(key, url, 0, KerchunkReference.Elsewhere.WHOLE);
      return;
    }
    long offset = integer(parser);
    if (parser.nextToken() == JsonToken.END_ARRAY) {
      throw error(parser, "a reference has an offset, and no length");
    }
    long length = integer(parser);
    if (offset < 0 || length < 0 || offset + length < 0) {
      throw error(parser, length + " bytes from " + offset + " are no part of a file");
    }
    if (parser.nextToken() != JsonToken.END_ARRAY) {
      throw error(parser, "a reference has more than url, offset and length");
    }
    table.elsewhere(key, url, offset, length);
  }
}
