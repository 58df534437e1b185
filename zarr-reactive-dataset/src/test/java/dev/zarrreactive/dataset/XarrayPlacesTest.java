package dev.zarrreactive.dataset;

import static dev.zarrreactive.testing.Waiting.await;
import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import dev.zarrreactive.array.NdArray;
import dev.zarrreactive.datatype.DataTypes;
import dev.zarrreactive.json.JsonNull;
import dev.zarrreactive.json.JsonNumber;
import dev.zarrreactive.json.JsonObject;
import dev.zarrreactive.json.JsonString;
import dev.zarrreactive.json.JsonValue;
import java.io.IOException;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Labels, conditions, points, regions and interpolations that make_places.py has recorded. */
class XarrayPlacesTest {
  private final Map<String, Dataset> opened = new HashMap<>();

  @Test
  void places_are_those_of_xarray() throws IOException {
    Path stores = XarrayDatasets.unzip("places.zip");
    opened.put("grid", RecordedValues.open(stores.resolve("grid")));
    List<JsonObject> records = RecordedValues.records("places.json.gz");
    assertThat(records).hasSizeGreaterThan(1000);
    assertThat(records).allSatisfy(this::compare);
  }

  private void compare(JsonObject expected) {
    Dataset dataset =
        opened.computeIfAbsent(expected.string("dataset").orElseThrow(), XarrayDatasets::open);
    String name = expected.string("variable").orElseThrow();
    Variable found = requireNonNull(await(selected(dataset, expected).variable(name)));
    JsonObject about = expected.without("sha256").without("values");
    if (expected.get("values") == null) {
      RecordedValues.compare(about.toString(), found, expected);
    } else {
      compareClosely(about.toString(), dataset.variable(name), found, expected);
    }
  }

  private static DatasetSelection selected(Dataset dataset, JsonObject expected) {
    String dimension = expected.string("dim").orElse("");
    return switch (expected.string("op").orElseThrow()) {
      case "labels" ->
          dataset.sel(
              dimension, labels(requireNonNull(expected.get("labels"))), LabelMethod.NEAREST);
      case "mask" ->
          dataset.sel(
              dataset.variable(dimension).times(1.0).greaterThan(number(expected, "bound")));
      case "points" -> dataset.selPoints("place", at(expected), LabelMethod.NEAREST);
      case "around" ->
          dataset.selAround(dimension, number(expected, "from"), number(expected, "to"));
      default -> {
        DatasetSelection chain = dataset.select();
        String how = expected.string("how").orElseThrow().toUpperCase(Locale.ROOT);
        for (Map.Entry<String, List<Object>> each : at(expected).entrySet()) {
          chain = chain.interp(each.getKey(), each.getValue(), Interpolation.valueOf(how));
        }
        yield chain;
      }
    };
  }

  private static double number(JsonObject expected, String name) {
    return ((JsonNumber) requireNonNull(expected.get(name))).toDouble();
  }

  private static Map<String, List<Object>> at(JsonObject expected) {
    Map<String, List<Object>> all = new LinkedHashMap<>();
    ((JsonObject) requireNonNull(expected.get("at")))
        .members()
        .forEach((dimension, values) -> all.put(dimension, labels(values)));
    return all;
  }

  private static List<Object> labels(JsonValue values) {
    return XarrayDatasets.list(values).stream()
        .<Object>map(
            value ->
                value instanceof JsonString text
                    ? text.value()
                    : (Object) ((JsonNumber) value).toDouble())
        .toList();
  }

  /** xarray subtracts floats of 32 bits from each other, where these are of 64 bits. */
  private static void compareClosely(
      String what, Variable source, Variable found, JsonObject expected) {
    NdArray values = requireNonNull(await(found.read()));
    assertThat(found.dimensions()).as(what).isEqualTo(expected.list("dims").orElseThrow());
    assertThat(values.dataType().toString())
        .as(what)
        .isEqualTo(expected.string("type").orElseThrow());
    boolean isNarrow = source.dataType().equals(DataTypes.FLOAT32);
    double[] all = values.cast(DataTypes.FLOAT64).toDoubleArray();
    List<JsonValue> theirs = XarrayDatasets.list(requireNonNull(expected.get("values")));
    assertThat(all).hasSameSizeAs(theirs);
    for (int i = 0; i < all.length; i++) {
      if (theirs.get(i) == JsonNull.NULL) {
        assertThat(all[i]).as(what).isNaN();
      } else {
        double its = ((JsonNumber) theirs.get(i)).toDouble();
        double bound = (isNarrow ? 1e-6 : 1e-12) * Math.max(1, Math.abs(its));
        assertThat(Math.abs(all[i] - its)).as(what + " at " + i + ": " + its).isLessThan(bound);
      }
    }
  }
}
