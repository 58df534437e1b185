package dev.zarrreactive.dataset;

import static dev.zarrreactive.testing.Waiting.await;
import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.zarrreactive.array.NdArray;
import dev.zarrreactive.array.Shape;
import dev.zarrreactive.datatype.DataTypes;
import dev.zarrreactive.error.Location;
import dev.zarrreactive.json.JsonBoolean;
import dev.zarrreactive.json.JsonDocument;
import dev.zarrreactive.json.JsonNumber;
import dev.zarrreactive.json.JsonObject;
import dev.zarrreactive.json.JsonValue;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.zip.GZIPInputStream;
import org.junit.jupiter.api.Test;
import reactor.core.publisher.Mono;

/**
 * Quantiles, rolling windows, what accumulates, and elements that are chosen, which make_columns.py
 * has recorded of xarray, to 13 digits.
 */
class XarrayColumnTest {
  private static final double TOLERANCE = 1e-13;
  private static final double[] QUANTILES = {0, 0.1, 0.5, 0.9, 0.999, 1};

  /** A number that makes floats doubles. */
  private static final Variable WIDE =
      Variable.of("wide", List.of(), NdArray.ofDoubles(Shape.SCALAR, 250));

  private final Map<String, Dataset> opened = new HashMap<>();

  @Test
  void columns_are_those_of_xarray() throws IOException {
    try (InputStream in =
        new GZIPInputStream(
            requireNonNull(getClass().getResourceAsStream("/datasets/columns.json.gz")))) {
      JsonObject all =
          (JsonObject)
              JsonDocument.parse(ByteBuffer.wrap(in.readAllBytes()), Location.UNKNOWN, 1L << 40)
                  .value();
      List<JsonValue> records = XarrayDatasets.list(requireNonNull(all.get("records")));
      assertThat(records).hasSizeGreaterThan(500);
      records.forEach(value -> compare((JsonObject) value));
    }
  }

  private void compare(JsonObject expected) {
    Dataset dataset =
        opened.computeIfAbsent(expected.string("dataset").orElseThrow(), XarrayDatasets::open);
    String variable = expected.string("variable").orElseThrow();
    String along =
        expected.get("rolling") != null
            ? expected.string("rolling").orElseThrow()
            : expected.get("cumulative") != null
                ? expected.string("cumulative").orElseThrow()
                : expected.get("group") != null ? "time" : dimension(expected);
    for (String name : dataset.sizes().keySet()) {
      dataset =
          name.equals(along)
              ? dataset
              : dataset.isel(name, "0:" + Math.min(3, dataset.sizes().get(name)));
    }
    Variable result = result(dataset, variable, expected);
    String what = variable + " " + expected.string("how").orElseThrow();
    assertThat(result.dimensions()).as(what).isEqualTo(expected.list("dims").orElseThrow());
    NdArray values = requireNonNull(await(result.read()));
    double[] ours = values.cast(DataTypes.FLOAT64).toDoubleArray();
    List<JsonValue> theirs = XarrayDatasets.list(requireNonNull(expected.get("values")));
    assertThat(ours).as(what).hasSize(theirs.size());
    for (int i = 0; i < ours.length; i++) {
      if (theirs.get(i) instanceof JsonNumber number) {
        double value = number.toDouble();
        // deviations are of temperatures in kelvins
        double least = what.endsWith("std") ? 300 : 1;
        assertThat(ours[i])
            .as(what + " " + i)
            .isCloseTo(value, within(TOLERANCE * Math.max(least, Math.abs(value))));
      } else {
        assertThat(ours[i]).as(what + " " + i).isNaN();
      }
    }
  }

  /** Returns the dimension along which the record has all positions. */
  private static String dimension(JsonObject expected) {
    return expected.string("along").orElseThrow();
  }

  private static Variable result(Dataset dataset, String variable, JsonObject expected) {
    String how = expected.string("how").orElseThrow();
    if (expected.get("rolling") != null) {
      return rolled(dataset.variable(variable), how, expected);
    } else if (expected.get("cumulative") != null) {
      Variable of = dataset.variable(variable);
      String name = expected.string("cumulative").orElseThrow();
      return switch (how) {
        case "sum" -> of.cumulative(name).sum();
        case "product" -> of.dividedBy(WIDE).cumulative(name).product();
        case "max" -> of.cumulative(name).max();
        default -> of.cumulative(name).min();
      };
    } else if (expected.get("group") != null) {
      String[] kind = expected.string("group").orElseThrow().split(" ");
      DatasetReduction groups =
          kind[0].equals("period")
              ? dataset.resample(
                  "time", kind[1].equals("MONTH") ? CalendarPeriod.MONTH : CalendarPeriod.YEAR)
              : dataset.groupBy(
                  "time", kind[1].equals("month") ? CalendarPart.MONTH : CalendarPart.SEASON);
      return computed(groups, how, variable, expected);
    }
    String[] over =
        expected.list("over").orElseThrow().stream().map(String::valueOf).toArray(String[]::new);
    DatasetReduction reduction = dataset.over(over);
    boolean keeps = new JsonBoolean(false).equals(expected.get("skipna"));
    return computed(keeps ? reduction.keepingMissing() : reduction, how, variable, expected);
  }

  private static Variable computed(
      DatasetReduction reduction, String how, String variable, JsonObject expected) {
    Mono<Dataset> result =
        switch (how) {
          case "quantiles" -> reduction.quantiles(QUANTILES, variable);
          case "median" -> reduction.median(variable);
          case "quantile 0.9" -> reduction.quantile(0.9, variable);
          case "first" -> reduction.first(variable);
          case "last" -> reduction.last(variable);
          case "argmin" -> reduction.argMin(variable);
          case "argmax" -> reduction.argMax(variable);
          case "histogram" -> reduction.histogram(edges(expected), variable);
          default -> throw new AssertionError(how + expected);
        };
    return requireNonNull(await(result)).variable(variable);
  }

  private static double[] edges(JsonObject expected) {
    return XarrayDatasets.list(requireNonNull(expected.get("edges"))).stream()
        .mapToDouble(edge -> ((JsonNumber) edge).toDouble())
        .toArray();
  }

  private static int number(JsonObject expected, String name) {
    return (int) ((JsonNumber) requireNonNull(expected.get(name))).toDouble();
  }

  private static Variable rolled(Variable of, String how, JsonObject expected) {
    Rolling rolling =
        of.rolling(expected.string("rolling").orElseThrow(), number(expected, "window"))
            .atLeast(number(expected, "least"));
    rolling = new JsonBoolean(true).equals(expected.get("center")) ? rolling.centred() : rolling;
    return switch (how) {
      case "mean" -> rolling.mean();
      case "sum" -> rolling.sum();
      case "min" -> rolling.min();
      case "max" -> rolling.max();
      case "std" -> rolling.std();
      default -> rolling.count();
    };
  }
}
