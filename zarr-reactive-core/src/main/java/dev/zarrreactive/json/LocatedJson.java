package dev.zarrreactive.json;

import dev.zarrreactive.error.Location;
import dev.zarrreactive.error.MetadataException;
import java.math.BigInteger;
import java.util.AbstractList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.RandomAccess;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.BiConsumer;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * A JSON value and its place in a metadata document. What a reader asks of it is either there in
 * the form asked for, or a {@link MetadataException} that names the place, what was expected and
 * what was found.
 */
public final class LocatedJson {
  private final JsonValue value;

  /** The place, or null where it is a step away from that of {@link #parent}. */
  private final @Nullable Location location;

  private final @Nullable LocatedJson parent;
  private final UnaryOperator<Location> step;

  /** A value at a place. */
  public LocatedJson(JsonValue value, Location location) {
    this.value = value;
    this.location = location;
    this.parent = null;
    this.step = UnaryOperator.identity();
  }

  /** A value whose place is found out when an error needs it: there may be millions. */
  private LocatedJson(JsonValue value, LocatedJson parent, UnaryOperator<Location> step) {
    this.value = value;
    this.location = null;
    this.parent = parent;
    this.step = step;
  }

  /** The value of a document that was never stored, for metadata made by a program. */
  public static LocatedJson of(JsonValue value) {
    return new LocatedJson(value, Location.UNKNOWN.pointer(""));
  }

  /** The same value at what {@code change} makes of its place, once an error needs it. */
  public LocatedJson at(UnaryOperator<Location> change) {
    return new LocatedJson(value, this, change);
  }

  private LocatedJson child(JsonValue child, String name) {
    return new LocatedJson(child, this, place -> place.child(name));
  }

  /** The value. */
  public JsonValue value() {
    return value;
  }

  /** The value's place in the document. */
  public Location location() {
    return location != null
        ? location
        : step.apply(parent == null ? Location.UNKNOWN : parent.location());
  }

  /** An error at this place. */
  public MetadataException error(String message) {
    return new MetadataException(message, location());
  }

  /** An error that says what was expected here, and what was found. */
  public MetadataException expected(String what) {
    return error("expected " + what + ", found " + found());
  }

  private String found() {
    String shown = JsonText.abbreviated(value, 80);
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
    forEachMember(members::put);
    return members;
  }

  /** Gives {@code action} the members of the object here, each with its place, in order. */
  public void forEachMember(BiConsumer<String, LocatedJson> action) {
    object().members().forEach((name, member) -> action.accept(name, child(member, name)));
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
    return member == null ? null : child(member, name);
  }

  /** An error for every member of the object here that is not among {@code names}. */
  public void allowOnly(String... names) {
    Set<String> allowed = new HashSet<>(List.of(names)); // not Set.of: names may collide
    forEachMember(
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

  /** The elements of the array here, each with its place, made as the caller asks for it. */
  public List<LocatedJson> elements() {
    if (!(value instanceof JsonArray array)) {
      throw expected("an array");
    }
    return new Elements(array.elements());
  }

  private final class Elements extends AbstractList<LocatedJson> implements RandomAccess {
    private final List<JsonValue> values;

    Elements(List<JsonValue> values) {
      this.values = values;
    }

    @Override
    public LocatedJson get(int index) {
      return new LocatedJson(
          values.get(index), LocatedJson.this, place -> place.child(Integer.toString(index)));
    }

    @Override
    public int size() {
      return values.size();
    }
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
    if (value instanceof JsonArray array && array.elements() instanceof IntegerList list) {
      long[] integers = list.within(min, max);
      if (integers != null) {
        return integers;
      }
    }
    return elements().stream().mapToLong(element -> element.integer(min, max)).toArray();
  }

  @Override
  public String toString() {
    return value + " (" + location() + ")";
  }
}
