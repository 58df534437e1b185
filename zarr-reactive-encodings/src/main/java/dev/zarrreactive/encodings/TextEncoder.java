package dev.zarrreactive.encodings;

import dev.zarrreactive.array.NdArray;
import dev.zarrreactive.base.Bytes;
import dev.zarrreactive.datatype.DataType;
import dev.zarrreactive.datatype.OptionalType;
import dev.zarrreactive.datatype.StructField;
import dev.zarrreactive.datatype.StructType;
import dev.zarrreactive.datatype.TimeType;
import dev.zarrreactive.encoding.Encoder;
import dev.zarrreactive.json.JsonNumber;
import dev.zarrreactive.json.JsonObject;
import dev.zarrreactive.json.JsonString;
import dev.zarrreactive.json.JsonValue;

/** Encodes elements as text in UTF-8, one after the other. */
abstract class TextEncoder implements Encoder {
  private static final int USUAL_PART = 1 << 16;
  private static final JsonString NAT = new JsonString("NaT");

  /** The longest text of an element so far. A part ends where another one might not fit. */
  private int longest;

  /** Appends the next element. */
  abstract void append(NdArray band, int element, StringBuilder text);

  @Override
  public final Part encode(NdArray band, int from, int size) {
    long count = band.shape().elementCountUpTo(Integer.MAX_VALUE);
    StringBuilder text = new StringBuilder(Math.min(size, USUAL_PART));
    int next = from;
    do {
      int before = text.length();
      append(band, next, text);
      longest = Math.max(longest, text.length() - before);
      next++;
    } while (next < count && text.length() + longest <= size);
    return new Part(Bytes.utf8(text.toString()), next);
  }

  /** Returns JSON on one line. The text of a finite number is its JSON. */
  static String text(JsonValue value) {
    return value instanceof JsonNumber number && number.isFinite()
        ? number.text()
        : value.toString();
  }

  /** Returns {@code value}, with {@code "NaT"} instead of its count. */
  static JsonValue withNat(DataType type, JsonValue value) {
    if (type instanceof OptionalType optional) {
      return withNat(optional.inner(), value);
    } else if (type instanceof TimeType && value instanceof JsonNumber count) {
      return count.toBigInteger().longValue() == TimeType.NAT ? NAT : value;
    } else if (type instanceof StructType struct && value instanceof JsonObject fields) {
      JsonObject result = fields;
      for (StructField field : struct.fields()) {
        JsonValue member = fields.get(field.name());
        result =
            member == null ? result : result.with(field.name(), withNat(field.dataType(), member));
      }
      return result;
    }
    return value;
  }
}
