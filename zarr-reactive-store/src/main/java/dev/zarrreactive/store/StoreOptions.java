package dev.zarrreactive.store;

import java.time.Duration;
import java.time.format.DateTimeParseException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Options of a store that is opened by its URL, as names and values, such as {@code endpoint} and
 * {@code https://storage.example}. The {@link StoreProvider} defines the names; an unknown name is
 * an error. Immutable; {@code toString} shows no value.
 */
public final class StoreOptions {
  private static final StoreOptions NONE = new StoreOptions(new TreeMap<>(), List.of());

  private static final Pattern SIMPLE_DURATION = Pattern.compile("(\\d{1,9})(ms|s|m|h)");

  private final SortedMap<String, String> values;
  private final List<Part> parts;

  private StoreOptions(SortedMap<String, String> values, List<Part> parts) {
    this.values = values;
    this.parts = parts;
  }

  /**
   * A part of the options that is an object and no text, such as a {@link
   * dev.zarrreactive.store.credential.CredentialSource}. Equal parts make equal options, and {@code
   * toString} shows no secret.
   */
  public interface Part {}

  /** No options. */
  public static StoreOptions none() {
    return NONE;
  }

  /** These options and another, in the place of one of the same name. */
  public StoreOptions with(String name, String value) {
    SortedMap<String, String> more = new TreeMap<>(values);
    more.put(name, value);
    return new StoreOptions(more, parts);
  }

  /** These options and a part, in the place of others of its kind. */
  public StoreOptions with(Part part) {
    List<Part> all = new ArrayList<>(parts);
    all.add(0, part);
    return new StoreOptions(values, List.copyOf(all));
  }

  /** The part of a kind; null where none was given. */
  public <P extends Part> @Nullable P part(Class<P> kind) {
    for (Part part : parts) {
      if (kind.isInstance(part)) {
        return kind.cast(part);
      }
    }
    return null;
  }

  /** These options without the one of a name. */
  public StoreOptions without(String name) {
    SortedMap<String, String> fewer = new TreeMap<>(values);
    fewer.remove(name);
    return new StoreOptions(fewer, parts);
  }

  /** The value of an option; null where it was not given. */
  public @Nullable String get(String name) {
    return values.get(name);
  }

  /**
   * The value of an option that was given.
   *
   * @throws IllegalArgumentException where it was not
   */
  public String text(String name) {
    String value = values.get(name);
    if (value == null) {
      throw new IllegalArgumentException("there is no option " + name);
    }
    return value;
  }

  /**
   * The value of an option that was given as {@code true} or {@code false}.
   *
   * @throws IllegalArgumentException where it is neither
   */
  public boolean isTrue(String name) {
    String value = text(name);
    if (!value.equals("true") && !value.equals("false")) {
      throw new IllegalArgumentException(name + " is true or false, not \"" + value + "\"");
    }
    return value.equals("true");
  }

  /**
   * The value of an option that was given as a whole number, at most 999,999,999.
   *
   * @throws IllegalArgumentException where it is none
   */
  public int number(String name) {
    String value = text(name);
    if (!value.matches("\\d{1,9}")) {
      throw new IllegalArgumentException(name + " is a number, not \"" + value + "\"");
    }
    return Integer.parseInt(value);
  }

  /**
   * The value of an option that was given as a duration of ISO 8601, such as {@code PT30S}, or as a
   * whole number with a unit: {@code 500ms}, {@code 30s}, {@code 5m}, {@code 1h}.
   *
   * @throws IllegalArgumentException where it is none
   */
  public Duration duration(String name) {
    String value = text(name);
    Matcher simple = SIMPLE_DURATION.matcher(value);
    if (simple.matches()) {
      long number = Long.parseLong(simple.group(1));
      return switch (simple.group(2)) {
        case "ms" -> Duration.ofMillis(number);
        case "s" -> Duration.ofSeconds(number);
        case "m" -> Duration.ofMinutes(number);
        default -> Duration.ofHours(number);
      };
    }
    try {
      return Duration.parse(value);
    } catch (DateTimeParseException e) {
      throw new IllegalArgumentException(
          name + " is a duration such as PT30S or 30s, not \"" + value + "\"", e);
    }
  }

  /** The names of the options that were given, sorted. */
  public Set<String> names() {
    return Collections.unmodifiableSet(values.keySet());
  }

  /** True for options of the same names, values and parts, so that stores can be shared by them. */
  @Override
  public boolean equals(Object other) {
    return other instanceof StoreOptions options
        && values.equals(options.values)
        && parts.equals(options.parts);
  }

  @Override
  public int hashCode() {
    return values.hashCode();
  }

  /** Only the names and the parts: values may be secrets. */
  @Override
  public String toString() {
    return "StoreOptions" + values.keySet() + (parts.isEmpty() ? "" : parts);
  }
}
