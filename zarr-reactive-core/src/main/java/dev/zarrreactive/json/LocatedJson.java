package dev.zarrreactive.json;

import dev.zarrreactive.error.Location;
import dev.zarrreactive.error.MetadataException;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * A JSON value and its place in a metadata document. What a reader asks of it is either there in
 * the form asked for, or a {@link MetadataException} that names the place, what was expected and
 * what was found.
 */
public record LocatedJson(JsonValue value, Location location) {

  /** The value of a document that was never stored, for metadata made by a program. */
  public static LocatedJson of(JsonValue value) {
    return new LocatedJson(value, Location.UNKNOWN.pointer(""));
  }

  /** An error at this place. */
  public MetadataException error(String message) {
    return new MetadataException(message, location);
  }

  /** An error that says what was expected here, and what was found. */
  public MetadataException expected(String what) {
    return error("expected " + what + ", found " + found());
  }

  private String found() {
    String text = value.toString();
    String shown = text.length() <= 80 ? text : text.substring(0, 77) + "...";
    return value instanceof JsonObject || value instanceof JsonArray
        ? value.kind() + " " + shown
        : shown;
  }

  /** True for {@code null}. */
  public boolean isNull() {
    return value instanceof JsonNull;
  }

  /** The object here. */
  public JsonObject object() {
    if (value instanceof JsonObject object) {
      return object;
    }
    throw expected("an object");
  }

  /** The members of the object here, each with its place, in order. */
  public Map<String, LocatedJson> members() {
    Map<String, LocatedJson> members = new LinkedHashMap<>();
    object().members().forEach((k, v) -> members.put(k, new LocatedJson(v, location.child(k))));
    return members;
  }

  /** The member {@code name} of the object here; an error where it is missing. */
  public LocatedJson member(String name) {
    LocatedJson member = optional(name);
    if (member == null) {
      throw error("the member \"" + name + "\" is missing");
    }
    return member;
  }

  /** The member {@code name} of the object here, or null. */
  public @Nullable LocatedJson optional(String name) {
    JsonValue member = object().get(name);
    return member == null ? null : new LocatedJson(member, location.child(name));
  }

  /** An error for every member of the object here that is not among {@code names}. */
  public void allowOnly(String... names) {
    Set<String> allowed = Set.of(names);
    members()
        .forEach(
            (name, member) -> {
              if (!allowed.contains(name)) {
                String known =
                    allowed.isEmpty()
                        ? "there is none"
                        : "known are " + String.join(", ", new TreeSet<>(allowed));
                throw member.error("unknown member \"" + name + "\"; " + known);
              }
            });
  }

  /** The elements of the array here, each with its place. */
  public List<LocatedJson> elements() {
    if (!(value instanceof JsonArray array)) {
      throw expected("an array");
    }
    List<LocatedJson> elements = new ArrayList<>();
    for (JsonValue element : array.elements()) {
      elements.add(new LocatedJson(element, location.child(Integer.toString(elements.size()))));
    }
    return elements;
  }

  /** The string here. */
  public String string() {
    if (value instanceof JsonString string) {
      return string.value();
    }
    throw expected("a string");
  }

  /** The string here, which must be one of {@code choices}. */
  public String oneOf(String... choices) {
    if (value instanceof JsonString string && List.of(choices).contains(string.value())) {
      return string.value();
    }
    throw expected("one of \"" + String.join("\", \"", choices) + "\"");
  }

  /** The boolean here. */
  public boolean bool() {
    if (value instanceof JsonBoolean bool) {
      return bool.value();
    }
    throw expected("true or false");
  }

  /** The integer here: a number without fraction and exponent, of any size. */
  public BigInteger integer() {
    if (value instanceof JsonNumber number && number.isInteger()) {
      return number.toBigInteger();
    }
    throw expected("an integer");
  }

  /** The integer here, which must lie in {@code [min, max]}. */
  public long integer(long min, long max) {
    BigInteger integer = integer();
    if (integer.compareTo(BigInteger.valueOf(min)) < 0
        || integer.compareTo(BigInteger.valueOf(max)) > 0) {
      throw expected("an integer from " + min + " to " + (max == Long.MAX_VALUE ? "2^63-1" : max));
    }
    return integer.longValue();
  }

  /** The integer here, which must lie in {@code [min, max]}. */
  public int integer(int min, int max) {
    return (int) integer((long) min, (long) max);
  }

  /** The integers of the array here, each in {@code [min, max]}. */
  public long[] integers(long min, long max) {
    return elements().stream().mapToLong(element -> element.integer(min, max)).toArray();
  }
}
