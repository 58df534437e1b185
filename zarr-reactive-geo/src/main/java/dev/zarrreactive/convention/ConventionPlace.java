package dev.zarrreactive.convention;

import dev.zarrreactive.json.JsonArray;
import dev.zarrreactive.json.JsonNull;
import dev.zarrreactive.json.JsonNumber;
import dev.zarrreactive.json.JsonObject;
import dev.zarrreactive.json.JsonString;
import dev.zarrreactive.json.JsonValue;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** A value in attributes, its place, and the problems that checks add to. */
record ConventionPlace(
    @Nullable JsonValue value, String pointer, List<ConventionProblem> problems) {
  private static final int LONGEST = 60;

  boolean isMissing() {
    return value == null || value == JsonNull.NULL;
  }

  ConventionPlace member(String name) {
    JsonValue member = value instanceof JsonObject object ? object.get(name) : null;
    String escaped = name.replace("~", "~0").replace("/", "~1");
    return new ConventionPlace(member, pointer + "/" + escaped, problems);
  }

  List<ConventionPlace> elements() {
    List<ConventionPlace> elements = new ArrayList<>();
    if (value instanceof JsonArray list) {
      for (JsonValue element : list.elements()) {
        elements.add(new ConventionPlace(element, pointer + "/" + elements.size(), problems));
      }
    }
    return elements;
  }

  String text() {
    return value instanceof JsonString text ? text.value() : "";
  }

  /** Reports a value that is there and is not as it should be. */
  void checkIfPresent(String expected, Predicate<ConventionPlace> rule) {
    if (!isMissing()) {
      check(expected, rule);
    }
  }

  void check(String expected, Predicate<ConventionPlace> rule) {
    if (!rule.test(this)) {
      report(expected);
    }
  }

  void report(String expected) {
    String found = "no member";
    if (value != null) {
      String text = value.toString();
      found =
          value.kind()
              + " "
              + (text.length() <= LONGEST ? text : text.substring(0, LONGEST) + "...");
    }
    problems.add(new ConventionProblem(pointer, expected, found));
  }

  boolean isObject() {
    return value instanceof JsonObject;
  }

  boolean isText() {
    return value instanceof JsonString;
  }

  /** Returns true for a list of so many finite numbers; of any number of them for 0. */
  boolean isNumbers(int count) {
    List<ConventionPlace> elements = elements();
    return value instanceof JsonArray
        && (count == 0 || elements.size() == count)
        && elements.stream()
            .allMatch(e -> e.value instanceof JsonNumber number && number.isFinite());
  }

  boolean isTwoTexts() {
    List<ConventionPlace> elements = elements();
    return elements.size() == 2 && elements.stream().allMatch(ConventionPlace::isText);
  }

  double number(int index) {
    return elements().get(index).value instanceof JsonNumber number
        ? number.toDouble()
        : Double.NaN;
  }
}
