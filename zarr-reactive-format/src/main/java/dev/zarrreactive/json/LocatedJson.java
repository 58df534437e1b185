package dev.zarrreactive.json;

import dev.zarrreactive.error.Location;
import dev.zarrreactive.error.MetadataException;
import dev.zarrreactive.spi.Spi;
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
 * A JSON value and its place in a metadata document. Each accessor returns the value in the form
 * that it names, or throws a {@link MetadataException} with the place, the expectation and the
 * value.
 */
@Spi
public final class LocatedJson {
  private final JsonValue value;

  /** The place, or null if it is one {@link #step} from that of {@link #parent}. */
  private final @Nullable Location location;

  private final @Nullable LocatedJson parent;
  private final UnaryOperator<Location> step;

  /** Creates a value at a place. */
  public LocatedJson(JsonValue value, Location location) {
    this.value = value;
    this.location = location;
    this.parent = null;
    this.step = UnaryOperator.identity();
  }

  /** Creates a value whose place is computed when an error needs it: there may be millions. */
  private LocatedJson(JsonValue value, LocatedJson parent, UnaryOperator<Location> step) {
    this.value = value;
    this.location = null;
    this.parent = parent;
    this.step = step;
  }

  /** Returns the value of a document that a program made. */
  public static LocatedJson of(JsonValue value) {
    return new LocatedJson(value, Location.UNKNOWN.pointer(""));
  }

  /** Returns the same value, whose place {@code change} computes when an error needs it. */
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

  /** Returns an error at this place. */
  public MetadataException error(String message) {
    return new MetadataException(message, location());
  }

  /** Returns an error with the expected and the found value. */
  public MetadataException expected(String what) {
    return error("expected " + what + ", found " + found());
  }

  private String found() {
    String shown = JsonText.abbreviated(value, 80);
    return value instanceof JsonObject || value instanceof JsonArray
        ? value.kind() + " " + shown
        : shown;
  }

  /** Returns true for {@code null}. */
  public boolean isNull() {
    return value instanceof JsonNull;
  }

  /** The value as an object. */
  public JsonObject object() {
    if (value instanceof JsonObject object) {
      return object;
    }
    throw expected("an object");
  }

  /** The members of the object, each with its place, in order. */
  public Map<String, LocatedJson> members() {
    Map<String, LocatedJson> members = new LinkedHashMap<>();
    forEachMember(members::put);
    return members;
  }

  /** Passes the members of the object to {@code action}, each with its place, in order. */
  public void forEachMember(BiConsumer<String, LocatedJson> action) {
    object().members().forEach((name, member) -> action.accept(name, child(member, name)));
  }

  /** The member {@code name} of the object. A missing member is an error. */
  public LocatedJson member(String name) {
    LocatedJson member = optional(name);
    if (member == null) {
      throw error("the member \"" + name + "\" is missing");
    }
    return member;
  }

  /** The member {@code name} of the object, or null. */
  public @Nullable LocatedJson optional(String name) {
    JsonValue member = object().get(name);
    return member == null ? null : child(member, name);
  }

  /** The member {@code name} of the object, or null if it is missing or a JSON null. */
  public @Nullable LocatedJson nonNull(String name) {
    LocatedJson member = optional(name);
    return member == null || member.isNull() ? null : member;
  }

  /** Refuses an object that has members besides {@code names}. */
  public void allowOnly(String... names) {
    Set<String> allowed = new HashSet<>(List.of(names)); // not Set.of: names may collide
    forEachMember(
        (name, member) -> {
          if (!allowed.contains(name)) {
            String known =
                allowed.isEmpty()
                    ? "no member is known here"
                    : "known are " + String.join(", ", new TreeSet<>(allowed));
            throw member.error("unknown member \"" + name + "\"; " + known);
          }
        });
  }

  /** The elements of the array, each with its place, made on access. */
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

  /** The value as a string. */
  public String string() {
    if (value instanceof JsonString string) {
      return string.value();
    }
    throw expected("a string");
  }

  /** The value as a string, which must be one of {@code choices}. */
  public String oneOf(String... choices) {
    if (value instanceof JsonString string && List.of(choices).contains(string.value())) {
      return string.value();
    }
    throw expected("one of \"" + String.join("\", \"", choices) + "\"");
  }

  /** The value as a boolean. */
  public boolean bool() {
    if (value instanceof JsonBoolean bool) {
      return bool.value();
    }
    throw expected("true or false");
  }

  /** The value as an integer of any size. A number with a fraction or an exponent is an error. */
  public BigInteger integer() {
    if (value instanceof JsonNumber number && number.isInteger()) {
      return number.toBigInteger();
    }
    throw expected("an integer");
  }

  /** The value as an integer, which must lie in {@code [min, max]}. */
  public long integer(long min, long max) {
    BigInteger integer = integer();
    if (integer.compareTo(BigInteger.valueOf(min)) < 0
        || integer.compareTo(BigInteger.valueOf(max)) > 0) {
      throw expected("an integer from " + min + " to " + (max == Long.MAX_VALUE ? "2^63-1" : max));
    }
    return integer.longValue();
  }

  /** The value as an integer, which must lie in {@code [min, max]}. */
  public int integer(int min, int max) {
    return (int) integer((long) min, (long) max);
  }

  /** The elements of the array as integers, each in {@code [min, max]}. */
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
