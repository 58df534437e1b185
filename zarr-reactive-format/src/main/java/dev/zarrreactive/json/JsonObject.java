package dev.zarrreactive.json;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalLong;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A JSON object; its members keep their order. Attributes are one. The accessors {@link #string},
 * {@link #number}, {@link #integer}, {@link #bool} and {@link #list} return empty for a member that
 * is missing or {@code null}, and throw {@link IllegalArgumentException} for one of another kind.
 */
public record JsonObject(Map<String, JsonValue> members) implements JsonValue {
  /** The object without members. */
  public static final JsonObject EMPTY = new JsonObject(Map.of());

  /** Copies {@code members} in their order. */
  public JsonObject {
    members = Collections.unmodifiableMap(new LinkedHashMap<>(members));
  }

  /** The member {@code name}, or null. */
  public @Nullable JsonValue get(String name) {
    return members.get(name);
  }

  /** Returns the text of a string, such as {@code string("units")}. */
  public Optional<String> string(String name) {
    return member(name, JsonString.class, "a string").map(JsonString::value);
  }

  /** Returns the double that is nearest to a number; also NaN and the infinities. */
  public OptionalDouble number(String name) {
    return member(name, JsonNumber.class, "a number").stream()
        .mapToDouble(JsonNumber::toDouble)
        .findFirst();
  }

  /**
   * Returns the value of an integer.
   *
   * @throws ArithmeticException if it does not fit into a long
   */
  public OptionalLong integer(String name) {
    Optional<JsonNumber> number = member(name, JsonNumber.class, "an integer");
    if (number.isPresent() && !number.get().isInteger()) {
      throw wrong(name, "an integer", number.get());
    }
    return number.stream().mapToLong(n -> n.toBigInteger().longValueExact()).findFirst();
  }

  /** Returns the value of a boolean. */
  public Optional<Boolean> bool(String name) {
    return member(name, JsonBoolean.class, "a boolean").map(JsonBoolean::value);
  }

  /** Returns the elements of an array in Java's types, as {@link #toMap} returns them. */
  public Optional<List<@Nullable Object>> list(String name) {
    return member(name, JsonArray.class, "a list").map(JavaValues::list);
  }

  private <T extends JsonValue> Optional<T> member(String name, Class<T> type, String expected) {
    JsonValue member = members.get(name);
    if (member == null || member == JsonNull.NULL) {
      return Optional.empty();
    } else if (!type.isInstance(member)) {
      throw wrong(name, expected, member);
    }
    return Optional.of(type.cast(member));
  }

  private static IllegalArgumentException wrong(String name, String expected, JsonValue found) {
    return new IllegalArgumentException(
        "the member \"%s\" is not %s, but the %s %s"
            .formatted(name, expected, found.kind(), JsonText.abbreviated(found, 80)));
  }

  /**
   * Returns the members in Java's types: String, Boolean, Long, BigInteger for integers beyond
   * longs, Double for other numbers, List, Map, and null. The collections are unmodifiable.
   */
  public Map<String, @Nullable Object> toMap() {
    return JavaValues.map(this);
  }

  /**
   * Returns the object of a map's entries: strings, booleans, numbers, null, collections, arrays,
   * maps, and JSON values. NaN and infinities are for attributes alone.
   *
   * @throws IllegalArgumentException for a value of another type, and says where it is
   */
  public static JsonObject ofMap(Map<String, ? extends @Nullable Object> map) {
    return JavaValues.toObject(map);
  }

  /** Returns this object with the member set. A new member comes last. */
  public JsonObject with(String name, JsonValue value) {
    Map<String, JsonValue> copy = new LinkedHashMap<>(members);
    copy.put(name, value);
    return new JsonObject(copy);
  }

  /** Returns this object with a string as member. */
  public JsonObject with(String name, String value) {
    return with(name, new JsonString(value));
  }

  /** Returns this object with an integer as member. */
  public JsonObject with(String name, long value) {
    return with(name, JsonNumber.of(value));
  }

  /** Returns this object with a boolean as member. */
  public JsonObject with(String name, boolean value) {
    return with(name, new JsonBoolean(value));
  }

  /** Returns this object without the member. */
  public JsonObject without(String name) {
    Map<String, JsonValue> copy = new LinkedHashMap<>(members);
    copy.remove(name);
    return new JsonObject(copy);
  }

  /** Returns this object with only the named members. */
  public JsonObject only(Set<String> names) {
    Map<String, JsonValue> copy = new LinkedHashMap<>(members);
    copy.keySet().retainAll(names);
    return new JsonObject(copy);
  }

  @Override
  public String kind() {
    return "object";
  }

  @Override
  public String toString() {
    return JsonText.write(this);
  }
}
