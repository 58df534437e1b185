package dev.zarrreactive.cli.output;

import dev.zarrreactive.datatype.ComplexType;
import dev.zarrreactive.datatype.DataType;
import dev.zarrreactive.datatype.FloatType;
import dev.zarrreactive.datatype.OptionalType;
import dev.zarrreactive.datatype.StructField;
import dev.zarrreactive.datatype.StructType;
import dev.zarrreactive.datatype.TimeType;
import dev.zarrreactive.json.JsonArray;
import dev.zarrreactive.json.JsonNumber;
import dev.zarrreactive.json.JsonObject;
import dev.zarrreactive.json.JsonString;
import dev.zarrreactive.json.JsonValue;
import java.util.StringJoiner;

/** The text of one element, made of the JSON form of a fill value of the same bits. */
public final class ElementText {
  private ElementText() {}

  /** Returns the element for people: {@code NaN} and {@code NaT} bare, a time in ISO 8601. */
  public static String of(DataType type, JsonValue value) {
    if (type instanceof OptionalType optional) {
      return of(optional.inner(), value);
    } else if (type instanceof TimeType time && value instanceof JsonNumber count) {
      return time.toText(count.toBigInteger().longValue());
    } else if (type instanceof FloatType && value instanceof JsonString special) {
      return special.value();
    } else if (type instanceof ComplexType && value instanceof JsonArray parts) {
      StringJoiner text = new StringJoiner(", ", "[", "]");
      parts.elements().forEach(part -> text.add(plain(part)));
      return text.toString();
    } else if (type instanceof StructType struct && value instanceof JsonObject fields) {
      StringJoiner text = new StringJoiner(", ", "{", "}");
      for (StructField field : struct.fields()) {
        JsonValue member = fields.get(field.name());
        text.add(field.name() + ": " + (member == null ? "-" : of(field.dataType(), member)));
      }
      return text.toString();
    }
    return value.toString();
  }

  private static String plain(JsonValue value) {
    return value instanceof JsonString text ? text.value() : value.toString();
  }
}
