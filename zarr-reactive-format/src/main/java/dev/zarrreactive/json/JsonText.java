package dev.zarrreactive.json;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.json.JsonWriteFeature;
import com.fasterxml.jackson.core.util.DefaultIndenter;
import com.fasterxml.jackson.core.util.DefaultPrettyPrinter;
import com.fasterxml.jackson.core.util.Separators;
import java.io.FilterWriter;
import java.io.IOException;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.io.Writer;
import java.util.Map;

/**
 * Writes JSON values as text. Numbers keep their spelling, and so do the tokens {@code NaN} and
 * {@code Infinity} in attributes: a string would be another value to the program that wrote them.
 * An unpaired surrogate, which UTF-8 cannot encode, is written as an escape with four digits.
 */
final class JsonText {
  private static final JsonFactory FACTORY =
      JsonFactory.builder().disable(JsonWriteFeature.ESCAPE_NON_ASCII).build();

  /** Writes {@code "name": value}, as most programs do. */
  private static final Separators SEPARATORS =
      Separators.createDefaultInstance().withObjectFieldValueSpacing(Separators.Spacing.AFTER);

  private JsonText() {}

  /** Returns the value on one line. */
  static String write(JsonValue value) {
    return write(value, false);
  }

  /** Returns the value on several lines, indented by two spaces. */
  static String writePretty(JsonValue value) {
    return write(value, true);
  }

  /** Returns the value on one line, cut off after {@code length} characters, for messages. */
  static String abbreviated(JsonValue value, int length) {
    StringWriter out = new StringWriter();
    try {
      write(value, false, new ShortWriter(out, length));
    } catch (IOException e) {
      return escaped(out.getBuffer().substring(0, length - 3)) + "...";
    }
    return escaped(out.toString());
  }

  /**
   * Returns the text with unpaired surrogates as escapes. They occur inside of strings alone, and
   * never behind a backslash of an escape.
   */
  private static String escaped(String json) {
    StringBuilder result = null;
    int done = 0;
    for (int i = 0; i < json.length(); i++) {
      char unit = json.charAt(i);
      if (!Character.isSurrogate(unit)) {
        continue;
      }
      if (i + 1 < json.length() && Character.isSurrogatePair(unit, json.charAt(i + 1))) {
        i++;
        continue;
      }
      result = result == null ? new StringBuilder(json.length() + 16) : result;
      result.append(json, done, i).append("\\u").append(Integer.toHexString(unit));
      done = i + 1;
    }
    return result == null ? json : result.append(json, done, json.length()).toString();
  }

  /** Stops the serialisation of a document of megabytes when the message is full. */
  private static final class ShortWriter extends FilterWriter {
    private int left;

    ShortWriter(Writer out, int length) {
      super(out);
      left = length;
    }

    @Override
    public void write(char[] text, int offset, int length) throws IOException {
      int count = Math.min(length, left);
      out.write(text, offset, count);
      left -= count;
      if (count < length) {
        throw new IOException("too long");
      }
    }
  }

  private static String write(JsonValue value, boolean pretty) {
    StringWriter out = new StringWriter();
    try {
      write(value, pretty, out);
    } catch (IOException e) {
      throw new UncheckedIOException(e); // a StringWriter does not fail
    }
    return escaped(out.toString());
  }

  private static void write(JsonValue value, boolean pretty, Writer out) throws IOException {
    try (JsonGenerator generator = FACTORY.createGenerator(out)) {
      if (pretty) {
        DefaultIndenter lines = new DefaultIndenter("  ", "\n");
        DefaultPrettyPrinter printer = new DefaultPrettyPrinter(SEPARATORS);
        printer.indentObjectsWith(lines);
        generator.setPrettyPrinter(printer);
      }
      write(value, generator);
    }
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
      out.writeNumber(number.text());
    } else if (value instanceof JsonBoolean bool) {
      out.writeBoolean(bool.value());
    } else {
      out.writeNull();
    }
  }
}
