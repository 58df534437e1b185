package dev.zarrreactive.docs;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The ratios over HTTP, which stand in a table of the benchmarks' page, as an SVG picture with a
 * panel for each latency.
 */
final class ComparisonChart {
  /** The colours of a picture; those of the clients are told apart by most eyes, and by shapes. */
  enum Theme {
    LIGHT("#ffffff", "#1f2328", "#59636e", "#d1d9e0", "#eaf5ec", "#0072b2", "#c24f00", "#00825f"),
    DARK("#0d1117", "#e6edf3", "#9198a1", "#3d444d", "#12261b", "#56b4e9", "#f0883e", "#3fcf9f");

    private final String paper;
    private final String ink;
    private final String pale;
    private final String line;
    private final String faster;
    private final List<String> clients;

    Theme(String paper, String ink, String pale, String line, String faster, String... clients) {
      this.paper = paper;
      this.ink = ink;
      this.pale = pale;
      this.line = line;
      this.faster = faster;
      this.clients = List.of(clients);
    }
  }

  /**
   * A ratio of the table.
   *
   * @param read what was read
   * @param client the other client
   * @param latency such as {@code 20 ms}
   * @param ratio our time ÷ the time of the client
   */
  record Ratio(String read, String client, String latency, double ratio) {}

  private static final Pattern HEAD = Pattern.compile("(?:(.+): )?(\\d+ ms)");

  private static final int WIDTH = 860;
  private static final int NAMES = 236;
  private static final int PANEL = 190;
  private static final int GAP = 16;
  private static final int TOP = 104;
  private static final int ROW = 26;
  private static final double LEAST = 0.06;
  private static final double MOST = 4;

  private final List<Ratio> ratios;
  private final Theme theme;
  private final StringBuilder body = new StringBuilder();

  private ComparisonChart(List<Ratio> ratios, Theme theme) {
    this.ratios = ratios;
    this.theme = theme;
  }

  /** Reads the table below a heading. */
  static List<Ratio> table(List<String> page, String heading) {
    List<String> rows =
        page.subList(page.indexOf(heading) + 1, page.size()).stream()
            .dropWhile(line -> !line.startsWith("|"))
            .takeWhile(line -> line.startsWith("|"))
            .toList();
    List<String> head = cells(rows.get(0));
    List<Ratio> ratios = new ArrayList<>();
    for (String row : rows.subList(2, rows.size())) {
      List<String> cells = cells(row);
      String client = "";
      for (int i = 1; i < cells.size(); i++) {
        Matcher column = HEAD.matcher(head.get(i));
        if (!column.matches()) {
          throw new AssertionError("no column of a latency: " + head.get(i));
        }
        client = column.group(1) == null ? client : column.group(1);
        if (cells.get(i).matches("\\d+[.]\\d+")) {
          double ratio = Double.parseDouble(cells.get(i));
          ratios.add(new Ratio(cells.get(0), client, column.group(2), ratio));
        }
      }
    }
    return ratios;
  }

  private static List<String> cells(String row) {
    String[] cells = row.substring(1, row.length() - 1).split("\\|");
    return List.of(cells).stream().map(String::strip).toList();
  }

  static String of(List<Ratio> ratios, Theme theme) {
    return new ComparisonChart(ratios, theme).svg();
  }

  private List<String> distinct(Function<Ratio, String> part) {
    return ratios.stream().map(part).distinct().toList();
  }

  private String svg() {
    List<String> reads = distinct(Ratio::read);
    List<String> latencies = distinct(Ratio::latency);
    List<String> clients = distinct(Ratio::client);
    int bottom = TOP + reads.size() * ROW;
    legend(clients);
    for (int row = 0; row < reads.size(); row++) {
      add(
          "<text x=\"%d\" y=\"%d\" text-anchor=\"end\">%s</text>%n",
          NAMES - 12, TOP + row * ROW + 17, reads.get(row));
    }
    for (int panel = 0; panel < latencies.size(); panel++) {
      int x = NAMES + panel * (PANEL + GAP);
      panel(x, bottom, latencies.get(panel));
      for (Ratio ratio : ratios) {
        if (ratio.latency().equals(latencies.get(panel))) {
          int client = clients.indexOf(ratio.client());
          double y = TOP + reads.indexOf(ratio.read()) * ROW + ROW / 2.0 + (client - 1) * 6;
          mark(client, x + place(ratio.ratio()), y);
        }
      }
    }
    int height = bottom + 40;
    return """
    <svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 %d %d" width="%d" height="%d" role="img" aria-labelledby="t">
    <title id="t">Reads over HTTP: the time of zarr-reactive divided by the time of another client, for each latency. %s</title>
    <style>text{font:12.5px -apple-system,"Segoe UI","Noto Sans",Helvetica,Arial,sans-serif;fill:%s}.p{fill:%s}.h{font-weight:600;font-size:14px}</style>
    <rect width="%d" height="%d" rx="6" fill="%s"/>
    %s</svg>
    """
        .formatted(
            WIDTH,
            height,
            WIDTH,
            height,
            inWords(),
            theme.ink,
            theme.pale,
            WIDTH,
            height,
            theme.paper,
            body);
  }

  /** Returns the ranges, for people who hear the picture. */
  private String inWords() {
    Map<String, double[]> ranges = new LinkedHashMap<>();
    for (Ratio ratio : ratios) {
      double[] range =
          ranges.computeIfAbsent(
              ratio.client() + " at " + ratio.latency(), key -> new double[] {9, 0});
      range[0] = Math.min(range[0], ratio.ratio());
      range[1] = Math.max(range[1], ratio.ratio());
    }
    StringBuilder words = new StringBuilder();
    ranges.forEach(
        (key, range) ->
            words.append(
                String.format(Locale.ROOT, "%s: %.2f to %.2f. ", key, range[0], range[1])));
    return words.toString().strip();
  }

  private void legend(List<String> clients) {
    add(
        "<text x=\"14\" y=\"26\" class=\"h\">Reads over HTTP: time of zarr-reactive ÷ time of another client</text>%n");
    int x = 20;
    for (int client = 0; client < clients.size(); client++) {
      mark(client, x, 49);
      add("<text x=\"%d\" y=\"53\">%s</text>%n", x + 10, clients.get(client));
      x += 32 + clients.get(client).length() * 8;
    }
    add("<text x=\"%d\" y=\"53\" class=\"p\">left of 1 zarr-reactive is faster</text>%n", x + 12);
  }

  private void panel(int x, int bottom, String latency) {
    add(
        "<rect x=\"%d\" y=\"%d\" width=\"%.1f\" height=\"%d\" fill=\"%s\"/>%n",
        x, TOP, place(1), bottom - TOP, theme.faster);
    add("<text x=\"%d\" y=\"%d\" class=\"h\">%s</text>%n", x, TOP - 12, latency);
    for (double tick : new double[] {0.1, 0.2, 0.5, 1, 2}) {
      add(
          "<path d=\"M%.1f %dV%d\" stroke=\"%s\"/><text x=\"%.1f\" y=\"%d\" text-anchor=\"middle\" class=\"p\">%s</text>%n",
          x + place(tick),
          TOP,
          bottom,
          tick == 1 ? theme.ink : theme.line,
          x + place(tick),
          bottom + 18,
          Double.toString(tick).replaceFirst("[.]0$", ""));
    }
    add(
        "<rect x=\"%d\" y=\"%d\" width=\"%d\" height=\"%d\" fill=\"none\" stroke=\"%s\"/>%n",
        x, TOP, PANEL, bottom - TOP, theme.line);
  }

  private static double place(double ratio) {
    return PANEL * Math.log(ratio / LEAST) / Math.log(MOST / LEAST);
  }

  private void mark(int client, double x, double y) {
    String fill = theme.clients.get(client);
    switch (client) {
      case 0 -> add("<circle cx=\"%.1f\" cy=\"%.1f\" r=\"4.5\" fill=\"%s\"/>%n", x, y, fill);
      case 1 ->
          add(
              "<rect x=\"%.1f\" y=\"%.1f\" width=\"8\" height=\"8\" fill=\"%s\"/>%n",
              x - 4, y - 4, fill);
      default -> add("<path d=\"M%.1f %.1fl5 9h-10z\" fill=\"%s\"/>%n", x, y - 5, fill);
    }
  }

  private void add(String format, Object... values) {
    body.append(String.format(Locale.ROOT, format, values));
  }
}
