package dev.zarrreactive.dataset;

import static dev.zarrreactive.testing.Waiting.await;
import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.zarrreactive.array.NdArray;
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
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.zip.GZIPInputStream;
import org.junit.jupiter.api.Test;

/** Statistics that make_reductions.py has recorded of xarray, to 13 digits. */
class XarrayReductionTest {
  private static final double TOLERANCE = 1e-13;

  private final Map<String, Dataset> opened = new HashMap<>();

  @Test
  void statistics_and_means_of_periods_are_those_of_xarray() throws IOException {
    try (InputStream in =
        new GZIPInputStream(
            requireNonNull(getClass().getResourceAsStream("/datasets/reductions.json.gz")))) {
      JsonObject all =
          (JsonObject)
              JsonDocument.parse(ByteBuffer.wrap(in.readAllBytes()), Location.UNKNOWN, 1L << 40)
                  .value();
      List<JsonValue> records = XarrayDatasets.list(requireNonNull(all.get("records")));
      assertThat(records).hasSizeGreaterThan(200);
      assertThat(records).allSatisfy(value -> compare((JsonObject) value));
    }
  }

  private void compare(JsonObject expected) {
    Dataset dataset =
        opened.computeIfAbsent(expected.string("dataset").orElseThrow(), XarrayDatasets::open);
    String variable = expected.string("variable").orElseThrow();
    Statistic how =
        Statistic.valueOf(expected.string("how").orElseThrow().toUpperCase(Locale.ROOT));
    List<?> dims = expected.list("dims").orElseThrow();
    NdArray values;
    if (expected.get("period") == null) {
      String[] over =
          expected.list("over").orElseThrow().stream().map(String::valueOf).toArray(String[]::new);
      Reduction reduction = dataset.variable(variable).over(over);
      boolean skips = requireNonNull(expected.get("skipna")).equals(new JsonBoolean(true));
      reduction = skips ? reduction : reduction.keepingMissing();
      assertThat(reduction.dimensions()).isEqualTo(dims);
      values = requireNonNull(requireNonNull(await(reduction.statistics(how))).get(how));
    } else {
      CalendarPeriod period = CalendarPeriod.valueOf(expected.string("period").orElseThrow());
      Resampling.Resampled periods =
          requireNonNull(
              requireNonNull(
                      await(dataset.resample("time", period).statistics(variable, Set.of(), how)))
                  .get(how));
      assertThat(periods.dimensions()).isEqualTo(dims);
      assertThat(periods.starts().stream().map(String::valueOf).toList())
          .isEqualTo(expected.list("starts").orElseThrow());
      values = periods.values();
    }
    double[] ours = values.cast(DataTypes.FLOAT64).toDoubleArray();
    List<JsonValue> theirs = XarrayDatasets.list(requireNonNull(expected.get("values")));
    assertThat(ours).hasSize(theirs.size());
    for (int i = 0; i < ours.length; i++) {
      if (theirs.get(i) instanceof JsonNumber number) {
        double value = number.toDouble();
        assertThat(ours[i])
            .as(variable + " " + how + " " + i)
            .isCloseTo(value, within(TOLERANCE * Math.max(1, Math.abs(value))));
      } else {
        assertThat(ours[i]).isNaN();
      }
    }
  }
}
