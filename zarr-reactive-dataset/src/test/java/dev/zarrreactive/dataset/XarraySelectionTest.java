package dev.zarrreactive.dataset;

import static dev.zarrreactive.testing.Waiting.await;
import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import dev.zarrreactive.array.NdArray;
import dev.zarrreactive.json.JsonNull;
import dev.zarrreactive.json.JsonNumber;
import dev.zarrreactive.json.JsonObject;
import dev.zarrreactive.json.JsonString;
import dev.zarrreactive.json.JsonValue;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Chains of selections by label and by index give what xarray gives. */
class XarraySelectionTest {
  private final Map<String, Dataset> opened = new HashMap<>();

  @Test
  void chains_select_what_xarray_selects() {
    List<JsonValue> chains = XarrayDatasets.list(XarrayDatasets.json("chains.json"));
    assertThat(chains).hasSizeGreaterThanOrEqualTo(200);
    assertThat(chains).allSatisfy(chain -> compare((JsonObject) chain));
  }

  private void compare(JsonObject chain) {
    String name = chain.string("dataset").orElseThrow();
    Dataset dataset = opened.computeIfAbsent(name, XarrayDatasets::open);
    DatasetSelection selection = new DatasetSelection(dataset);
    for (JsonValue op : XarrayDatasets.list(requireNonNull(chain.get("ops")))) {
      selection = apply(selection, (JsonObject) op);
    }
    Variable variable =
        requireNonNull(await(selection.variable(chain.string("variable").orElseThrow())));
    String what = name + " " + chain.get("ops");
    assertThat(variable.dimensions()).as(what).isEqualTo(chain.list("dims").orElseThrow());
    NdArray values = requireNonNull(await(variable.read()));
    List<Object> shape = new ArrayList<>();
    for (long extent : values.shape().toArray()) {
      shape.add(extent);
    }
    assertThat(shape).as(what).isEqualTo(chain.list("shape").orElseThrow());
    XarrayDecodingTest.compare(
        what, variable, values, XarrayDatasets.list(requireNonNull(chain.get("values"))));
    long streamed =
        await(variable.chunks()).stream()
            .mapToLong(chunk -> chunk.data().shape().elementCountUpTo(Long.MAX_VALUE))
            .sum();
    assertThat(streamed).isEqualTo(values.shape().elementCountUpTo(Long.MAX_VALUE));
  }

  private static DatasetSelection apply(DatasetSelection selection, JsonObject op) {
    String dimension = op.string("dim").orElseThrow();
    if (op.string("op").orElseThrow().equals("isel")) {
      return selection.isel(dimension, op.string("index").orElseThrow());
    } else if (op.get("from") != null) {
      return selection.sel(
          dimension, requireNonNull(label(op.get("from"))), requireNonNull(label(op.get("to"))));
    } else if (op.get("labels") != null) {
      return selection.sel(
          dimension,
          XarrayDatasets.list(requireNonNull(op.get("labels"))).stream()
              .map(value -> requireNonNull(label(value)))
              .toList());
    }
    Object label = requireNonNull(label(op.get("label")));
    if (op.get("method") == null) {
      return selection.sel(dimension, label);
    }
    LabelMethod method =
        LabelMethod.valueOf(op.string("method").orElseThrow().toUpperCase(Locale.ROOT));
    Object tolerance = label(op.get("tolerance"));
    return tolerance == null
        ? selection.sel(dimension, label, method)
        : selection.sel(dimension, label, method, tolerance);
  }

  private static @Nullable Object label(@Nullable JsonValue value) {
    if (value == null || value == JsonNull.NULL) {
      return null;
    }
    return value instanceof JsonString text
        ? text.value()
        : ((JsonNumber) value).isInteger()
            ? (Object) ((JsonNumber) value).toBigInteger().longValueExact()
            : (Object) ((JsonNumber) value).toDouble();
  }
}
