package dev.zarrreactive.json;

import java.lang.reflect.Array;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** JSON values in Java's types, and back. */
final class JavaValues {
  private JavaValues() {}

  static @Nullable Object of(JsonValue value) {
    if (value instanceof JsonString string) {
      return string.value();
    } else if (value instanceof JsonBoolean bool) {
      return bool.value();
    } else if (value instanceof JsonNumber number) {
      return number(number);
    } else if (value instanceof JsonArray array) {
      return list(array);
    }
    return value instanceof JsonObject object ? map(object) : null;
  }

  static List<@Nullable Object> list(JsonArray array) {
    List<@Nullable Object> list = new ArrayList<>(array.elements().size());
    array.elements().forEach(element -> list.add(of(element)));
    return Collections.unmodifiableList(list);
  }

  static Map<String, @Nullable Object> map(JsonObject object) {
    Map<String, @Nullable Object> map = new LinkedHashMap<>();
    object.members().forEach((name, member) -> map.put(name, of(member)));
    return Collections.unmodifiableMap(map);
  }

  private static Object number(JsonNumber number) {
    if (!number.isInteger()) {
      return number.toDouble();
    }
    BigInteger integer = number.toBigInteger();
    if (integer.bitLength() < Long.SIZE) {
      return integer.longValue();
    }
    return integer;
  }

  static JsonObject toObject(Map<?, ?> map) {
    return toObject(map, "", 1);
  }

  private static JsonObject toObject(Map<?, ?> map, String place, int depth) {
    checkDepth(depth);
    Map<String, JsonValue> members = new LinkedHashMap<>();
    for (Map.Entry<?, ?> entry : map.entrySet()) {
      if (!(entry.getKey() instanceof String name)) {
        throw new IllegalArgumentException(
            "the keys of a JSON object are strings, not " + entry.getKey() + at(place));
      }
      members.put(name, toJson(entry.getValue(), place + "/" + name, depth));
    }
    return new JsonObject(members);
  }

  private static JsonValue toJson(@Nullable Object value, String place, int depth) {
    if (value == null) {
      return JsonNull.NULL;
    } else if (value instanceof JsonValue json) {
      return json;
    } else if (value instanceof String string) {
      return new JsonString(string);
    } else if (value instanceof Boolean bool) {
      return new JsonBoolean(bool);
    } else if (value instanceof Number number && isKnown(number)) {
      return new JsonNumber(number.toString());
    } else if (value instanceof Map<?, ?> map) {
      return toObject(map, place, depth + 1);
    } else if (value instanceof Collection<?> || value.getClass().isArray()) {
      return toArray(value, place, depth + 1);
    }
    throw new IllegalArgumentException(
        "a "
            + value.getClass().getName()
            + " has no JSON"
            + at(place)
            + "; strings, numbers, booleans, null, lists, arrays and maps do");
  }

  private static boolean isKnown(Number number) {
    return number instanceof Byte
        || number instanceof Short
        || number instanceof Integer
        || number instanceof Long
        || number instanceof Float
        || number instanceof Double
        || number instanceof BigInteger
        || number instanceof BigDecimal;
  }

  private static JsonArray toArray(Object values, String place, int depth) {
    checkDepth(depth);
    Object array = values instanceof Collection<?> list ? list.toArray() : values;
    List<JsonValue> elements = new ArrayList<>();
    for (int i = 0; i < Array.getLength(array); i++) {
      elements.add(toJson(Array.get(array, i), place + "/" + i, depth));
    }
    return new JsonArray(elements);
  }

  /** Refuses values that hold themselves, and values that are too deep for a document. */
  private static void checkDepth(int depth) {
    if (depth > JsonDocument.MAX_DEPTH) {
      throw new IllegalArgumentException(
          "the value is nested deeper than " + JsonDocument.MAX_DEPTH);
    }
  }

  private static String at(String place) {
    return place.isEmpty() ? "" : " (at " + place + ")";
  }
}
