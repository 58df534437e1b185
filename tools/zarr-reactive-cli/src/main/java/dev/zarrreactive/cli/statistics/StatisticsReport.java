package dev.zarrreactive.cli.statistics;

import dev.zarrreactive.array.NdArray;
import dev.zarrreactive.array.Shape;
import dev.zarrreactive.cli.console.Quantities;
import dev.zarrreactive.cli.describe.FieldTable;
import dev.zarrreactive.cli.output.ElementText;
import dev.zarrreactive.dataset.ExactStatistics;
import dev.zarrreactive.datatype.DataType;
import dev.zarrreactive.datatype.DataTypes;
import dev.zarrreactive.datatype.TimeType;
import dev.zarrreactive.internal.statistics.Distribution;
import dev.zarrreactive.internal.summary.ArraySummary;
import dev.zarrreactive.json.JsonArray;
import dev.zarrreactive.json.JsonNull;
import dev.zarrreactive.json.JsonNumber;
import dev.zarrreactive.json.JsonObject;
import dev.zarrreactive.json.JsonValue;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.math.MathContext;
import java.math.RoundingMode;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Statistics for people and for programs.
 *
 * @param summary the statistics of the elements
 * @param missing how many of their chunks the store does not have
 */
record StatisticsReport(ArraySummary summary, long missing) {
  private static final int BAR = 40;

  private DataType type() {
    return summary.type();
  }

  private ExactStatistics values() {
    return summary.values();
  }

  private Distribution distribution() {
    return summary.distribution();
  }

  private boolean isEmpty() {
    return values().min().isEmpty();
  }

  /** Returns the least or the greatest element; null without elements. */
  private static @Nullable JsonValue json(Optional<NdArray> element) {
    return element.map(one -> one.toJson(0)).orElse(null);
  }

  /** Returns the statistics on several lines. */
  String text(boolean colour) {
    String none = type() instanceof TimeType ? "NaT" : "NaN";
    FieldTable table =
        new FieldTable(colour)
            .field("elements", number(values().count()))
            .field(
                "missing", number(missing) + " of " + Quantities.plural(summary.chunks(), "chunk"))
            .field(none, number(values().notNumbers()));
    if (summary.hasFillValue()) {
      table.field("fill values", number(values().fillValues()));
    }
    table
        .field("min", text(json(values().min())))
        .field("max", text(json(values().max())))
        .field("mean", mean())
        .field("std", deviation());
    for (double percentile : distribution().percentiles()) {
      table.field(name(percentile), percentile(percentile));
    }
    return table + histogram();
  }

  /** Returns the columns of one array of several. */
  List<String> row(String path) {
    List<String> row =
        new ArrayList<>(
            List.of(
                path,
                type().toString(),
                number(values().count()),
                number(values().notNumbers()),
                text(json(values().min())),
                text(json(values().max())),
                mean(),
                deviation()));
    distribution().percentiles().forEach(percentile -> row.add(percentile(percentile)));
    return row;
  }

  /** Returns the titles of the columns. */
  static List<String> titles(List<Double> percentiles) {
    List<String> titles =
        new ArrayList<>(List.of("array", "type", "elements", "NaN", "min", "max", "mean", "std"));
    percentiles.forEach(percentile -> titles.add(name(percentile)));
    return titles;
  }

  /** Returns the name of a percentile, such as {@code p5} and {@code p2.5}. */
  private static String name(double percentile) {
    return "p" + new BigDecimal(String.valueOf(percentile)).stripTrailingZeros().toPlainString();
  }

  private String percentile(double percentile) {
    if (isEmpty()) {
      return "none";
    }
    return type() instanceof TimeType time
        ? time(time, distribution().nearest(percentile))
        : text(distribution().percentile(percentile));
  }

  /** Returns a line for each bin: its lower edge, a bar and the number of elements. */
  private String histogram() {
    if (!distribution().hasFiniteNumbers()) {
      return "";
    }
    long[] bins = distribution().histogram();
    long most = Math.max(1, Arrays.stream(bins).max().orElse(1));
    String[] edges = new String[bins.length];
    int width = 0;
    for (int bin = 0; bin < bins.length; bin++) {
      edges[bin] = edge(distribution().edge(bin)) + " to " + edge(distribution().edge(bin + 1));
      width = Math.max(width, edges[bin].length());
    }
    StringBuilder lines = new StringBuilder();
    for (int bin = 0; bin < bins.length; bin++) {
      int length = (int) Math.round((double) bins[bin] / most * BAR);
      lines
          .append(edges[bin])
          .append(" ".repeat(width - edges[bin].length()))
          .append("  ")
          .append("#".repeat(length))
          .append(" ".repeat(BAR - length))
          .append("  ")
          .append(number(bins[bin]))
          .append('\n');
    }
    return lines.toString();
  }

  private String edge(double edge) {
    if (type() instanceof TimeType time) {
      return time(time, (long) edge);
    }
    return new BigDecimal(edge).round(new MathContext(6)).stripTrailingZeros().toString();
  }

  private static String number(long count) {
    return Quantities.number(BigInteger.valueOf(count));
  }

  private String text(@Nullable JsonValue value) {
    if (value == null) {
      return "none";
    }
    return summary.calendar() != null && value instanceof JsonNumber count
        ? summary.calendar().text(count.toBigInteger().longValue())
        : ElementText.of(type(), value);
  }

  private String time(TimeType time, long count) {
    return summary.calendar() == null ? time.toText(count) : summary.calendar().text(count);
  }

  private String mean() {
    BigDecimal exact = values().exactMean().orElse(null);
    if (type() instanceof TimeType time && exact != null) {
      return time(time, exact.setScale(0, RoundingMode.HALF_EVEN).longValueExact());
    }
    return isEmpty() ? "none" : text(values().mean().orElse(Double.NaN));
  }

  private String deviation() {
    if (isEmpty()) {
      return "none";
    }
    return type() instanceof TimeType time
        ? TimeSpread.text(time, values().std().orElse(Double.NaN))
        : text(values().std().orElse(Double.NaN));
  }

  /** Returns the statistics as an object; a mean of times is their count. */
  JsonObject json() {
    return json(JsonObject.EMPTY);
  }

  /** Returns the statistics of one array of several. */
  JsonObject json(String path) {
    return json(JsonObject.EMPTY.with("path", path));
  }

  private JsonObject json(JsonObject before) {
    JsonObject json =
        before
            .with("elements", values().count())
            .with("chunks", summary.chunks())
            .with("missing_chunks", missing)
            .with("nan", values().notNumbers())
            .with("fill_values", values().fillValues())
            .with("min", orNull(json(values().min())))
            .with("max", orNull(json(values().max())))
            .with("mean", json(values().mean().orElse(Double.NaN)))
            .with("std", json(values().std().orElse(Double.NaN)));
    if (!distribution().percentiles().isEmpty()) {
      JsonObject percentiles = JsonObject.EMPTY;
      for (double percentile : distribution().percentiles()) {
        double value =
            type() instanceof TimeType && !isEmpty()
                ? distribution().nearest(percentile)
                : distribution().percentile(percentile);
        percentiles = percentiles.with(name(percentile), json(value));
      }
      json = json.with("percentiles", percentiles);
    }
    long[] bins = distribution().histogram();
    if (bins.length > 0 && distribution().hasFiniteNumbers()) {
      List<JsonValue> edges = new ArrayList<>();
      for (int bin = 0; bin <= bins.length; bin++) {
        edges.add(ofDouble(distribution().edge(bin)));
      }
      json =
          json.with(
              "histogram",
              JsonObject.EMPTY
                  .with("edges", new JsonArray(edges))
                  .with("counts", JsonArray.ofIntegers(bins)));
    }
    return json;
  }

  private static JsonValue orNull(@Nullable JsonValue value) {
    return value == null ? JsonNull.NULL : value;
  }

  private JsonValue json(double value) {
    if (isEmpty()) {
      return JsonNull.NULL;
    }
    return ofDouble(value);
  }

  private static String text(double value) {
    return ElementText.of(DataTypes.FLOAT64, ofDouble(value));
  }

  /** Returns the JSON of a float64, which is the same on every version of Java. */
  private static JsonValue ofDouble(double value) {
    double canonical = Double.isNaN(value) ? Double.NaN : value;
    return NdArray.ofDoubles(Shape.SCALAR, canonical).toJson(0);
  }
}
