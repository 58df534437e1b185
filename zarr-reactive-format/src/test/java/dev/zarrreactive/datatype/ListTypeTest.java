package dev.zarrreactive.datatype;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.zarrreactive.array.NdArray;
import dev.zarrreactive.array.Shape;
import dev.zarrreactive.base.Bytes;
import dev.zarrreactive.error.MetadataException;
import dev.zarrreactive.error.ZarrException;
import dev.zarrreactive.testing.Json;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** {@code ndarray}: elements that are arrays of any number of rows. */
class ListTypeTest {
  private static final String PAIRS =
      "{'name': 'ndarray', 'configuration': {'dtype': 'int16', 'shape': [null, 2]}}";

  private static ListType type(String json) {
    return (ListType) DataTypes.parse(Json.extension(json));
  }

  @Test
  void metadata_name_the_items_and_the_row() {
    ListType type = type(PAIRS);
    assertThat(type).isEqualTo(new ListType(DataTypes.INT16, List.of(2)));
    assertThat(type.toMetadata()).isEqualTo(Json.value(PAIRS).value());
    assertThat(type.rowSize()).isEqualTo(4);
    assertThat(new ListType(DataTypes.UINT64).toMetadata())
        .isEqualTo(
            Json.value("{'name': 'ndarray', 'configuration': {'dtype': 'uint64', 'shape': [null]}}")
                .value());
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "[3, 2]",
        "[]",
        "[null, null]",
        "[2, null]",
        "[null, 0]",
        "[null, 1.5]",
        "[null, true]",
        "[null, 2000000000, 2000000000, 2000000000, 2000000000]",
        "null",
        "2"
      })
  void another_shape_is_refused(String shape) {
    assertThatThrownBy(() -> type(PAIRS.replace("[null, 2]", shape)))
        .isInstanceOf(MetadataException.class);
  }

  @ParameterizedTest
  @ValueSource(strings = {"'string'", "'int33'", "'struct'", "{'name': 'int16'}", "3"})
  void other_items_are_refused(String items) {
    assertThatThrownBy(() -> type(PAIRS.replace("'int16'", items)))
        .isInstanceOf(ZarrException.class);
  }

  @Test
  void a_fill_value_is_base64_and_is_read_as_lists_too() {
    ListType type = type(PAIRS);
    FillValue value = type.parseFillValue(Json.value("'AQACAAMABAA='"));
    assertThat(value.toJson()).hasToString("\"AQACAAMABAA=\"");
    assertThat(type.parseFillValue(Json.value("[[1, 2], [3, 4]]"))).isEqualTo(value);
    assertThat(type.parseFillValue(Json.value("''")).isZero()).isTrue();
    for (String wrong : List.of("'AQACAAMA'", "'?'", "[1, 2]", "[[1, 2, 3]]", "[[1, 'x']]", "0")) {
      assertThatThrownBy(() -> type.parseFillValue(Json.value(wrong)))
          .as(wrong)
          .isInstanceOf(MetadataException.class);
    }
  }

  @Test
  void an_element_is_an_array() {
    ListType type = new ListType(DataTypes.INT8, List.of(1, 2));
    NdArray array =
        NdArray.ofValues(type, Shape.of(2), Bytes.wrap(new byte[] {1, 2, 3, 4}), Bytes.EMPTY);
    assertThat(array.getList(0).shape()).isEqualTo(Shape.of(2, 1, 2));
    assertThat(array.getList(0).toByteArray()).containsExactly(1, 2, 3, 4);
    assertThat(array.getList(1).shape()).isEqualTo(Shape.of(0, 1, 2));
    assertThat(array.toJson(0)).hasToString("[[[1,2]],[[3,4]]]");
    assertThatThrownBy(() -> NdArray.ofValues(type, Shape.of(1), Bytes.wrap(new byte[3])))
        .hasMessageContaining("rows");
  }
}
