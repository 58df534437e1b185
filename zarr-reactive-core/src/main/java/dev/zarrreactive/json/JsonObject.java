package dev.zarrreactive.json;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** A JSON object; its members keep their order. */
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
