package dev.zarrreactive.array;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.zarrreactive.array.selection.Selection;
import dev.zarrreactive.datatype.DataType;
import dev.zarrreactive.datatype.DataTypes;
import dev.zarrreactive.datatype.FillValue;
import dev.zarrreactive.datatype.OptionalType;
import dev.zarrreactive.datatype.VariableLengthType;
import dev.zarrreactive.error.MetadataException;
import dev.zarrreactive.error.ZarrException;
import dev.zarrreactive.testing.Json;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Elements that may be missing: their metadata, their memory, and what people see of them. */
class OptionalArrayTest {
  private static final OptionalType INTS = DataTypes.optional(DataTypes.INT32);
  private static final Shape TWO_BY_TWO = Shape.of(2, 2);
  private static final NdArray ARRAY =
      NdArray.ofOptional(
          NdArray.ofInts(DataTypes.INT32, TWO_BY_TWO, 1, 2, 3, 4),
          NdArray.ofBooleans(TWO_BY_TWO, true, false, true, true));

  private static DataType type(String json) {
    return DataTypes.parse(Json.extension(json));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{'name': 'zarrs.optional', 'configuration': {'name': 'uint8', 'configuration': {}}}",
        "{'name': 'optional', 'configuration': {'name': 'string', 'configuration': {}}}",
        "{'name': 'zarrs.optional', 'configuration': {'name': 'zarrs.optional', 'configuration':"
            + " {'name': 'float32', 'configuration': {}}}}",
        "{'name': 'zarrs.optional', 'configuration': {'name': 'numpy.datetime64', 'configuration':"
            + " {'unit': 's', 'scale_factor': 1}}}",
      })
  void metadata_stay_as_they_are(String json) {
    assertThat(type(json).toMetadata()).isEqualTo(Json.value(json).value());
  }

  @Test
  void both_names_are_one_type() {
    DataType older = type("{'name': 'optional', 'configuration': {'name': 'int32'}}");
    assertThat(older).isEqualTo(INTS).hasSameHashCodeAs(INTS);
    assertThat(DataTypes.optional(DataTypes.STRING)).isNotEqualTo(INTS);
    assertThat(INTS).isNotEqualTo(DataTypes.optional(INTS)).hasToString("optional int32");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{'name': 'zarrs.optional'}",
        "{'name': 'zarrs.optional', 'configuration': {'name': 'int33'}}",
        "{'name': 'zarrs.optional', 'configuration': {'name': 'int32', 'unit': 's'}}",
        "{'name': 'struct', 'configuration': {'fields': [{'name': 'a', 'data_type':"
            + " {'name': 'zarrs.optional', 'configuration': {'name': 'int8'}}}]}}",
      })
  void wrong_metadata_are_refused(String json) {
    assertThatThrownBy(() -> type(json)).isInstanceOf(ZarrException.class);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = ';',
      value = {
        "uint8; null",
        "uint8; [42]",
        "string; [\"a\"]",
        "string; [\"\"]",
        "float64; [\"NaN\"]"
      })
  void a_fill_value_is_null_or_in_a_list(String inner, String json) {
    OptionalType type = DataTypes.optional(type("'" + inner + "'"));
    FillValue value = type.parseFillValue(Json.value(json));
    assertThat(value.toJson()).isEqualTo(Json.value(json).value());
    assertThat(value.isZero()).isEqualTo(json.equals("null"));
  }

  @ParameterizedTest
  @ValueSource(strings = {"null", "[null]", "[[42]]"})
  void a_nested_fill_value_is_in_lists(String json) {
    OptionalType type = DataTypes.optional(DataTypes.optional(DataTypes.UINT8));
    assertThat(type.parseFillValue(Json.value(json)).toJson()).isEqualTo(Json.value(json).value());
    OptionalType texts = DataTypes.optional(DataTypes.optional(DataTypes.STRING));
    String text = json.replace("42", "'x'");
    assertThat(texts.parseFillValue(Json.value(text)).toJson()).isEqualTo(Json.value(text).value());
  }

  @ParameterizedTest
  @ValueSource(strings = {"42", "[]", "[1, 2]", "[[1]]", "\"\"", "{}"})
  void another_fill_value_is_refused(String json) {
    assertThatThrownBy(() -> INTS.parseFillValue(Json.value(json)))
        .isInstanceOf(MetadataException.class);
  }

  @Test
  void an_array_has_values_and_a_validity() {
    assertThat(ARRAY.values().toIntArray()).containsExactly(1, 0, 3, 4);
    assertThat(ARRAY.validity().toBooleanArray()).containsExactly(true, false, true, true);
    NdArray column = ARRAY.slice(Selection.parse(":,1"));
    assertThat(column.values().toIntArray()).containsExactly(0, 4);
    assertThat(column.validity().getBoolean(0)).isFalse();
    assertThat(NdArray.ofOptional(ARRAY.values(), ARRAY.validity())).isEqualTo(ARRAY);
    assertThat(NdArray.filled(TWO_BY_TWO, FillValue.zero(INTS)).validity().getBoolean(1, 1))
        .isFalse();
    assertThat(
            NdArray.filled(Shape.of(1), INTS.present(FillValue.of(DataTypes.INT32, 0)))
                .validity()
                .getBoolean(0))
        .isTrue();
  }

  @Test
  void texts_may_be_missing() {
    NdArray texts =
        NdArray.ofOptional(
            NdArray.ofStrings(DataTypes.STRING, Shape.of(3), "a", "b", ""),
            NdArray.ofBooleans(Shape.of(3), true, false, true));
    assertThat(texts.values().toStringArray()).containsExactly("a", "", "");
    assertThat(texts.validity().toBooleanArray()).containsExactly(true, false, true);
    assertThat(texts.toJson(0)).hasToString("\"a\"");
    assertThat(texts.toJson(1)).hasToString("null");
    assertThat(texts.toString()).contains("['a' None '']");
    assertThat(texts).isEqualTo(NdArray.ofOptional(texts.values(), texts.validity()));
    assertThatThrownBy(() -> texts.getString(0)).hasMessageContaining("values() and validity()");
    assertThatThrownBy(
            () ->
                NdArray.ofValues(
                    (VariableLengthType) texts.dataType(), Shape.of(1), Optional.of(7)))
        .isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void a_missing_element_is_null_and_differs_from_one_that_is_there_and_missing_inside() {
    assertThat(ARRAY.toJson(0)).hasToString("1");
    assertThat(ARRAY.toJson(1)).hasToString("null");
    assertThat(ARRAY.toString()).contains("None");
    NdArray nested =
        NdArray.ofOptional(ARRAY, NdArray.ofBooleans(TWO_BY_TWO, false, true, true, true));
    assertThat(nested.toJson(0)).hasToString("null");
    assertThat(nested.toJson(1)).hasToString("[null]");
    assertThat(nested.toJson(2)).hasToString("3");
    assertThat(nested.values().values().toIntArray()).containsExactly(0, 0, 3, 4);
  }

  @Test
  void other_accessors_and_other_types_are_refused() {
    assertThatThrownBy(() -> ARRAY.getInt(0, 0))
        .isInstanceOf(UnsupportedOperationException.class)
        .hasMessageContaining("values() and validity()");
    assertThatThrownBy(() -> ARRAY.values().values())
        .isInstanceOf(UnsupportedOperationException.class);
    NdArray texts = NdArray.ofStrings(DataTypes.STRING, Shape.of(1), "a");
    assertThatThrownBy(texts::validity).isInstanceOf(UnsupportedOperationException.class);
    assertThatThrownBy(() -> NdArray.ofOptional(texts, ARRAY.validity()))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> NdArray.ofOptional(ARRAY, ARRAY.values()))
        .isInstanceOf(IllegalArgumentException.class);
  }
}
