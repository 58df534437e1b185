package dev.zarrreactive.dataset;

import dev.zarrreactive.array.NdArray;
import dev.zarrreactive.array.Shape;
import dev.zarrreactive.internal.flow.ByteBudget;
import dev.zarrreactive.json.JsonObject;
import dev.zarrreactive.json.JsonString;
import dev.zarrreactive.json.JsonValue;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.function.IntFunction;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * The summary of a dataset, like that of xarray. It reads nothing: only values in memory are shown.
 */
final class DatasetText {
  private static final int MOST_ATTRIBUTES = 40;
  private static final int LONGEST_LINE = 100;
  private static final int MOST_VALUES = 6;
  private static final String NAME = "    ";
  private static final List<String> UNITS = List.of("B", "kB", "MB", "GB", "TB", "PB", "EB");

  private final Dataset dataset;

  DatasetText(Dataset dataset) {
    this.dataset = dataset;
  }

  @Override
  public String toString() {
    return String.join("\n", lines());
  }

  private List<String> lines() {
    List<String> lines = new ArrayList<>();
    int width =
        Stream.concat(
                    Stream.of("Dimensions:"),
                    dataset.variables().keySet().stream().map(NAME::concat))
                .mapToInt(String::length)
                .max()
                .orElse(0)
            + 2;
    lines.add("<dataset " + dataset.path() + "> Size: " + size(dataset.variables().values()));
    String sizes =
        dataset.sizes().entrySet().stream()
            .map(size -> size.getKey() + ": " + size.getValue())
            .collect(Collectors.joining(", "));
    lines.add(padded("Dimensions:", width) + "(" + sizes + ")");
    add(lines, "Coordinates:", dataset.coordinates(), width);
    add(lines, "Data variables:", dataset.dataVariables(), width);
    dataset
        .unreadable()
        .forEach(
            node ->
                lines.add(
                    cut(
                        "  "
                            + node.path().name()
                            + " cannot be opened: "
                            + node.error().statement())));
    if (!dataset.attributes().members().isEmpty()) {
      lines.add("Attributes:");
      attributes(dataset.attributes(), lines);
    }
    Map<String, Dataset> groups = dataset.groups();
    if (!groups.isEmpty()) {
      lines.add("Groups: " + String.join(", ", groups.keySet()));
    }
    dataset
        .refusedGroups()
        .forEach(
            (name, error) -> lines.add(cut("  " + name + " is no dataset: " + error.statement())));
    return lines;
  }

  private static void attributes(JsonObject attributes, List<String> lines) {
    int width = attributes.members().keySet().stream().mapToInt(String::length).max().orElse(0);
    attributes.members().entrySet().stream()
        .limit(MOST_ATTRIBUTES)
        .forEach(member -> lines.add(attribute(member.getKey(), member.getValue(), width)));
    if (attributes.members().size() > MOST_ATTRIBUTES) {
      lines.add("    and " + (attributes.members().size() - MOST_ATTRIBUTES) + " more");
    }
  }

  private static String attribute(String name, JsonValue value, int width) {
    String text = value instanceof JsonString string ? string.value() : value.toString();
    return cut("    " + padded(name + ":", width + 3) + text);
  }

  private static void add(
      List<String> lines, String title, Map<String, Variable> variables, int width) {
    if (!variables.isEmpty()) {
      lines.add(title);
      variables.values().forEach(variable -> lines.add(line(variable, width)));
    }
  }

  /** Returns a line; a star marks the coordinate in which labels of its dimension are found. */
  private static String line(Variable variable, int width) {
    String mark = variable.isIndex() && !variable.dimensions().isEmpty() ? "  * " : NAME;
    String dimensions =
        variable.dimensions().isEmpty()
            ? ""
            : "(" + String.join(", ", variable.dimensions()) + ") ";
    return cut(
        padded(mark + variable.name(), width)
            + dimensions
            + variable.dataType()
            + " "
            + size(List.of(variable))
            + about(variable));
  }

  /** Returns the values that are in memory, and else their units and chunks. */
  private static String about(Variable variable) {
    if (variable.values() instanceof MemoryValues memory) {
      return " " + values(variable, memory.array());
    }
    List<String> about = new ArrayList<>();
    String units = Dataset.text(variable.attributes(), "units");
    String times = variable.times().map(Object::toString).orElse(units);
    if (!times.isEmpty()) {
      about.add(times);
    }
    if (variable.dimensions().size() > 1) {
      List<Optional<Long>> chunks =
          IntStream.range(0, variable.dimensions().size())
              .mapToObj(variable.values()::chunk)
              .toList();
      if (chunks.stream().allMatch(Optional::isPresent)) {
        about.add(
            "chunks ("
                + chunks.stream()
                    .map(chunk -> Long.toString(chunk.orElse(0L)))
                    .collect(Collectors.joining(", "))
                + ")");
      }
    }
    return about.isEmpty() ? "" : "  " + String.join(", ", about);
  }

  private static String values(Variable variable, NdArray array) {
    int count = array.shape().elementCount().intValueExact();
    NdArray flat = array.reshape(Shape.of(count));
    IntFunction<String> text =
        i ->
            variable
                .times()
                .map(coding -> coding.text(flat.getLong(i)))
                .orElseGet(() -> plain(flat, i));
    if (count <= MOST_VALUES) {
      return IntStream.range(0, count).mapToObj(text).collect(Collectors.joining(" "));
    }
    return IntStream.of(0, 1, 2).mapToObj(text).collect(Collectors.joining(" "))
        + " ... "
        + text.apply(count - 1);
  }

  private static String plain(NdArray values, int element) {
    return values.toJson(element) instanceof JsonString text
        ? "'" + text.value() + "'"
        : String.valueOf(values.toJson(element));
  }

  private static String padded(String text, int width) {
    return text + " ".repeat(Math.max(0, width - text.length()));
  }

  /**
   * Returns the bytes of values in memory, rounded to three digits, as {@code 24B} or {@code 3MB}.
   */
  private static String size(Collection<Variable> variables) {
    long bytes = 0;
    for (Variable variable : variables) {
      long count = variable.shape().elementCountUpTo(Long.MAX_VALUE);
      long each = Math.max(1, variable.dataType().memorySize());
      bytes = ByteBudget.sum(bytes, ByteBudget.product(count, each));
    }
    double shown = bytes;
    int unit = 0;
    while (shown >= 1000 && unit < UNITS.size() - 1) {
      shown /= 1000;
      unit++;
    }
    return String.format(Locale.ROOT, "%.0f%s", shown, UNITS.get(unit));
  }

  private static String cut(String line) {
    String plain = line.replaceAll("\\p{Cntrl}", " ");
    return plain.length() <= LONGEST_LINE ? plain : plain.substring(0, LONGEST_LINE - 3) + "...";
  }
}
