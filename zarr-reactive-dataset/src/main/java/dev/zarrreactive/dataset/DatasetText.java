package dev.zarrreactive.dataset;

import dev.zarrreactive.json.JsonObject;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;

/** The summary of a dataset, like that of {@code ncdump -h} and of xarray. */
final class DatasetText {
  private static final int MOST_ATTRIBUTES = 40;
  private static final int LONGEST_LINE = 100;

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
    lines.add("dataset " + dataset.path());
    if (!dataset.sizes().isEmpty()) {
      lines.add(
          "dimensions: "
              + dataset.sizes().entrySet().stream()
                  .map(size -> size.getKey() + " = " + size.getValue())
                  .collect(Collectors.joining(", ")));
    }
    int width = dataset.variables().keySet().stream().mapToInt(String::length).max().orElse(0);
    add(lines, "coordinates:", dataset.coordinates(), width);
    add(lines, "data variables:", dataset.dataVariables(), width);
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
      lines.add("attributes:");
      attributes(dataset.attributes(), lines);
    }
    Map<String, Dataset> groups = dataset.groups();
    if (!groups.isEmpty()) {
      lines.add("groups: " + String.join(", ", groups.keySet()));
    }
    dataset
        .refusedGroups()
        .forEach(
            (name, error) -> lines.add(cut("  " + name + " is no dataset: " + error.statement())));
    return lines;
  }

  private static void attributes(JsonObject attributes, List<String> lines) {
    attributes.members().entrySet().stream()
        .limit(MOST_ATTRIBUTES)
        .forEach(member -> lines.add(cut("  " + member.getKey() + ": " + member.getValue())));
    if (attributes.members().size() > MOST_ATTRIBUTES) {
      lines.add("  and " + (attributes.members().size() - MOST_ATTRIBUTES) + " more");
    }
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
    String units = Dataset.text(variable.attributes(), "units");
    String times = variable.times().map(Object::toString).orElse(units);
    return cut(
        String.format(
                Locale.ROOT,
                "  %s %-" + Math.max(1, width) + "s (%s) %s  %s",
                variable.isIndex() ? "*" : " ",
                variable.name(),
                String.join(", ", variable.dimensions()),
                variable.dataType(),
                times)
            .stripTrailing());
  }

  private static String cut(String line) {
    String plain = line.replaceAll("\\p{Cntrl}", " ");
    return plain.length() <= LONGEST_LINE ? plain : plain.substring(0, LONGEST_LINE - 3) + "...";
  }
}
