package dev.zarrreactive.internal.drafts;

import dev.zarrreactive.datatype.BoolType;
import dev.zarrreactive.datatype.ComplexType;
import dev.zarrreactive.datatype.DataType;
import dev.zarrreactive.datatype.FillValue;
import dev.zarrreactive.datatype.FloatType;
import dev.zarrreactive.datatype.IntegerType;
import dev.zarrreactive.datatype.RawType;
import dev.zarrreactive.json.JsonArray;
import dev.zarrreactive.json.JsonString;
import dev.zarrreactive.json.JsonValue;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Translates the forms of a fill value that only the drafts have: {@code "+Infinity"}, and the bits
 * of any core type as {@code "0x"} or {@code "0b"} with all digits. The most significant digit of a
 * number comes first. Complex numbers are their two parts in turn.
 */
final class DraftFillValue {
  private static final JsonString DRAFT_INFINITY = new JsonString("+Infinity");
  private static final JsonString INFINITY = new JsonString("Infinity");

  private DraftFillValue() {}

  /** Returns the value in the form of Zarr v3, or the same object for any other form. */
  static JsonValue translate(JsonValue value, DataType type) {
    if (value.equals(DRAFT_INFINITY)) {
      return INFINITY;
    }
    if (value instanceof JsonArray array && array.elements().contains(DRAFT_INFINITY)) {
      List<JsonValue> parts = new ArrayList<>(array.elements());
      parts.replaceAll(part -> part.equals(DRAFT_INFINITY) ? INFINITY : part);
      return new JsonArray(parts);
    }
    FillValue bits = isHexadecimalFloat(value, type) ? null : ofBits(value, type);
    return bits == null ? value : bits.toJson();
  }

  /** Returns true for the hexadecimal form that Zarr v3 has too. */
  private static boolean isHexadecimalFloat(JsonValue value, DataType type) {
    return type instanceof FloatType
        && value instanceof JsonString text
        && text.value().startsWith("0x");
  }

  /** Returns the value of spelled bits, or null for any other form. */
  static @Nullable FillValue ofBits(JsonValue value, DataType type) {
    if (!isCore(type) || !(value instanceof JsonString text)) {
      return null;
    }
    byte[] image = bits(text.value(), type.itemSize());
    if (image == null || (type instanceof BoolType && (image[0] & 0xfe) != 0)) {
      return null;
    }
    return FillValue.of(type, image, ByteOrder.BIG_ENDIAN);
  }

  private static boolean isCore(DataType type) {
    return type instanceof BoolType
        || type instanceof IntegerType
        || type instanceof FloatType
        || type instanceof ComplexType
        || type instanceof RawType;
  }

  /** Returns the bytes in the order of the digits, or null for a wrong number of digits. */
  private static byte @Nullable [] bits(String text, int size) {
    boolean hexadecimal = text.startsWith("0x");
    int digitsPerByte = hexadecimal ? 2 : Byte.SIZE;
    if ((!hexadecimal && !text.startsWith("0b"))
        || text.length() - 2L != digitsPerByte * (long) size) {
      return null;
    }
    int radix = hexadecimal ? 16 : 2;
    byte[] image = new byte[size];
    for (int i = 0; i < size; i++) {
      int value = 0;
      for (int d = 0; d < digitsPerByte; d++) {
        char c = text.charAt(2 + i * digitsPerByte + d);
        int digit = c < 128 ? Character.digit(c, radix) : -1;
        if (digit < 0) {
          return null;
        }
        value = value * radix + digit;
      }
      image[i] = (byte) value;
    }
    return image;
  }
}
