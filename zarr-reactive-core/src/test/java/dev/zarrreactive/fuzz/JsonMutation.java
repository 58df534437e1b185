package dev.zarrreactive.fuzz;

import dev.zarrreactive.json.JsonArray;
import dev.zarrreactive.json.JsonBoolean;
import dev.zarrreactive.json.JsonNull;
import dev.zarrreactive.json.JsonNumber;
import dev.zarrreactive.json.JsonObject;
import dev.zarrreactive.json.JsonString;
import dev.zarrreactive.json.JsonValue;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;

/** Changes documents where they mean something. It knows what stands where in many documents. */
final class JsonMutation {
  private static final List<String> NUMBERS =
      List.of(
          "-1",
          "0",
          "-0",
          "1",
          "2",
          "3",
          "7",
          "8",
          "9",
          "255",
          "256",
          "65535",
          "2147483647",
          "2147483648",
          "4294967296",
          "9007199254740993",
          "9223372036854775807",
          "9223372036854775808",
          "18446744073709551615",
          "18446744073709551616",
          "1e3",
          "1e400",
          "-1e400",
          "1e-400",
          "0.5",
          "1.0",
          "1e1000000000",
          "1" + "0".repeat(300));

  private static final List<String> STRINGS =
      List.of(
          "",
          "NaN",
          "Infinity",
          "-Infinity",
          "0x7fc00000",
          "0x",
          "/",
          "..",
          ".",
          "__a",
          "a/b",
          "\u0000",
          "\ud83d\ude00",
          "bytes",
          "C",
          "F",
          "<i4",
          "|O",
          "little",
          "default",
          "v2",
          "AAAA",
          "NaT",
          "x".repeat(2000));

  private static final int MOST_OF_A_NAME = 300;

  private final Map<String, List<JsonValue>> known = new TreeMap<>();
  private final List<String> names = new ArrayList<>();

  /** Remembers what stands in a document, by the name that it has there. */
  void learn(JsonValue value) {
    if (value instanceof JsonObject object) {
      object
          .members()
          .forEach(
              (name, member) -> {
                List<JsonValue> values = known.computeIfAbsent(name, this::named);
                if (values.size() < MOST_OF_A_NAME && !values.contains(member)) {
                  values.add(member);
                }
                learn(member);
              });
    } else if (value instanceof JsonArray array) {
      array.elements().forEach(this::learn);
    }
  }

  private List<JsonValue> named(String name) {
    names.add(name);
    return new ArrayList<>();
  }

  /** A document with one change, sometimes two or three: after many it is only nonsense. */
  JsonValue of(JsonValue document, Random random) {
    JsonValue changed = document;
    for (int changes = Math.max(1, random.nextInt(6) - 2); changes > 0; changes--) {
      changed = changedAt(changed, "", new int[] {random.nextInt(count(changed))}, random);
    }
    return changed;
  }

  private static int count(JsonValue value) {
    int count = 1;
    if (value instanceof JsonObject object) {
      count += object.members().values().stream().mapToInt(JsonMutation::count).sum();
    } else if (value instanceof JsonArray array) {
      count += array.elements().stream().mapToInt(JsonMutation::count).sum();
    }
    return count;
  }

  /** Goes through the values in order; the one where the countdown ends is changed. */
  private JsonValue changedAt(JsonValue value, String name, int[] countdown, Random random) {
    if (countdown[0]-- == 0) {
      return change(value, name, random);
    } else if (value instanceof JsonObject object) {
      JsonObject result = object;
      for (Map.Entry<String, JsonValue> member : object.members().entrySet()) {
        JsonValue changed = changedAt(member.getValue(), member.getKey(), countdown, random);
        result = result.with(member.getKey(), changed);
      }
      return result;
    } else if (value instanceof JsonArray array) {
      List<JsonValue> elements = new ArrayList<>();
      array.elements().forEach(e -> elements.add(changedAt(e, name, countdown, random)));
      return new JsonArray(elements);
    }
    return value;
  }

  private JsonValue change(JsonValue value, String name, Random random) {
    switch (random.nextInt(12)) {
      case 0:
        return scalar(random);
      case 1, 2, 5, 6:
        return oneOf(known.getOrDefault(name, List.of(value)), random);
      case 3:
        return oneOf(known.get(oneOf(names, random)), random);
      case 4:
        return nested(value, random);
      default:
        break;
    }
    if (value instanceof JsonObject object) {
      return changeObject(object, random);
    } else if (value instanceof JsonArray array) {
      return changeArray(array, random);
    } else if (value instanceof JsonNumber number && number.isFinite()) {
      return changeNumber(number, random);
    } else if (value instanceof JsonString string) {
      return changeString(string.value(), random);
    }
    return scalar(random);
  }

  private JsonObject changeObject(JsonObject object, Random random) {
    List<String> members = new ArrayList<>(object.members().keySet());
    String added = oneOf(names, random);
    if (members.isEmpty()) {
      return object.with(added, oneOf(known.get(added), random));
    }
    String member = oneOf(members, random);
    JsonValue value = object.members().get(member);
    return switch (random.nextInt(5)) {
      case 0, 1 -> object.without(member);
      case 2 -> object.without(member).with(oneOf(STRINGS, random), value);
      case 3 ->
          object.with("unknown", JsonObject.EMPTY.with("must_understand", random.nextBoolean()));
      default -> object.with(added, oneOf(known.get(added), random));
    };
  }

  private JsonArray changeArray(JsonArray array, Random random) {
    List<JsonValue> elements = new ArrayList<>(array.elements());
    if (elements.isEmpty()) {
      elements.add(scalar(random));
      return new JsonArray(elements);
    }
    int at = random.nextInt(elements.size());
    switch (random.nextInt(5)) {
      case 0 -> elements.remove(at);
      case 1 -> elements.add(at, elements.get(random.nextInt(elements.size())));
      case 2 -> Collections.shuffle(elements, random);
      case 3 -> elements.add(scalar(random));
      default -> {
        JsonValue repeated = elements.get(at);
        for (int i = random.nextInt(40); i > 0; i--) {
          elements.add(repeated);
        }
      }
    }
    return new JsonArray(elements);
  }

  private static JsonNumber changeNumber(JsonNumber number, Random random) {
    if (number.text().length() > 20) {
      return new JsonNumber("1");
    }
    BigDecimal value = new BigDecimal(number.text());
    if (Math.abs(value.scale()) > 400) {
      return new JsonNumber("1");
    }
    BigDecimal changed =
        switch (random.nextInt(6)) {
          case 0 -> value.add(BigDecimal.ONE);
          case 1 -> value.subtract(BigDecimal.ONE);
          case 2 -> value.negate();
          case 3 -> value.multiply(BigDecimal.valueOf(1L << random.nextInt(40)));
          case 4 -> value.divideToIntegralValue(BigDecimal.valueOf(2));
          default -> value.add(new BigDecimal("0.5"));
        };
    return new JsonNumber(changed.toPlainString());
  }

  private static JsonString changeString(String text, Random random) {
    if (text.isEmpty()) {
      return new JsonString(oneOf(STRINGS, random));
    }
    int at = random.nextInt(text.length());
    return new JsonString(
        switch (random.nextInt(5)) {
          case 0 -> oneOf(STRINGS, random);
          case 1 -> text.substring(0, at);
          case 2 -> text + text.charAt(at);
          case 3 ->
              text.substring(0, at) + (char) (' ' + random.nextInt(95)) + text.substring(at + 1);
          default -> text.toUpperCase(Locale.ROOT);
        });
  }

  private static JsonValue nested(JsonValue value, Random random) {
    JsonValue nested = value;
    boolean array = random.nextBoolean();
    for (int depth = random.nextInt(8) == 0 ? 200 : 1; depth > 0; depth--) {
      nested = array ? JsonArray.of(nested) : JsonObject.EMPTY.with("name", nested);
    }
    return nested;
  }

  private static JsonValue scalar(Random random) {
    return switch (random.nextInt(7)) {
      case 0 -> JsonNull.NULL;
      case 1 -> new JsonBoolean(random.nextBoolean());
      case 2 -> new JsonString(oneOf(STRINGS, random));
      case 3 -> random.nextBoolean() ? JsonObject.EMPTY : JsonArray.of();
      default -> new JsonNumber(oneOf(NUMBERS, random));
    };
  }

  private static <T> T oneOf(List<T> choices, Random random) {
    return choices.get(random.nextInt(choices.size()));
  }
}
