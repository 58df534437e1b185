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

/** Reads a MessagePack value, in which version 1 stores metadata, as JSON. */
final class MessagePack {
  private final Bytes bytes;
  private final DecodingBudget budget;
  private int at;

  private MessagePack(Bytes bytes, DecodingBudget budget) {
    this.bytes = bytes;
    this.budget = budget;
  }

  /** Reads a value, which must be all of the bytes. */
  static JsonValue read(Bytes bytes, DecodingBudget budget) {
    MessagePack pack = new MessagePack(bytes, budget);
    JsonValue value = pack.value(0);
    if (pack.at != bytes.size()) {
      throw budget.damaged("a MessagePack value with bytes behind it");
    }
    return value;
  }

  private JsonValue value(int depth) {
    budget.value(depth);
    int code = (int) unsigned(1);
    if (code < 0x80 || code >= 0xe0) {
      return JsonNumber.of((byte) code);
    }
    if (code < 0x90) {
      return map(code & 0xf, depth);
    }
    if (code < 0xa0) {
      return array(code & 0xf, depth);
    }
    if (code < 0xc0) {
      return new JsonString(text(code & 0x1f));
    }
    return switch (code) {
      case 0xc0 -> JsonNull.NULL;
      case 0xc2, 0xc3 -> new JsonBoolean(code == 0xc3);
      case 0xc4, 0xc5, 0xc6 -> binary(unsigned(1 << (code - 0xc4)));
      case 0xca -> new JsonNumber(Float.toString(Float.intBitsToFloat((int) unsigned(4))));
      case 0xcb -> new JsonNumber(Double.toString(Double.longBitsToDouble(unsigned(8))));
      case 0xcc, 0xcd, 0xce, 0xcf ->
          new JsonNumber(Long.toUnsignedString(unsigned(1 << (code - 0xcc))));
      case 0xd0, 0xd1, 0xd2, 0xd3 -> JsonNumber.of(signed(1 << (code - 0xd0)));
      case 0xd9, 0xda, 0xdb -> new JsonString(text(unsigned(1 << (code - 0xd9))));
      case 0xdc, 0xdd -> array(unsigned(code == 0xdc ? 2 : 4), depth);
      case 0xde, 0xdf -> map(unsigned(code == 0xde ? 2 : 4), depth);
      default -> throw budget.damaged("a MessagePack value of type 0x" + Integer.toHexString(code));
    };
  }

  private JsonValue map(long size, int depth) {
    Map<String, JsonValue> members = new LinkedHashMap<>();
    for (long i = 0; i < size; i++) {
      JsonValue key = value(depth + 1);
      if (!(key instanceof JsonString name)) {
        throw budget.damaged("a MessagePack map with a key that is a " + key.kind());
      }
      members.put(name.value(), value(depth + 1));
    }
    return new JsonObject(members);
  }

  private JsonValue array(long size, int depth) {
    List<JsonValue> elements = new ArrayList<>();
    for (long i = 0; i < size; i++) {
      elements.add(value(depth + 1));
    }
    return new JsonArray(elements);
  }

  private JsonValue binary(long length) {
    int from = skip(length);
    List<JsonValue> elements = new ArrayList<>();
    for (int i = from; i < at; i++) {
      budget.value(0);
      elements.add(JsonNumber.of(bytes.get(i) & 0xff));
    }
    return new JsonArray(elements);
  }

  private String text(long length) {
    int from = skip(length);
    return budget.text(bytes, from, (int) length);
  }

  private long signed(int width) {
    int shift = 64 - 8 * width;
    return (unsigned(width) << shift) >> shift;
  }

  private long unsigned(int width) {
    int from = skip(width);
    long value = 0;
    for (int i = from; i < at; i++) {
      value = (value << 8) | (bytes.get(i) & 0xff);
    }
    return value;
  }

  /** Moves behind the next bytes; returns where they begin. */
  private int skip(long length) {
    if (length > bytes.size() - at) {
      throw budget.damaged("a MessagePack value that is cut off");
    }
    int from = at;
    at += (int) length;
    return from;
  }
}
