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

  /** An object of a copy of {@code members}, in their order. */
  public JsonObject {
    members = Collections.unmodifiableMap(new LinkedHashMap<>(members));
  }

  /** The member {@code name}, or null where there is none. */
  public @Nullable JsonValue get(String name) {
    return members.get(name);
  }

  /** This object with the member set; a new member comes last. */
  public JsonObject with(String name, JsonValue value) {
    Map<String, JsonValue> copy = new LinkedHashMap<>(members);
    copy.put(name, value);
    return new JsonObject(copy);
  }

  /** This object with a member that is a string. */
  public JsonObject with(String name, String value) {
    return with(name, new JsonString(value));
  }

  /** This object with a member that is an integer. */
  public JsonObject with(String name, long value) {
    return with(name, JsonNumber.of(value));
  }

  /** This object with a member that is a boolean. */
  public JsonObject with(String name, boolean value) {
    return with(name, new JsonBoolean(value));
  }

  /** This object without the member. */
  public JsonObject without(String name) {
    Map<String, JsonValue> copy = new LinkedHashMap<>(members);
    copy.remove(name);
    return new JsonObject(copy);
  }

  /** This object with only the members of these names. */
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
