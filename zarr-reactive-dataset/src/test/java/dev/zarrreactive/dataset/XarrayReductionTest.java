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
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.zip.GZIPInputStream;
import org.junit.jupiter.api.Test;

/** Statistics that make_reductions.py has recorded of xarray, to 13 digits. */
class XarrayReductionTest {
  private static final double TOLERANCE = 1e-13;

  private static final Map<String, CalendarPeriod> PERIODS =
      Map.of(
          "HOUR", CalendarPeriod.HOUR,
          "DAY", CalendarPeriod.DAY,
          "WEEK", CalendarPeriod.WEEK,
          "MONTH", CalendarPeriod.MONTH,
          "SEASON", CalendarPeriod.SEASON,
          "YEAR", CalendarPeriod.YEAR);
  private static final Map<String, CalendarPart> PARTS =
      Arrays.stream(CalendarPart.values())
          .collect(Collectors.toMap(CalendarPart::label, part -> part));

  private final Map<String, Dataset> opened = new HashMap<>();

  @Test
  void statistics_of_dimensions_periods_and_groups_are_those_of_xarray() throws IOException {
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

  private static long number(JsonObject record, String name) {
    return record.get(name) instanceof JsonNumber number ? (long) number.toDouble() : 0;
  }

  private static Variable result(
      Dataset dataset, String variable, String how, JsonObject expected) {
    boolean keeps = new JsonBoolean(false).equals(expected.get("skipna"));
    if (expected.get("over") != null) {
      Dataset reduced = over(dataset, variable, keeps, how, expected);
      return reduced.variable(variable);
    } else if (expected.get("period") != null) {
      String[] words = expected.string("period").orElseThrow().split(" ");
      CalendarPeriod period = PERIODS.get(words[0]);
      period = words.length == 1 ? period : period.times(Integer.parseInt(words[1]));
      Dataset periods = computed(dataset.resample("time", period), how, variable);
      Variable time = periods.variable("time");
      List<String> starts = texts(time, requireNonNull(await(time.read())));
      assertThat(starts).isEqualTo(expected.list("starts").orElseThrow());
      return periods.variable(variable);
    }
    CalendarPart part = PARTS.get(expected.string("part").orElseThrow());
    DatasetReduction groups = dataset.groupBy("time", part);
    if (how.equals("anomaly")) {
      return requireNonNull(await(groups.mean(variable).flatMap(groups::minus))).variable(variable);
    }
    Dataset grouped = computed(groups, how, variable);
    NdArray labels = requireNonNull(await(grouped.variable(part.label()).read()));
    List<String> found =
        part == CalendarPart.SEASON
            ? List.of(labels.toStringArray())
            : Arrays.stream(labels.toLongArray()).mapToObj(Long::toString).toList();
    assertThat(found).isEqualTo(expected.list("labels").orElseThrow());
    return grouped.variable(variable);
  }

  private static Dataset over(
      Dataset dataset, String variable, boolean keeps, String how, JsonObject expected) {
    String[] over =
        expected.list("over").orElseThrow().stream().map(String::valueOf).toArray(String[]::new);
    String[] all = dataset.variable(variable).dimensions().toArray(String[]::new);
    DatasetReduction reduction = dataset.over(over.length == 0 ? all : over);
    if (expected.get("weighted") != null) {
      Variable latitudes = dataset.variable(expected.string("weighted").orElseThrow());
      Variable wide =
          latitudes.times(Variable.of("one", List.of(), NdArray.ofDoubles(Shape.SCALAR, 1)));
      reduction = reduction.weighted(wide.map(y -> Math.cos(Math.toRadians(y))));
    }
    return computed(keeps ? reduction.keepingMissing() : reduction, how, variable);
  }

  private static Dataset computed(DatasetReduction reduction, String how, String variable) {
    Statistic statistic = Statistic.valueOf(how.toUpperCase(Locale.ROOT));
    return requireNonNull(
        requireNonNull(await(reduction.statistics(List.of(variable), statistic))).get(statistic));
  }

  private static List<String> texts(Variable time, NdArray values) {
    return Arrays.stream(values.toLongArray())
        .mapToObj(
            count ->
                time.times().map(coding -> coding.text(count)).orElseGet(() -> values.toString()))
        .toList();
  }

  private void compare(JsonObject expected) {
    Dataset dataset =
        opened.computeIfAbsent(expected.string("dataset").orElseThrow(), XarrayDatasets::open);
    String variable = expected.string("variable").orElseThrow();
    String how = expected.string("how").orElseThrow();
    long cut = number(expected, "cut");
    if (cut > 0) {
      for (String name : dataset.sizes().keySet()) {
        dataset =
            name.equals("time")
                ? dataset
                : dataset.isel(name, "0:" + Math.min(cut, dataset.sizes().get(name)));
      }
    }
    Variable result = result(dataset, variable, how, expected);
    assertThat(result.dimensions()).isEqualTo(expected.list("dims").orElseThrow());
    NdArray values = requireNonNull(await(result.read()));
    double least = how.equals("anomaly") ? 300 : 1; // a difference of temperatures in kelvins
    boolean isRounded = how.equals("anomaly") && values.dataType().equals(DataTypes.FLOAT32);
    double[] ours = values.cast(DataTypes.FLOAT64).toDoubleArray();
    List<JsonValue> theirs = XarrayDatasets.list(requireNonNull(expected.get("values")));
    assertThat(ours).hasSize(theirs.size());
    for (int i = 0; i < ours.length; i++) {
      if (theirs.get(i) instanceof JsonNumber number) {
        double value = number.toDouble();
        double rounding = isRounded ? Math.ulp((float) value) / 2 : 0; // theirs are float64
        double bound = rounding + TOLERANCE * Math.max(least, Math.abs(value));
        assertThat(ours[i]).as(variable + " " + how + " " + i).isCloseTo(value, within(bound));
      } else {
        assertThat(ours[i]).isNaN();
      }
    }
  }
}
