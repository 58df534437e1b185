package dev.zarrreactive.cli.statistics;

import dev.zarrreactive.array.NdArray;
import dev.zarrreactive.array.Shape;
import dev.zarrreactive.cli.console.Quantities;
import dev.zarrreactive.cli.describe.FieldTable;
import dev.zarrreactive.cli.output.ElementText;
import dev.zarrreactive.dataset.cf.TimeCoding;
import dev.zarrreactive.datatype.DataType;
import dev.zarrreactive.datatype.DataTypes;
import dev.zarrreactive.datatype.TimeType;
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
import org.jspecify.annotations.Nullable;

/**
 * Statistics for people and for programs.
 *
 * @param type of the elements
 * @param calendar the coding of dates of a model's calendar; null for other elements
 * @param values the statistics of the elements
 * @param chunks how many chunks were read, inner chunks where there are shards
 * @param missing how many of them the store does not have
 * @param distribution the percentiles and the histogram, after its last pass
 */
record StatisticsReport(
    DataType type,
    @Nullable TimeCoding calendar,
    Statistics values,
    long chunks,
    long missing,
    Distribution distribution) {
  private static final int BAR = 40;

  /** Returns the statistics on several lines. */
  String text(boolean colour) {
    String none = type instanceof TimeType ? "NaT" : "NaN";
    FieldTable table =
        new FieldTable(colour)
            .field("elements", number(values.count()))
            .field("missing", number(missing) + " of " + Quantities.plural(chunks, "chunk"))
            .field(none, number(values.notNumbers()));
    if (values.hasFillValue()) {
      table.field("fill values", number(values.fillValues()));
    }
    table
        .field("min", text(values.least()))
        .field("max", text(values.greatest()))
        .field("mean", mean())
        .field("std", deviation());
    for (double percentile : distribution.percentiles()) {
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
                type.toString(),
                number(values.count()),
                number(values.notNumbers()),
                text(values.least()),
                text(values.greatest()),
                mean(),
                deviation()));
    distribution.percentiles().forEach(percentile -> row.add(percentile(percentile)));
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
    if (values.least() == null) {
      return "none";
    }
    return type instanceof TimeType time
        ? time(time, distribution.nearest(percentile))
        : text(distribution.percentile(percentile));
  }

  /** Returns a line for each bin: its lower edge, a bar and the number of elements. */
  private String histogram() {
    if (!distribution.hasFiniteNumbers()) {
      return "";
    }
    long[] bins = distribution.histogram();
    long most = Math.max(1, Arrays.stream(bins).max().orElse(1));
    String[] edges = new String[bins.length];
    int width = 0;
    for (int bin = 0; bin < bins.length; bin++) {
      edges[bin] = edge(distribution.edge(bin)) + " to " + edge(distribution.edge(bin + 1));
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
    if (type instanceof TimeType time) {
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
    return calendar != null && value instanceof JsonNumber count
        ? calendar.text(count.toBigInteger().longValue())
        : ElementText.of(type, value);
  }

  private String time(TimeType time, long count) {
    return calendar == null ? time.toText(count) : calendar.text(count);
  }

  private String mean() {
    BigDecimal exact = values.exactMean();
    if (type instanceof TimeType time && exact != null) {
      return time(time, exact.setScale(0, RoundingMode.HALF_EVEN).longValueExact());
    }
    return values.least() == null ? "none" : text(values.mean());
  }

  private String deviation() {
    if (values.least() == null) {
      return "none";
    }
    return type instanceof TimeType time
        ? TimeSpread.text(time, values.deviation())
        : text(values.deviation());
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
            .with("elements", values.count())
            .with("chunks", chunks)
            .with("missing_chunks", missing)
            .with("nan", values.notNumbers())
            .with("fill_values", values.fillValues())
            .with("min", json(values.least()))
            .with("max", json(values.greatest()))
            .with("mean", json(values.mean()))
            .with("std", json(values.deviation()));
    if (!distribution.percentiles().isEmpty()) {
      JsonObject percentiles = JsonObject.EMPTY;
      for (double percentile : distribution.percentiles()) {
        double value =
            type instanceof TimeType && values.least() != null
                ? distribution.nearest(percentile)
                : distribution.percentile(percentile);
        percentiles = percentiles.with(name(percentile), json(value));
      }
      json = json.with("percentiles", percentiles);
    }
    long[] bins = distribution.histogram();
    if (bins.length > 0 && distribution.hasFiniteNumbers()) {
      List<JsonValue> edges = new ArrayList<>();
      for (int bin = 0; bin <= bins.length; bin++) {
        edges.add(ofDouble(distribution.edge(bin)));
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

  private static JsonValue json(@Nullable JsonValue value) {
    return value == null ? JsonNull.NULL : value;
  }

  private JsonValue json(double value) {
    if (values.least() == null) {
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
