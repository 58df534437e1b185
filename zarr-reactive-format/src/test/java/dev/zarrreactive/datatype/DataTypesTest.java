package dev.zarrreactive.datatype;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.zarrreactive.error.MetadataException;
import dev.zarrreactive.error.UnknownExtensionException;
import dev.zarrreactive.extension.NamedConfiguration;
import dev.zarrreactive.json.JsonBoolean;
import dev.zarrreactive.json.JsonNumber;
import dev.zarrreactive.json.JsonObject;
import dev.zarrreactive.json.JsonValue;
import dev.zarrreactive.json.LocatedJson;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class DataTypesTest {

  /** The data type of this name, without a configuration. */
  static DataType named(String name) {
    return DataTypes.parse(NamedConfiguration.of(name));
  }

  @ParameterizedTest
  @CsvSource({
    "bool, 1, 1",
    "int8, 1, 1",
    "int16, 2, 2",
    "int32, 4, 4",
    "int64, 8, 8",
    "uint8, 1, 1",
    "uint16, 2, 2",
    "uint32, 4, 4",
    "uint64, 8, 8",
    "float16, 2, 2",
    "float32, 4, 4",
    "float64, 8, 8",
    "complex64, 8, 4",
    "complex128, 16, 8",
    "int2, 1, 1",
    "uint4, 1, 1",
    "bfloat16, 2, 2",
    "float8_e8m0fnu, 1, 1",
    "float6_e2m3fn, 1, 1",
    "complex_float32, 8, 4",
    "complex_float64, 16, 8",
    "complex_float16, 4, 2",
    "complex_bfloat16, 4, 2",
    "complex_float4_e2m1fn, 2, 1",
    "r8, 1, 1",
    "r24, 3, 1",
    "r2147483640, 268435455, 1",
  })
  void a_name_gives_the_sizes(String name, int itemSize, int componentSize) {
    DataType type = DataTypes.parse(NamedConfiguration.of(name));
    assertThat(type.name()).isEqualTo(name);
    assertThat(type).hasToString(name);
    assertThat(type.itemSize()).isEqualTo(itemSize);
    assertThat(type.components())
        .containsExactly(new Components(componentSize, itemSize / componentSize));
    assertThat(type.hasByteOrder()).isEqualTo(componentSize > 1);
    assertThat(NamedConfiguration.parse(LocatedJson.of(type.toMetadata())).name()).isEqualTo(name);
  }

  @Test
  void every_named_type_is_found_under_its_name() {
    assertThat(DataTypes.named()).hasSize(1 + 12 + 15 + 17);
    for (DataType type : DataTypes.named()) {
      assertThat(DataTypes.parse(NamedConfiguration.of(type.name()))).isEqualTo(type);
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"float128", "Int8", "<f4", "int", "complex32", "float8", "r", "r-8", "r08x", "R8"})
  void an_unknown_name_lists_what_there_is(String name) {
    assertThatThrownBy(() -> DataTypes.parse(NamedConfiguration.of(name)))
        .isInstanceOf(UnknownExtensionException.class)
        .hasMessageContaining(name)
        .hasMessageContaining("complex128")
        .hasMessageContaining("r<N>");
  }

  @ParameterizedTest
  @ValueSource(strings = {"r0", "r12", "r08", "r2147483648", "r99999999999999999999"})
  void a_raw_type_has_a_positive_multiple_of_8_bits(String name) {
    assertThatThrownBy(() -> DataTypes.parse(NamedConfiguration.of(name)))
        .isInstanceOf(MetadataException.class)
        .hasMessageContaining("\"" + name + "\": expected a positive multiple of 8 bits");
  }

  @Test
  void a_core_type_has_no_configuration() {
    NamedConfiguration configured =
        NamedConfiguration.of("int8", JsonObject.EMPTY.with("unit", "s"));
    assertThatThrownBy(() -> DataTypes.parse(configured))
        .isInstanceOfSatisfying(
            MetadataException.class,
            e -> assertThat(e.location().jsonPointer()).isEqualTo("/configuration/unit"))
        .hasMessageContaining("unknown member \"unit\"");
  }

  @Test
  void a_data_type_must_be_understood() {
    JsonObject ignorable = JsonObject.EMPTY.with("name", "int8").with("must_understand", false);
    assertThatThrownBy(() -> DataTypes.parse(NamedConfiguration.parse(LocatedJson.of(ignorable))))
        .isInstanceOf(MetadataException.class)
        .hasMessageContaining("a data type must be understood");
  }

  @Test
  void types_that_do_not_exist_cannot_be_made() {
    assertThatThrownBy(() -> new IntegerType(12, true)).hasMessageContaining("not 12");
    assertThatThrownBy(() -> new IntegerType(1, false)).hasMessageContaining("not 1");
    assertThatThrownBy(
            () -> new ComplexType(new FloatType(FloatFormat.FLOAT16), "complex_bfloat16"))
        .hasMessage("complex numbers of float16 are not named complex_bfloat16");
    assertThatThrownBy(() -> DataTypes.raw(0)).hasMessageContaining("not 0");
    assertThatThrownBy(() -> DataTypes.raw(-8)).hasMessageContaining("not -8");
    assertThatThrownBy(() -> DataTypes.raw(12)).hasMessageContaining("not 12");
  }

  @Test
  void every_byte_but_zero_is_true() {
    JsonValue json = DataTypes.BOOL.toJson(new byte[] {0, 7}, 1);
    assertThat(json).isEqualTo(new JsonBoolean(true));
  }

  @Test
  void an_element_is_read_where_it_stands() {
    byte[] image = {9, 9, 1, 2, 3, 4, 9};
    assertThat(DataTypes.UINT32.toJson(image, 2)).isEqualTo(JsonNumber.of(0x04030201));
    assertThat(DataTypes.INT16.toJson(image, 2)).isEqualTo(JsonNumber.of(0x0201));
    assertThat(DataTypes.raw(16).toJson(image, 2)).hasToString("[1,2]");
  }
}
