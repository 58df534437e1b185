package dev.zarrreactive.internal.codec.elementwise;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.zarrreactive.array.NdArray;
import dev.zarrreactive.array.Shape;
import dev.zarrreactive.codec.ArrayToArrayCodec;
import dev.zarrreactive.codec.ChunkRepresentation;
import dev.zarrreactive.datatype.DataType;
import dev.zarrreactive.datatype.DataTypes;
import dev.zarrreactive.datatype.FillValue;
import dev.zarrreactive.error.CodecException;
import dev.zarrreactive.error.MetadataException;
import dev.zarrreactive.extension.NamedConfiguration;
import dev.zarrreactive.internal.codec.Codecs;
import dev.zarrreactive.json.JsonValue;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class CastValueCodecTest {

  private static ArrayToArrayCodec cast(String configuration) {
    return Codecs.of(
        ArrayToArrayCodec.class,
        "{'name': 'cast_value', 'configuration': {" + configuration + "}}");
  }

  private static DataType type(String name) {
    return DataTypes.parse(NamedConfiguration.of(name));
  }

  private static FillValue value(DataType type, String json) {
    return type.parseFillValue(Codecs.json(json));
  }

  private static JsonValue encoded(ArrayToArrayCodec codec, DataType type, String value) {
    return codec.encode(NdArray.filled(Shape.of(1), value(type, value))).toJson(0);
  }

  @ParameterizedTest
  @CsvSource({
    "nearest-even, 2.5, 2",
    "nearest-even, -3.5, -4",
    "nearest-even, 0.49999999999999994, 0",
    "nearest-away, 2.5, 3",
    "nearest-away, -2.5, -3",
    "nearest-away, 0.49999999999999994, 0",
    "towards-zero, 2.9, 2",
    "towards-zero, -2.9, -2",
    "towards-positive, 2.1, 3",
    "towards-positive, -2.9, -2",
    "towards-negative, 2.9, 2",
    "towards-negative, -2.1, -3",
  })
  void floats_are_rounded_to_integers_as_configured(String rounding, String in, String out) {
    ArrayToArrayCodec codec = cast("'data_type': 'int16', 'rounding': '" + rounding + "'");
    assertThat(encoded(codec, DataTypes.FLOAT64, in)).hasToString(out);
  }

  /** 2^53 + 1 lies in the middle of two doubles; the floats next to 2^40 + 2^16 are 2^17 apart. */
  @ParameterizedTest
  @CsvSource({
    "int64, float64, nearest-even, 9007199254740993, 9007199254740992",
    "int64, float64, nearest-away, 9007199254740993, 9007199254740994",
    "int64, float64, towards-positive, -9007199254740993, -9007199254740992",
    "int64, float64, towards-negative, -9007199254740993, -9007199254740994",
    "uint64, float32, nearest-even, 9223372586610589697, 9223373136366403584",
    "uint64, float32, nearest-even, 9223372586610589696, 9223372036854775808",
    "uint64, float32, towards-zero, 18446744073709551615, 18446742974197923840",
    "uint64, float32, nearest-even, 18446744073709551615, 18446744073709551616",
    "float64, float32, towards-positive, 1.00000001, 1.0000001192092896",
    "float64, float32, towards-negative, 1.00000001, 1",
    "float64, float32, nearest-away, 1.000000059604644775390625, 1.0000001192092896",
    "float64, float32, nearest-even, 1.000000059604644775390625, 1",
    "float64, float16, nearest-even, 1.000488281250001, 1.0009765625",
    "float64, float16, towards-zero, 70000, 65504",
    "float64, bfloat16, nearest-even, 1.00390625, 1",
    "float64, bfloat16, nearest-away, 1.00390625, 1.0078125",
    "float32, float8_e5m2, nearest-even, 1.125, 1",
    "float32, float8_e4m3fnuz, towards-zero, 1e10, 240",
    "int32, float8_e4m3, nearest-even, 17, 16",
    "int32, float8_e4m3, towards-positive, 17, 18",
    "int16, float4_e2m1fn, nearest-even, 5, 4",
    "int16, float4_e2m1fn, nearest-away, -5, -6",
    "float64, float8_e8m0fnu, nearest-even, 3, 4",
    "float64, float8_e8m0fnu, towards-zero, 3, 2",
    "float4_e2m1fn, float64, nearest-even, 1.5, 1.5",
    "int4, float32, nearest-even, -8, -8",
  })
  void what_lies_between_two_floats_is_rounded_once(
      String from, String to, String rounding, String in, double expected) {
    ArrayToArrayCodec codec = cast("'data_type': '" + to + "', 'rounding': '" + rounding + "'");
    NdArray encoded = codec.encode(NdArray.filled(Shape.of(1), value(type(from), in)));
    assertThat(encoded.getDouble(0)).isEqualTo(expected);
  }

  @ParameterizedTest
  @CsvSource({
    "int32, int16, wrap, 32769, -32767",
    "int32, uint8, clamp, -5, 0",
    "int32, uint8, clamp, 256, 255",
    "int64, uint64, wrap, -1, 18446744073709551615",
    "uint64, int64, clamp, 18446744073709551615, 9223372036854775807",
    "float64, int64, clamp, 1e30, 9223372036854775807",
    "float64, uint64, wrap, -1, 18446744073709551615",
    "float64, uint8, wrap, 1e30, 0",
    "float64, float16, clamp, 70000, \"Infinity\"",
    "int32, float16, clamp, -70000, \"-Infinity\"",
    "int32, int4, wrap, 9, -7",
    "int32, uint2, clamp, 9, 3",
    "int8, int2, clamp, -128, -2",
    "uint4, int4, wrap, 15, -1",
    "float64, bfloat16, clamp, 1e300, \"Infinity\"",
    "float64, float8_e4m3fnuz, clamp, 1e300, 240.0",
    "float64, float8_e4m3fnuz, clamp, \"-Infinity\", -240.0",
    "int32, float4_e2m1fn, clamp, -7, -6.0",
    "float64, float6_e2m3fn, clamp, 8, 7.5",
    "float64, float8_e8m0fnu, clamp, 1e300, 2E+38",
    "float64, float8_e8m0fnu, clamp, -1, 6E-39",
    "float64, float8_e8m0fnu, clamp, 0, 6E-39",
  })
  void what_is_outside_the_type_is_treated_as_configured(
      String from, String to, String range, String in, String out) {
    ArrayToArrayCodec codec = cast("'data_type': '" + to + "', 'out_of_range': '" + range + "'");
    assertThat(encoded(codec, type(from), in)).hasToString(out);
  }

  @ParameterizedTest
  @CsvSource({
    "int32, int16, 32768",
    "int64, uint64, -1",
    "uint64, int64, 9223372036854775808",
    "float64, int64, 9223372036854775808",
    "float64, float32, 1e300",
    "float32, float16, 65520",
    "int32, float16, 65520",
    "float64, uint8, -0.6",
    "int8, int4, 8",
    "uint4, int4, 8",
    "float64, int2, 1.5",
    "float64, bfloat16, 1e39",
    "float64, float8_e5m2fnuz, 61440",
    "float32, float6_e3m2fn, 30",
    "int8, float4_e2m1fn, 7",
    "float64, float8_e8m0fnu, 0",
    "float64, float8_e8m0fnu, -1",
    "int8, float8_e8m0fnu, 0",
  })
  void what_is_outside_the_type_is_an_error_otherwise(String from, String to, String in) {
    assertThatExceptionOfType(CodecException.class)
        .isThrownBy(() -> encoded(cast("'data_type': '" + to + "'"), type(from), in))
        .withMessageContaining("is outside the range of " + to);
  }

  @Test
  void scalars_are_mapped_before_they_are_cast() {
    ArrayToArrayCodec codec =
        cast(
            "'data_type': 'uint8', 'out_of_range': 'clamp', 'scalar_map': {'encode': [['NaN', 255],"
                + " ['+Infinity', 254], [7, 8]], 'decode': [[255, 'NaN'], [254, 'Infinity']]}");
    NdArray chunk =
        NdArray.ofFloats(
            DataTypes.FLOAT32, Shape.of(4), Float.NaN, Float.POSITIVE_INFINITY, 7f, 300f);
    NdArray encoded = codec.encode(chunk);
    assertThat(encoded.toShortArray())
        .containsExactly((short) 255, (short) 254, (short) 8, (short) 255);
    ChunkRepresentation floats =
        new ChunkRepresentation(
            Shape.of(4), DataTypes.FLOAT32, value(DataTypes.FLOAT32, "\"NaN\""));
    assertThat(codec.decode(encoded, floats).toFloatArray())
        .containsExactly(Float.NaN, Float.POSITIVE_INFINITY, 8f, Float.NaN);
    assertThat(codec.encodedRepresentation(floats).fillValue()).hasToString("255");
  }

  @Test
  void what_is_no_number_has_to_be_mapped() {
    assertThatExceptionOfType(CodecException.class)
        .isThrownBy(
            () ->
                encoded(
                    cast("'data_type': 'int8', 'out_of_range': 'clamp'"),
                    DataTypes.FLOAT64,
                    "\"NaN\""))
        .withMessageContaining("scalar_map");
  }

  @Test
  void what_is_no_number_is_refused_where_the_type_has_nothing_for_it() {
    assertThatExceptionOfType(CodecException.class)
        .isThrownBy(
            () ->
                encoded(
                    cast("'data_type': 'float4_e2m1fn', 'out_of_range': 'clamp'"),
                    DataTypes.FLOAT64,
                    "\"NaN\""))
        .withMessageContaining("has no counterpart in float4_e2m1fn");
    assertThat(encoded(cast("'data_type': 'float8_e8m0fnu'"), DataTypes.FLOAT64, "\"NaN\""))
        .hasToString("\"NaN\"");
    assertThat(encoded(cast("'data_type': 'bfloat16'"), DataTypes.FLOAT64, "-0.0"))
        .hasToString("-0.0");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = ';',
      value = {"int32; 300", "float64; 0.5", "float64; \"NaN\""})
  void a_fill_value_that_does_not_come_back_is_refused(String type, String fill) {
    DataType from = type(type);
    assertThatExceptionOfType(MetadataException.class)
        .isThrownBy(
            () ->
                cast("'data_type': 'uint8', 'out_of_range': 'wrap'")
                    .encodedRepresentation(
                        new ChunkRepresentation(Shape.of(1), from, value(from, fill))))
        .withMessageContaining("the fill value");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = ';',
      value = {
        "'data_type': 'float32', 'out_of_range': 'wrap'",
        "'data_type': 'int8', 'out_of_range': 'error'",
        "'data_type': 'int8', 'rounding': 'up'",
        "'data_type': 'complex64'",
        "'data_type': 'bool'",
        "'data_type': 'int8', 'scalar_map': {'both': []}",
        "'rounding': 'nearest-even'",
      })
  void a_configuration_that_the_codec_does_not_have_is_refused(String configuration) {
    assertThatExceptionOfType(MetadataException.class).isThrownBy(() -> cast(configuration));
  }
}
