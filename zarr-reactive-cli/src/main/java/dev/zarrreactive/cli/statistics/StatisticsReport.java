package dev.zarrreactive.cli.statistics;

import dev.zarrreactive.array.NdArray;
import dev.zarrreactive.array.Shape;
import dev.zarrreactive.cli.console.Quantities;
import dev.zarrreactive.cli.describe.FieldTable;
import dev.zarrreactive.cli.output.ElementText;
import dev.zarrreactive.datatype.DataType;
import dev.zarrreactive.datatype.DataTypes;
import dev.zarrreactive.datatype.TimeType;
import dev.zarrreactive.json.JsonNull;
import dev.zarrreactive.json.JsonObject;
import dev.zarrreactive.json.JsonValue;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.math.RoundingMode;
import org.jspecify.annotations.Nullable;

/**
 * Statistics for people and for programs.
 *
 * @param type of the elements
 * @param values the statistics of the elements
 * @param chunks how many chunks were read, inner chunks where there are shards
 * @param missing how many of them the store does not have
 */
public record StatisticsReport(DataType type, Statistics values, long chunks, long missing) {

  /** Returns the statistics on several lines. */
  public String text(boolean colour) {
    String none = type instanceof TimeType ? "NaT" : "NaN";
    return new FieldTable(colour)
        .field("elements", number(values.count()))
        .field("missing", number(missing) + " of " + Quantities.plural(chunks, "chunk"))
        .field(none, number(values.notNumbers()))
        .field("fill values", number(values.fillValues()))
        .field("min", text(values.least()))
        .field("max", text(values.greatest()))
        .field("mean", mean())
        .field("std", deviation())
        .toString();
  }

  private static String number(long count) {
    return Quantities.number(BigInteger.valueOf(count));
  }

  private String text(@Nullable JsonValue value) {
    return value == null ? "none" : ElementText.of(type, value);
  }

  private String mean() {
    BigDecimal exact = values.exactMean();
    if (type instanceof TimeType time && exact != null) {
      return time.toText(exact.setScale(0, RoundingMode.HALF_EVEN).longValueExact());
    }
    return values.least() == null ? "none" : text(values.mean());
  }

  private String deviation() {
    if (values.least() == null) {
      return "none";
    }
    String number = text(values.deviation());
    return type instanceof TimeType ? number + " units of " + type : number;
  }

  /** Returns the statistics as an object; a mean of times is their count. */
  public JsonObject json() {
    return JsonObject.EMPTY
        .with("elements", values.count())
        .with("chunks", chunks)
        .with("missing_chunks", missing)
        .with("nan", values.notNumbers())
        .with("fill_values", values.fillValues())
        .with("min", json(values.least()))
        .with("max", json(values.greatest()))
        .with("mean", json(values.mean()))
        .with("std", json(values.deviation()));
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
    return NdArray.ofDoubles(Shape.SCALAR, value).toJson(0);
  }
}
