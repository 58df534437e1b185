package dev.zarrreactive.encodings;

import static java.util.Objects.requireNonNull;

import dev.zarrreactive.array.NdArray;
import dev.zarrreactive.array.ResolvedSelection;
import dev.zarrreactive.base.Bytes;
import dev.zarrreactive.datatype.ComplexType;
import dev.zarrreactive.datatype.DataType;
import dev.zarrreactive.datatype.OptionalType;
import dev.zarrreactive.datatype.StructField;
import dev.zarrreactive.datatype.StructType;
import dev.zarrreactive.datatype.TimeType;
import dev.zarrreactive.encoding.Encoder;
import dev.zarrreactive.encoding.Encoding;
import dev.zarrreactive.error.Location;
import dev.zarrreactive.error.UnsupportedFeatureException;
import dev.zarrreactive.json.JsonArray;
import dev.zarrreactive.json.JsonNull;
import dev.zarrreactive.json.JsonNumber;
import dev.zarrreactive.json.JsonObject;
import dev.zarrreactive.json.JsonString;
import dev.zarrreactive.json.JsonValue;
import dev.zarrreactive.metadata.ArrayMetadata;
import dev.zarrreactive.metadata.DimensionNames;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Comma-separated values with a header: one line for each element, with its index. */
record CsvEncoding() implements Encoding {
  private static final String END_OF_LINE = "\r\n";

  @Override
  public String mediaType() {
    return "text/csv;charset=utf-8";
  }

  @Override
  public String fileSuffix() {
    return ".csv";
  }

  @Override
  public Encoder encoder(ArrayMetadata array, ResolvedSelection selection) {
    DataType type = array.dataType();
    Bytes header = header(array);
    IndexWalk indices = IndexWalk.of(selection);
    return new TextEncoder() {
      @Override
      public Bytes begin() {
        return header;
      }

      @Override
      void append(NdArray band, int element, StringBuilder line) {
        indices.appendNext(line);
        appendValue(type, band.toJson(element), line);
        line.setLength(line.length() - 1); // the last comma
        line.append(END_OF_LINE);
      }
    };
  }

  private static Bytes header(ArrayMetadata array) {
    List<String> columns = new ArrayList<>();
    List<@Nullable String> names = DimensionNames.of(array).names();
    for (int d = 0; d < array.shape().rank(); d++) {
      String name = names.get(d);
      columns.add(name == null ? "d" + d : name);
    }
    addColumns(array.dataType(), "", columns);
    StringBuilder line = new StringBuilder();
    columns.forEach(column -> appendField(column, line));
    line.setLength(line.length() - 1);
    return Bytes.utf8(line.append(END_OF_LINE).toString());
  }

  private static void addColumns(DataType type, String path, List<String> columns) {
    String inside = path.isEmpty() ? "" : path + ".";
    if (type instanceof StructType struct) {
      for (StructField field : struct.fields()) {
        addColumns(field.dataType(), inside + field.name(), columns);
      }
    } else if (type instanceof OptionalType optional) {
      addColumns(optional.inner(), path, columns);
    } else if (type instanceof ComplexType) {
      columns.add(inside + "real");
      columns.add(inside + "imag");
    } else {
      columns.add(path.isEmpty() ? "value" : path);
    }
  }

  /** Appends the columns of a value, with a comma after each. */
  private static void appendValue(DataType type, JsonValue value, StringBuilder line) {
    if (type instanceof OptionalType optional) {
      appendOptional(optional.inner(), value, line);
    } else if (type instanceof StructType struct && value instanceof JsonObject members) {
      for (StructField field : struct.fields()) {
        appendValue(field.dataType(), requireNonNull(members.get(field.name())), line);
      }
    } else if (type instanceof ComplexType && value instanceof JsonArray parts) {
      parts.elements().forEach(part -> appendPlain(part, line));
    } else if (type instanceof TimeType time && value instanceof JsonNumber count) {
      appendField(time.toText(count.toBigInteger().longValue()), line);
    } else {
      appendPlain(value, line);
    }
  }

  /** Appends empty columns for an element that is missing, at any level. */
  private static void appendOptional(DataType inner, JsonValue value, StringBuilder line) {
    JsonValue there = value;
    while (there instanceof JsonArray list && list.elements().size() == 1) {
      there = list.elements().get(0); // [null]: there, and missing inside
    }
    if (!there.equals(JsonNull.NULL)) {
      appendValue(inner, value, line);
      return;
    }
    List<String> columns = new ArrayList<>();
    addColumns(inner, "", columns);
    line.append(",".repeat(columns.size()));
  }

  private static void appendPlain(JsonValue value, StringBuilder line) {
    appendField(value instanceof JsonString text ? text.value() : TextEncoder.text(value), line);
  }

  /** Appends a field in quotes where RFC 4180 needs them, and for an empty text. */
  private static void appendField(String field, StringBuilder line) {
    boolean quoted = field.isEmpty();
    boolean hasSurrogates = false;
    for (int i = 0; i < field.length(); i++) {
      char c = field.charAt(i);
      quoted |= c == ',' || c == '"' || c == '\r' || c == '\n';
      hasSurrogates |= Character.isSurrogate(c);
    }
    if (hasSurrogates && !StandardCharsets.UTF_8.newEncoder().canEncode(field)) {
      throw new UnsupportedFeatureException(
          "CSV cannot hold the text "
              + new JsonString(field)
              + ", which has an unpaired surrogate; JSON has an escape for it",
          Location.UNKNOWN);
    }
    if (quoted) {
      line.append('"').append(field.replace("\"", "\"\"")).append('"').append(',');
    } else {
      line.append(field).append(',');
    }
  }
}
