package dev.zarrreactive.dataset;

import static dev.zarrreactive.testing.Waiting.await;
import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import dev.zarrreactive.array.selection.DimensionSelection;
import dev.zarrreactive.json.JsonObject;
import dev.zarrreactive.json.JsonValue;
import java.io.IOException;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import reactor.core.publisher.Mono;

/** Datasets that make_joins.py joins with xarray, value by value. */
class XarrayJoinTest {
  private final Map<String, Dataset> opened = new HashMap<>();
  private final Map<String, Dataset> joined = new HashMap<>();

  @Test
  void joined_datasets_are_those_of_xarray() throws IOException {
    Path stores = XarrayDatasets.unzip("joins.zip");
    List<JsonObject> records = RecordedValues.records("joins.json.gz");
    assertThat(records).hasSizeGreaterThan(1000);
    assertThat(records).allSatisfy(expected -> compare(stores, expected));
  }

  private void compare(Path stores, JsonObject expected) {
    String how = expected.string("how").orElseThrow();
    JsonValue parts = requireNonNull(expected.get("parts"));
    String what = how + " of " + expected.string("variable").orElseThrow() + " of " + parts;
    Dataset together =
        joined.computeIfAbsent(
            how + parts,
            any -> {
              List<Dataset> all =
                  XarrayDatasets.list(parts).stream()
                      .map(part -> part(stores, (JsonObject) part))
                      .toList();
              return requireNonNull(await(together(how, expected.string("dim").orElse(""), all)));
            });
    RecordedValues.compare(
        what, together.variable(expected.string("variable").orElseThrow()), expected);
  }

  private static Mono<Dataset> together(String how, String dimension, List<Dataset> all) {
    return switch (how) {
      case "combine" -> Dataset.combine(all);
      case "merge" -> Dataset.merge(all);
      default -> Dataset.concat(dimension, all);
    };
  }

  private Dataset part(Path stores, JsonObject part) {
    if (part.get("store") != null) {
      return opened.computeIfAbsent(
          part.string("store").orElseThrow(), name -> RecordedValues.open(stores.resolve(name)));
    }
    Dataset dataset =
        opened.computeIfAbsent(part.string("dataset").orElseThrow(), XarrayDatasets::open);
    String dimension = part.string("dim").orElseThrow();
    JsonValue at = part.get("at");
    return at != null
        ? dataset.isel(dimension, RecordedValues.number(at))
        : dataset.isel(
            dimension,
            DimensionSelection.slice(
                RecordedValues.number(requireNonNull(part.get("from"))),
                RecordedValues.number(requireNonNull(part.get("to")))));
  }
}
