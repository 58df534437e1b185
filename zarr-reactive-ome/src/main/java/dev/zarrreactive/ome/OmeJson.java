package dev.zarrreactive.ome;

import dev.zarrreactive.json.JsonArray;
import dev.zarrreactive.json.JsonNumber;
import dev.zarrreactive.json.JsonObject;
import dev.zarrreactive.json.JsonString;
import dev.zarrreactive.json.JsonValue;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalLong;
import java.util.Set;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * A value in the attributes of a group, its place, and the list of problems that reading adds to.
 */
record OmeJson(@Nullable JsonValue value, String pointer, List<OmeProblem> problems) {
  private static final int LONGEST = 60;

  boolean isMissing() {
    return value == null;
  }

  /** Reads a value; empty for a missing one. */
  <T> Optional<T> map(Function<OmeJson, T> reader) {
    return value == null ? Optional.empty() : Optional.of(reader.apply(this));
  }

  /** Returns a member of an object; a missing one of any other value. */
  OmeJson member(String name) {
    JsonValue member = value instanceof JsonObject object ? object.get(name) : null;
    String escaped = name.replace("~", "~0").replace("/", "~1");
    return new OmeJson(member, pointer + "/" + escaped, problems);
  }

  /** Returns the elements of a list; none of any other value. */
  List<OmeJson> elements() {
    List<OmeJson> elements = new ArrayList<>();
    if (value instanceof JsonArray list) {
      for (JsonValue element : list.elements()) {
        elements.add(new OmeJson(element, pointer + "/" + elements.size(), problems));
      }
    }
    return elements;
  }

  /** Returns the elements of a list, and reports another value and equal elements. */
  List<OmeJson> unique(String expected, boolean stops) {
    List<OmeJson> elements = elements();
    if (elements.isEmpty()) {
      report(expected, stops);
    }
    Set<JsonValue> seen = new HashSet<>();
    for (OmeJson element : elements) {
      if (element.value != null && !seen.add(element.value)) {
        element.report("a value that differs from those before it", false);
      }
    }
    return elements;
  }

  String text() {
    return value instanceof JsonString text ? text.value() : "";
  }

  /** Returns a text, and reports another value. */
  String text(String expected, boolean stops) {
    if (!(value instanceof JsonString)) {
      report(expected, stops);
    }
    return text();
  }

  OptionalDouble number() {
    return value instanceof JsonNumber number && number.isFinite()
        ? OptionalDouble.of(number.toDouble())
        : OptionalDouble.empty();
  }

  /** Returns an integer, and reports another value, unless the member may be missing. */
  OptionalLong integer(long least, boolean required) {
    if (value instanceof JsonNumber number && number.isFinite()) {
      double exact = number.toDouble();
      if (exact == Math.rint(exact) && exact >= least && Math.abs(exact) < 1L << 53) {
        return OptionalLong.of((long) exact);
      }
    }
    if (required || value != null) {
      report(least == Long.MIN_VALUE ? "an integer" : "an integer of at least " + least, false);
    }
    return OptionalLong.empty();
  }

  void report(String expected, boolean stops) {
    problems.add(new OmeProblem(pointer, expected, found(), stops));
  }

  private String found() {
    if (value == null) {
      return "no member";
    }
    String text = value.toString();
    return value.kind()
        + " "
        + (text.length() <= LONGEST ? text : text.substring(0, LONGEST) + "...");
  }
}
