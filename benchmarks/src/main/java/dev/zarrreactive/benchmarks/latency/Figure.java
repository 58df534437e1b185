package dev.zarrreactive.benchmarks.latency;

import java.util.Locale;

/**
 * A figure.
 *
 * @param name what was measured
 * @param unit of the numbers
 * @param measured what was seen
 * @param floor what nothing can be below
 * @param bound what it may be at most
 * @param beside what else was seen
 */
public record Figure(
    String name, String unit, double measured, double floor, double bound, String beside) {
  /** The head of a table of figures in Markdown. */
  public static final String HEAD =
      "| figure | measured | floor | bound | holds | |\n|---|---|---|---|---|---|";

  /** True where what was measured is within the bound. */
  public boolean holds() {
    return measured <= bound;
  }

  /** A row of a table in Markdown. */
  public String row() {
    return String.format(
        Locale.ROOT,
        "| %s | %s %s | %s | %s | %s | %s |",
        name,
        number(measured),
        unit,
        number(floor),
        number(bound),
        holds() ? "yes" : "NO",
        beside);
  }

  private static String number(double value) {
    return value >= 20
        ? String.format(Locale.ROOT, "%,.0f", value)
        : String.format(Locale.ROOT, "%.2f", value);
  }
}
