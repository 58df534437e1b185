package dev.zarrreactive.metadata;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.zarrreactive.array.Shape;
import dev.zarrreactive.datatype.DataTypes;
import dev.zarrreactive.error.UnsupportedFeatureException;
import dev.zarrreactive.testing.Json;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class DimensionNamesTest {
  private static DimensionNames v2(String attributes, long... shape) {
    return DimensionNames.of(
        ArrayMetadata.v2(Shape.of(shape), DataTypes.INT8)
            .attributes(Json.object(attributes))
            .build());
  }

  @Test
  void names_of_version_3_are_in_the_document() {
    DimensionNames names =
        DimensionNames.of(
            ArrayMetadata.v3(Shape.of(1, 2), DataTypes.INT8)
                .dimensionNames("x", null)
                .attributes(Json.object("{'_ARRAY_DIMENSIONS': ['a', 'b']}"))
                .build());
    assertThat(names.names()).containsExactly("x", null);
    assertThat(names).hasToString("x, -");
    assertThat(names.isAny()).isTrue();
    assertThat(names.areAll()).isFalse();
    assertThat(names.areInAttributes()).isFalse();
    assertThatExceptionOfType(UnsupportedFeatureException.class)
        .isThrownBy(names::inAttributes)
        .withMessageContaining("expected [\"x\",null], found [\"a\",\"b\"]");
  }

  @Test
  void names_of_version_2_are_in_an_attribute() {
    DimensionNames names = v2("{'_ARRAY_DIMENSIONS': ['a', null]}", 1, 2);
    assertThat(names.names()).containsExactly("a", null);
    assertThat(names.areInAttributes()).isTrue();
    assertThat(names.toArray()).containsExactly("a", null);
    DimensionNames scalar = v2("{'_ARRAY_DIMENSIONS': []}");
    assertThat(scalar.areInAttributes()).isTrue();
    assertThat(scalar.isAny()).isFalse();
    assertThat(scalar.areAll()).isTrue();
    assertThat(scalar).hasToString("");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{'_NCZARR_ARRAY': {'dimrefs': ['/g/a', '/b'], 'storage': 'chunked'}}",
        "{'_nczarr_array': {'dimension_references': ['/g/a', '/b'], 'storage': 'chunked'}}",
        // netCDF-C 4.10.1, without its _ARRAY_DIMENSIONS
        "{'units': 'K', '_nczarr_array': {'dimension_references': ['/a', '/b'],"
            + " 'storage': 'chunked'}, '_nczarr_attr': {'types': {'units': '>S1',"
            + " '_nczarr_array': '|J0', '_nczarr_attr': '|J0'}}}",
        "{'_ARRAY_DIMENSIONS': 'a b', '_NCZARR_ARRAY': {'dimrefs': ['a', 'b']}}"
      })
  void names_of_netcdf_are_in_its_description(String attributes) {
    DimensionNames names = v2(attributes, 1, 2);
    assertThat(names.names()).containsExactly("a", "b");
    assertThat(names.areInAttributes()).isTrue();
    assertThat(names.place()).endsWith(" of NCZarr");
  }

  @Test
  void the_attribute_counts_before_the_description_of_netcdf() {
    DimensionNames names =
        v2("{'_ARRAY_DIMENSIONS': ['x'], '_NCZARR_ARRAY': {'dimrefs': ['/y']}}", 1);
    assertThat(names.names()).containsExactly("x");
    assertThat(names.place()).isEqualTo("the attribute _ARRAY_DIMENSIONS");
    assertThat(v2("{'_NCZARR_ARRAY': {'dimrefs': []}}", 1).isAny()).isFalse();
    assertThat(v2("{'_NCZARR_ARRAY': {'dimrefs': [3]}}", 1).isAny()).isFalse();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{}",
        "{'_ARRAY_DIMENSIONS': ['a']}",
        "{'_ARRAY_DIMENSIONS': ['a', 1]}",
        "{'_ARRAY_DIMENSIONS': 'a b'}"
      })
  void any_other_attribute_has_no_names(String attributes) {
    DimensionNames names = v2(attributes, 1, 2);
    assertThat(names.names()).containsExactly(null, null);
    assertThat(names.areInAttributes()).isFalse();
    assertThat(names).hasToString("");
    assertThat(names.inAttributes()).isEqualTo(Json.object(attributes));
  }
}
