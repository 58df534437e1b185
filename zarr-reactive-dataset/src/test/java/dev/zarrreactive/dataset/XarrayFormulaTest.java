package dev.zarrreactive.dataset;

import static dev.zarrreactive.testing.Waiting.await;
import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import dev.zarrreactive.array.NdArray;
import dev.zarrreactive.array.selection.DimensionSelection;
import dev.zarrreactive.json.JsonArray;
import dev.zarrreactive.json.JsonNumber;
import dev.zarrreactive.json.JsonObject;
import dev.zarrreactive.json.JsonString;
import dev.zarrreactive.json.JsonValue;
import java.io.IOException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Formulas that make_formulas.py has recorded of xarray, bit for bit. */
class XarrayFormulaTest {
  private final Map<String, Dataset> opened = new HashMap<>();

  @Test
  void formulas_are_those_of_xarray() throws IOException {
    List<JsonObject> records = RecordedValues.records("formulas.json.gz");
    assertThat(records).hasSize(2000);
    assertThat(records).allSatisfy(this::compare);
  }

  private void compare(JsonObject expected) {
    String formula = requireNonNull(expected.get("formula")).toString();
    Dataset dataset =
        opened.computeIfAbsent(expected.string("dataset").orElseThrow(), XarrayDatasets::open);
    JsonObject parts = (JsonObject) requireNonNull(expected.get("part"));
    for (Map.Entry<String, JsonValue> part : parts.members().entrySet()) {
      dataset = dataset.isel(part.getKey(), indices(part.getValue()));
    }
    Variable result = variable(dataset, requireNonNull(expected.get("formula")));
    NdArray values = requireNonNull(await(result.read()));
    assertThat(result.dimensions()).as(formula).isEqualTo(expected.list("dims").orElseThrow());
    assertThat(values.dataType().toString())
        .as(formula)
        .isEqualTo(expected.string("type").orElseThrow());
    assertThat(values.shape()).isEqualTo(result.shape());
    assertThat(RecordedValues.hash(values))
        .as(() -> formula + " is " + expected.get("first") + "; found " + values)
        .isEqualTo(expected.string("sha256").orElseThrow());
  }

  private static DimensionSelection indices(JsonValue part) {
    if (part instanceof JsonNumber index) {
      return DimensionSelection.at((long) index.toDouble());
    }
    List<Long> slice =
        XarrayDatasets.list(part).stream()
            .map(number -> (long) ((JsonNumber) number).toDouble())
            .toList();
    return DimensionSelection.slice(slice.get(0), slice.get(1), slice.get(2));
  }

  private static Variable variable(Dataset dataset, JsonValue formula) {
    if (formula instanceof JsonString name) {
      return dataset.variable(name.value());
    }
    List<JsonValue> parts = ((JsonArray) formula).elements();
    Variable of = variable(dataset, parts.get(1));
    String how = ((JsonString) parts.get(0)).value();
    switch (how) {
      case "not":
        return of.not();
      case "missing":
        return of.missing();
      case "map":
        return of.map(Math::sqrt);
      case "where":
        Variable condition = variable(dataset, parts.get(2));
        return parts.size() == 3
            ? of.where(condition)
            : parts.get(3) instanceof JsonNumber number
                ? of.where(condition, number(number))
                : of.where(condition, variable(dataset, parts.get(3)));
      default:
        return parts.get(2) instanceof JsonNumber number
            ? besideNumber(how, of, number(number))
            : pair(how, of, variable(dataset, parts.get(2)));
    }
  }

  private static Number number(JsonNumber number) {
    String text = number.toString();
    return text.matches("-?[0-9]+") ? (Number) Long.valueOf(text) : Double.valueOf(text);
  }

  private static Variable besideNumber(String how, Variable of, Number number) {
    return switch (how) {
      case "plus" -> of.plus(number);
      case "minus" -> of.minus(number);
      case "times" -> of.times(number);
      case "dividedBy" -> of.dividedBy(number);
      case "lessThan" -> of.lessThan(number);
      case "atMost" -> of.atMost(number);
      case "greaterThan" -> of.greaterThan(number);
      case "atLeast" -> of.atLeast(number);
      case "equalTo" -> of.equalTo(number);
      case "notEqualTo" -> of.notEqualTo(number);
      default -> throw new AssertionError(how);
    };
  }

  private static Variable pair(String how, Variable of, Variable other) {
    return switch (how) {
      case "plus" -> of.plus(other);
      case "minus" -> of.minus(other);
      case "times" -> of.times(other);
      case "dividedBy" -> of.dividedBy(other);
      case "lessThan" -> of.lessThan(other);
      case "atMost" -> of.atMost(other);
      case "greaterThan" -> of.greaterThan(other);
      case "atLeast" -> of.atLeast(other);
      case "equalTo" -> of.equalTo(other);
      case "notEqualTo" -> of.notEqualTo(other);
      case "and" -> of.and(other);
      case "or" -> of.or(other);
      default -> throw new AssertionError(how);
    };
  }
}
