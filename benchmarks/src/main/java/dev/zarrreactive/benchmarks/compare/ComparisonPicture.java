package dev.zarrreactive.benchmarks.compare;

import java.util.List;
import java.util.Locale;

/** Draws ratios of times on a logarithmic axis: left of the line this client is faster. */
final class ComparisonPicture {
  private static final int LINE = 20;
  private static final int LEFT = 420;
  private static final int WIDTH = 500;
  private static final double LEAST = 0.05;
  private static final double MOST = 5;
  private static final double[] TICKS = {0.05, 0.1, 0.2, 0.5, 1, 2, 5};
  private static final String[] COLOURS = {"#0072b2", "#d55e00", "#cc79a7", "#009e73", "#e69f00"};

  private final List<Comparison> results;

  ComparisonPicture(List<Comparison> results) {
    this.results = results;
  }

  String svg() {
    List<String> names =
        results.stream()
            .flatMap(result -> result.entries().stream().skip(1))
            .map(Comparison.Entry::name)
            .distinct()
            .toList();
    int top = 70;
    int height = top + LINE * results.size() + 30;
    StringBuilder svg = new StringBuilder();
    add(
        svg,
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%d\" height=\"%d\""
            + " font-family=\"sans-serif\" font-size=\"12\">%n"
            + "<rect width=\"100%%\" height=\"100%%\" fill=\"#fff\"/>%n",
        LEFT + WIDTH + 30,
        height);
    add(
        svg,
        "<text x=\"10\" y=\"20\" font-size=\"14\">Time of zarr-reactive ÷ time of the other;"
            + " left of 1 it is faster</text>%n");
    int at = 10;
    for (String name : names) {
      add(svg, "<circle cx=\"%d\" cy=\"38\" r=\"5\" fill=\"%s\"/>", at + 5, colour(names, name));
      add(svg, "<text x=\"%d\" y=\"42\">%s</text>%n", at + 15, name);
      at += 40 + 7 * name.length();
    }
    for (double tick : TICKS) {
      add(
          svg,
          "<line x1=\"%1$.1f\" y1=\"%2$d\" x2=\"%1$.1f\" y2=\"%3$d\" stroke=\"%4$s\"/>"
              + "<text x=\"%1$.1f\" y=\"%5$d\" text-anchor=\"middle\">%6$s</text>%n",
          x(tick),
          top - 5,
          height - 25,
          tick == 1 ? "#000" : "#ddd",
          height - 10,
          tick == Math.rint(tick) ? Integer.toString((int) tick) : Double.toString(tick));
    }
    int y = top + LINE / 2;
    for (Comparison result : results) {
      add(svg, "<text x=\"10\" y=\"%d\">%s: %s</text>%n", y + 4, result.place(), result.workload());
      for (Comparison.Entry other : result.done()) {
        add(
            svg,
            "<circle cx=\"%.1f\" cy=\"%d\" r=\"5\" fill=\"%s\" fill-opacity=\"0.8\"/>%n",
            x(other.measured().timeOf(result.ours())),
            y,
            colour(names, other.name()));
      }
      y += LINE;
    }
    return svg.append("</svg>\n").toString();
  }

  private static String colour(List<String> names, String name) {
    return COLOURS[names.indexOf(name) % COLOURS.length];
  }

  private static double x(double ratio) {
    double within = Math.max(LEAST, Math.min(MOST, ratio));
    return LEFT + WIDTH * Math.log(within / LEAST) / Math.log(MOST / LEAST);
  }

  private static void add(StringBuilder svg, String format, Object... values) {
    svg.append(String.format(Locale.ROOT, format, values));
  }
}
