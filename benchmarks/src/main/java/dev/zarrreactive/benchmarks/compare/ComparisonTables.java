package dev.zarrreactive.benchmarks.compare;

import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;

/** Writes results as tables in Markdown: ratios of times, and what they cost. */
final class ComparisonTables {
  private final Map<String, String> versions;
  private final List<Comparison> results;

  ComparisonTables(Map<String, String> versions, List<Comparison> results) {
    this.versions = versions;
    this.results = results;
  }

  String markdown() {
    StringBuilder text = new StringBuilder();
    versions.forEach(
        (name, version) ->
            text.append("* ").append(name).append(": ").append(version).append('\n'));
    Set<String> places = new LinkedHashSet<>();
    results.forEach(result -> places.add(result.place()));
    for (String place : places) {
      List<Comparison> here =
          results.stream().filter(result -> result.place().equals(place)).toList();
      text.append("\nTimes from ").append(place).append(", zarr-reactive ÷ the other:\n\n");
      ratios(text, here);
      text.append("\nCosts from ").append(place).append(":\n\n");
      costs(text, here);
    }
    return text.toString();
  }

  /** Returns the ratios of one workload in a line. */
  String line(Comparison result) {
    StringBuilder line = new StringBuilder(result.place()).append(": ").append(result.workload());
    for (Comparison.Entry other : result.entries().subList(1, result.entries().size())) {
      line.append("; ").append(other.name()).append(' ').append(ratio(result, other.name()));
    }
    return line.toString();
  }

  /** The clients that were at a place, this one first. */
  private List<String> names(List<Comparison> here) {
    return versions.keySet().stream()
        .filter(name -> here.stream().anyMatch(result -> result.of(name).isPresent()))
        .toList();
  }

  private void ratios(StringBuilder text, List<Comparison> here) {
    List<String> others = names(here).stream().filter(name -> !name.equals(Peer.OURS)).toList();
    row(text, "workload", others);
    row(text, "---", others.stream().map(each -> "---").toList());
    for (Comparison result : here) {
      row(text, result.workload(), others.stream().map(name -> ratio(result, name)).toList());
    }
  }

  private static String ratio(Comparison result, String name) {
    String ours = result.ours().refusal();
    return ours != null
        ? "zarr-reactive: " + ours
        : result.of(name).map(other -> ratio(result.ours(), other)).orElse("not installed");
  }

  private static String ratio(Measured ours, Measured other) {
    String refusal = other.refusal();
    return refusal == null ? String.format(Locale.ROOT, "%.2f", other.timeOf(ours)) : refusal;
  }

  /**
   * Writes milliseconds, requests, mebibytes, processor time as a ratio, peak memory and threads.
   */
  private void costs(StringBuilder text, List<Comparison> here) {
    List<String> names = names(here);
    row(text, "ms; requests, MiB; processor time ÷ ours; peak MiB, threads", names);
    row(text, "---", names.stream().map(each -> "---").toList());
    for (Comparison result : here) {
      row(text, result.workload(), names.stream().map(name -> cost(result, name)).toList());
    }
  }

  private static String cost(Comparison result, String name) {
    return result
        .of(name)
        .filter(one -> one.refusal() == null && result.ours().refusal() == null)
        .map(one -> cost(result.ours(), one))
        .orElse("");
  }

  private static String cost(Measured ours, Measured one) {
    String link =
        one.requests() == 0
            ? ""
            : String.format(Locale.ROOT, "%,d, %.1f; ", one.requests(), one.bytes() / 1048576.0);
    String cpu =
        ours.cpuMillis() == 0
            ? ""
            : String.format(Locale.ROOT, "%.1f; ", one.cpuMillis() / ours.cpuMillis());
    return String.format(Locale.ROOT, "%.1f; ", one.medianMillis())
        + link
        + cpu
        + one.peakMebibytes()
        + ", "
        + one.threads();
  }

  private static void row(StringBuilder text, String first, List<String> cells) {
    text.append("| ").append(first).append(" | ").append(String.join(" | ", cells)).append(" |\n");
  }
}
