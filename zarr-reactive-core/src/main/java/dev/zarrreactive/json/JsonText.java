package dev.zarrreactive.json;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.json.JsonWriteFeature;
import com.fasterxml.jackson.core.util.DefaultIndenter;
import com.fasterxml.jackson.core.util.DefaultPrettyPrinter;
import com.fasterxml.jackson.core.util.Separators;
import java.io.IOException;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.util.Map;

/** Writes JSON values as text. Numbers are written as they were spelled. */
public final class JsonText {
  private static final JsonFactory FACTORY =
      JsonFactory.builder().disable(JsonWriteFeature.ESCAPE_NON_ASCII).build();

  /** {@code "name": value}, as most programs write it. */
  private static final Separators SEPARATORS =
      Separators.createDefaultInstance().withObjectFieldValueSpacing(Separators.Spacing.AFTER);

  private JsonText() {}

  /** The value on one line. */
  public static String write(JsonValue value) {
    return write(value, false);
  }

  /** The value on several lines, indented by two spaces. */
  public static String writePretty(JsonValue value) {
    return write(value, true);
  }

  private static String write(JsonValue value, boolean pretty) {
    StringWriter out = new StringWriter();
    try (JsonGenerator generator = FACTORY.createGenerator(out)) {
      if (pretty) {
        DefaultIndenter lines = new DefaultIndenter("  ", "\n");
        DefaultPrettyPrinter printer = new DefaultPrettyPrinter(SEPARATORS);
        printer.indentObjectsWith(lines);
        generator.setPrettyPrinter(printer);
      }
      write(value, generator);
    } catch (IOException e) {
      throw new UncheckedIOException(e); // a StringWriter does not fail
    }
    return out.toString();
  }

  private static void write(JsonValue value, JsonGenerator out) throws IOException {
    if (value instanceof JsonObject object) {
      out.writeStartObject();
      for (Map.Entry<String, JsonValue> member : object.members().entrySet()) {
        out.writeFieldName(member.getKey());
        write(member.getValue(), out);
      }
      out.writeEndObject();
    } else if (value instanceof JsonArray array) {
      out.writeStartArray();
      for (JsonValue element : array.elements()) {
        write(element, out);
      }
      out.writeEndArray();
    } else if (value instanceof JsonString string) {
      out.writeString(string.value());
    } else if (value instanceof JsonNumber number) {
      if (number.isFinite()) {
        out.writeNumber(number.text());
      } else {
        out.writeString(number.text()); // the token is not JSON
      }
    } else if (value instanceof JsonBoolean bool) {
      out.writeBoolean(bool.value());
    } else {
      out.writeNull();
    }
  }
}
