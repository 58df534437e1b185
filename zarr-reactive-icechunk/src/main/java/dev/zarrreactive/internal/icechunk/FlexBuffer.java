package dev.zarrreactive.internal.icechunk;

import dev.zarrreactive.base.Bytes;
import dev.zarrreactive.json.JsonArray;
import dev.zarrreactive.json.JsonBoolean;
import dev.zarrreactive.json.JsonNull;
import dev.zarrreactive.json.JsonNumber;
import dev.zarrreactive.json.JsonObject;
import dev.zarrreactive.json.JsonString;
import dev.zarrreactive.json.JsonValue;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Reads a FlexBuffers value, in which version 2 stores metadata and configuration, as JSON. */
final class FlexBuffer {
  private static final int NULL = 0;
  private static final int INT = 1;
  private static final int UINT = 2;
  private static final int FLOAT = 3;
  private static final int KEY = 4;
  private static final int STRING = 5;
  private static final int INDIRECT_INT = 6;
  private static final int INDIRECT_UINT = 7;
  private static final int INDIRECT_FLOAT = 8;
  private static final int MAP = 9;
  private static final int VECTOR = 10;
  private static final int VECTOR_INT = 11;
  private static final int VECTOR_STRING = 15;
  private static final int VECTOR_INT2 = 16;
  private static final int VECTOR_FLOAT4 = 24;
  private static final int BLOB = 25;
  private static final int BOOL = 26;
  private static final int VECTOR_BOOL = 36;

  private final Bytes bytes;
  private final DecodingBudget budget;

  private FlexBuffer(Bytes bytes, DecodingBudget budget) {
    this.bytes = bytes;
    this.budget = budget;
  }

  /** Reads a value. */
  static JsonValue read(Bytes bytes, DecodingBudget budget) {
    FlexBuffer buffer = new FlexBuffer(bytes, budget);
    int end = bytes.size();
    if (end < 3) {
      throw budget.damaged("a FlexBuffers value of " + end + " bytes");
    }
    int width = bytes.get(end - 1) & 0xff;
    int type = bytes.get(end - 2) & 0xff;
    if (width != 1 && width != 2 && width != 4 && width != 8) {
      throw budget.damaged("a FlexBuffers value of width " + width);
    }
    return buffer.value((long) end - 2 - width, width, type, 0);
  }

  /**
   * Reads the value at a position.
   *
   * @param width the bytes of the position itself, where the parent has it
   * @param packed the type, and the width of what an offset leads to
   */
  private JsonValue value(long at, int width, int packed, int depth) {
    budget.value(depth);
    int type = packed >>> 2;
    int inner = 1 << (packed & 3);
    return switch (type) {
      case NULL -> JsonNull.NULL;
      case INT -> JsonNumber.of(signed(at, width));
      case UINT -> number(unsigned(at, width));
      case FLOAT -> decimal(at, width);
      case BOOL -> new JsonBoolean(unsigned(at, width) != 0);
      case INDIRECT_INT -> JsonNumber.of(signed(follow(at, width), inner));
      case INDIRECT_UINT -> number(unsigned(follow(at, width), inner));
      case INDIRECT_FLOAT -> decimal(follow(at, width), inner);
      case KEY -> new JsonString(key(follow(at, width)));
      case STRING -> new JsonString(string(follow(at, width), inner));
      case MAP -> map(follow(at, width), inner, depth);
      case VECTOR -> vector(follow(at, width), inner, depth);
      case BLOB -> blob(follow(at, width), inner);
      case VECTOR_BOOL -> typed(follow(at, width), inner, BOOL, depth);
      default -> ofOneType(type, follow(at, width), inner, depth);
    };
  }

  private JsonValue ofOneType(int type, long at, int width, int depth) {
    if (type >= VECTOR_INT && type <= VECTOR_STRING) {
      return typed(at, width, type - VECTOR_INT + INT, depth);
    }
    if (type >= VECTOR_INT2 && type <= VECTOR_FLOAT4) {
      int kind = (type - VECTOR_INT2) % 3 + INT;
      return elements(at, width, (type - VECTOR_INT2) / 3 + 2, kind << 2, depth);
    }
    throw budget.damaged("a FlexBuffers value of the unknown type " + type);
  }

  private JsonValue map(long at, int width, int depth) {
    int size = size(at, width);
    long keys = follow(at - 3L * width, width);
    long keyWidth = unsigned(at - 2L * width, width);
    if (keyWidth != 1 && keyWidth != 2 && keyWidth != 4 && keyWidth != 8) {
      throw budget.damaged("a FlexBuffers map with keys of width " + keyWidth);
    }
    if (size(keys, (int) keyWidth) != size) {
      throw budget.damaged("a FlexBuffers map with more or fewer keys than values");
    }
    check(at, (long) size * width + size);
    Map<String, JsonValue> members = new LinkedHashMap<>();
    for (int i = 0; i < size; i++) {
      String name = key(follow(keys + i * keyWidth, (int) keyWidth));
      int packed = bytes.get((int) (at + (long) size * width + i)) & 0xff;
      members.put(name, value(at + (long) i * width, width, packed, depth + 1));
    }
    return new JsonObject(members);
  }

  private JsonValue vector(long at, int width, int depth) {
    int size = size(at, width);
    check(at, (long) size * width + size);
    List<JsonValue> elements = new ArrayList<>();
    for (int i = 0; i < size; i++) {
      int packed = bytes.get((int) (at + (long) size * width + i)) & 0xff;
      elements.add(value(at + (long) i * width, width, packed, depth + 1));
    }
    return new JsonArray(elements);
  }

  /** A vector of one type. The widths of keys and texts in it are those of one byte. */
  private JsonValue typed(long at, int width, int type, int depth) {
    return elements(at, width, size(at, width), type << 2, depth);
  }

  private JsonValue elements(long at, int width, int size, int packed, int depth) {
    check(at, (long) size * width);
    List<JsonValue> elements = new ArrayList<>();
    for (int i = 0; i < size; i++) {
      elements.add(value(at + (long) i * width, width, packed, depth + 1));
    }
    return new JsonArray(elements);
  }

  private JsonValue blob(long at, int width) {
    int size = size(at, width);
    check(at, size);
    List<JsonValue> elements = new ArrayList<>();
    for (int i = 0; i < size; i++) {
      budget.value(0);
      elements.add(JsonNumber.of(bytes.get((int) at + i) & 0xff));
    }
    return new JsonArray(elements);
  }

  private String string(long at, int width) {
    int size = size(at, width);
    check(at, size);
    return text((int) at, size);
  }

  private String key(long at) {
    check(at, 1);
    int end = (int) at;
    while (bytes.get(end) != 0) {
      end++;
      check(end, 1);
    }
    return text((int) at, end - (int) at);
  }

  private String text(int at, int length) {
    return budget.text(bytes, at, length);
  }

  private int size(long at, int width) {
    long size = unsigned(at - width, width);
    if (size < 0 || size > bytes.size()) {
      throw budget.damaged("a FlexBuffers value that claims " + Long.toUnsignedString(size));
    }
    return (int) size;
  }

  private long follow(long at, int width) {
    long back = unsigned(at, width);
    if (back < 0 || back > at) {
      throw budget.damaged("a FlexBuffers offset that leads outside of the value");
    }
    return at - back;
  }

  private JsonValue decimal(long at, int width) {
    check(at, width);
    return switch (width) {
      case 4 -> new JsonNumber(Float.toString(Float.intBitsToFloat((int) unsigned(at, 4))));
      case 8 -> new JsonNumber(Double.toString(Double.longBitsToDouble(unsigned(at, 8))));
      default -> throw budget.damaged("a FlexBuffers number with " + 8 * width + " bits");
    };
  }

  private static JsonValue number(long unsigned) {
    return new JsonNumber(Long.toUnsignedString(unsigned));
  }

  private long signed(long at, int width) {
    int shift = 64 - 8 * width;
    return (unsigned(at, width) << shift) >> shift;
  }

  private long unsigned(long at, int width) {
    check(at, width);
    long value = 0;
    for (int i = width - 1; i >= 0; i--) {
      value = (value << 8) | (bytes.get((int) at + i) & 0xff);
    }
    return value;
  }

  private void check(long at, long length) {
    if (at < 0 || length < 0 || at + length > bytes.size()) {
      throw budget.damaged(
          "a FlexBuffers value that leads outside of its " + bytes.size() + " bytes");
    }
  }
}
