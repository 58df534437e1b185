package dev.zarrreactive.dataset;

import static dev.zarrreactive.testing.Waiting.await;
import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import dev.zarrreactive.array.Chunk;
import dev.zarrreactive.array.NdArray;
import dev.zarrreactive.array.Shape;
import dev.zarrreactive.array.selection.Selection;
import dev.zarrreactive.datatype.VariableLengthType;
import dev.zarrreactive.json.JsonArray;
import dev.zarrreactive.json.JsonObject;
import dev.zarrreactive.json.JsonString;
import dev.zarrreactive.json.JsonValue;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Datasets that xarray wrote are what xarray reads: names, sizes, types and every value. */
class XarrayDecodingTest {
  static List<String> names() {
    return XarrayDatasets.names();
  }

  @Test
  void there_are_forty_datasets() {
    assertThat(names()).hasSizeGreaterThanOrEqualTo(40);
  }

  @ParameterizedTest
  @MethodSource("names")
  void values_are_those_of_xarray(String name) {
    Dataset dataset = XarrayDatasets.open(name);
    JsonObject expected = (JsonObject) XarrayDatasets.json(name + "/expected.json");
    assertThat(sizes(dataset)).isEqualTo(sizes((JsonObject) requireNonNull(expected.get("sizes"))));
    assertThat(dataset.coordinates().keySet()).isEqualTo(texts(expected.get("coordinates")));
    assertThat(dataset.dataVariables().keySet()).isEqualTo(texts(expected.get("data")));
    ((JsonObject) requireNonNull(expected.get("variables")))
        .members()
        .forEach((variable, value) -> compare(dataset.variable(variable), (JsonObject) value));
  }

  private static Map<String, Long> sizes(Dataset dataset) {
    return new HashMap<>(dataset.sizes());
  }

  private static Map<String, Long> sizes(JsonObject sizes) {
    Map<String, Long> all = new HashMap<>();
    sizes.members().forEach((name, size) -> all.put(name, Long.valueOf(size.toString())));
    return all;
  }

  private static Set<String> texts(@Nullable JsonValue list) {
    return ((JsonArray) requireNonNull(list))
        .elements().stream().map(text -> ((JsonString) text).value()).collect(Collectors.toSet());
  }

  private static void compare(Variable variable, JsonObject expected) {
    assertThat(variable.dimensions()).isEqualTo(expected.list("dims").orElseThrow());
    NdArray values = requireNonNull(await(variable.read()));
    String type = expected.string("dtype").orElseThrow();
    if (!Set.of("cftime", "string").contains(type)
        && !type.contains("64[")
        && !type.startsWith("|")) {
      assertThat(values.dataType().name()).as(variable.name()).isEqualTo(type);
    }
    assertThat(values.dataType()).isEqualTo(variable.dataType());
    assertThat(values.shape()).isEqualTo(variable.shape());
    compare(
        variable.toString(),
        variable,
        values,
        XarrayDatasets.list(requireNonNull(expected.get("values"))));
    compareChunks(variable, values);
    compareMemory(variable, values);
  }

  /** Memory of the caller gets the same elements; texts have no place in it. */
  private static void compareMemory(Variable variable, NdArray values) {
    if (variable.dataType() instanceof VariableLengthType) {
      return;
    }
    byte[] expected = values.bytes().toByteArray();
    byte[] memory = new byte[expected.length];
    Arrays.fill(memory, (byte) 0x5a);
    await(variable.readInto(Selection.all(), ByteBuffer.wrap(memory)));
    assertThat(memory).as(variable.toString()).isEqualTo(expected);
  }

  static void compare(String what, Variable variable, NdArray values, List<JsonValue> expected) {
    List<@Nullable Object> ours = XarrayDatasets.values(variable, values);
    List<@Nullable Object> theirs = new ArrayList<>();
    for (int i = 0; i < expected.size(); i++) {
      theirs.add(XarrayDatasets.expected(expected.get(i), i < ours.size() ? ours.get(i) : null));
    }
    assertThat(ours).as(what).isEqualTo(theirs);
  }

  /** Decoded chunks hold the same elements. */
  private static void compareChunks(Variable variable, NdArray values) {
    for (Chunk chunk : await(variable.chunks())) {
      Selection place = selection(chunk);
      NdArray part = variable.decoding().joinsCharacters() ? values : values.slice(place);
      assertThat(chunk.data()).as(variable + " " + chunk).isEqualTo(part);
    }
  }

  private static Selection selection(Chunk chunk) {
    return Selection.parse(
        chunk.selection().toString().isEmpty() ? "..." : chunk.selection().toString());
  }

  @Test
  void raw_elements_are_those_that_are_stored() {
    Variable packed = XarrayDatasets.open("era5-v3").variable("t2m");
    NdArray raw = requireNonNull(await(packed.raw().read("3,2,:3")));
    assertThat(raw.dataType().name()).isEqualTo("int16");
    assertThat(raw.getInt(1)).isEqualTo(-32767);
    assertThat(requireNonNull(await(packed.read("3,2,:3"))).getDouble(1)).isNaN();
    Variable text = XarrayDatasets.open("chars-v3").variable("joined");
    assertThat(text.shape()).isEqualTo(Shape.of(3));
    assertThat(text.raw().dimensions()).containsExactly("x", "length");
    assertThat(requireNonNull(await(text.raw().read())).shape()).isEqualTo(Shape.of(3, 3));
  }

  @Test
  void groups_are_a_tree() {
    for (String name : List.of("tree-v2", "tree-v3")) {
      Dataset root = XarrayDatasets.open(name);
      assertThat(root.groups().keySet()).containsExactly("fine");
      assertThat(root.group("fine/deep").variable("c").dimensions()).isEmpty();
      assertThat(requireNonNull(await(root.group("fine").variable("b").read())).toLongArray())
          .containsExactly(1, 2, 3);
    }
  }
}
