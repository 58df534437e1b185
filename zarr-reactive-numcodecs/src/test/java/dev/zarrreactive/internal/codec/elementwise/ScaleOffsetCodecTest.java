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
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ScaleOffsetCodecTest {

  private static ArrayToArrayCodec codec(String configuration) {
    return Codecs.of(
        ArrayToArrayCodec.class,
        "{'name': 'scale_offset', 'configuration': {" + configuration + "}}");
  }

  private static ChunkRepresentation chunk(String type, String fill) {
    DataType dataType = DataTypes.parse(NamedConfiguration.of(type));
    FillValue value = dataType.parseFillValue(Codecs.json(fill));
    return new ChunkRepresentation(Shape.of(1), dataType, value);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = ';',
      value = {
        "float64; 'offset': 10, 'scale': 4; 10.5; 2.0",
        "float32; 'offset': 0.1; 0.3; 0.20000002",
        "float16; 'offset': 1, 'scale': 3; 2.5; 4.5",
        "float32; 'scale': 2; \"NaN\"; \"NaN\"",
        "int8; 'offset': -100, 'scale': -1; 27; -127",
        "int64; 'scale': 3; 3074457345618258602; 9223372036854775806",
        "uint64; 'offset': 1, 'scale': 3; 6148914691236517206; 18446744073709551615",
        "int4; 'offset': -3, 'scale': 2; 0; 6",
        "uint2; 'offset': 2, 'scale': 3; 3; 3",
        "bfloat16; 'offset': 1, 'scale': 4; 2.5; 6.0",
        "float8_e4m3; 'scale': 0.5; 3; 1.5",
        "float8_e4m3fnuz; 'offset': 8; 8; 0.0",
        "float4_e2m1fn; 'offset': 1, 'scale': 2; 3; 4.0",
        "float8_e8m0fnu; 'scale': 4; 0.5; 2.0",
      })
  void it_computes_in_the_type_of_the_chunk(
      String type, String configuration, String value, String encoded) {
    ArrayToArrayCodec codec = codec(configuration);
    ChunkRepresentation chunk = chunk(type, value);
    assertThat(codec.encodedRepresentation(chunk).fillValue()).hasToString(encoded);
    NdArray filled = NdArray.filled(Shape.of(1), chunk.fillValue());
    NdArray there = codec.encode(filled);
    assertThat(there.toJson(0)).hasToString(encoded);
    if (!type.equals("float32")) {
      assertThat(codec.decode(there, chunk)).isEqualTo(filled);
    }
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = ';',
      value = {
        "int8; 'offset': 100; -29",
        "int8; 'scale': 2; 64",
        "uint8; 'offset': 5; 4",
        "int64; 'scale': 2; 4611686018427387904",
        "int64; 'offset': 1; -9223372036854775808",
        "uint64; 'scale': 3; 6148914691236517206",
        "uint64; 'offset': 1; 0",
        "float32; 'scale': 10; 1e38",
        "int4; 'scale': 2; 4",
        "uint2; 'offset': 2; 1",
        "bfloat16; 'scale': 10; 1e38",
        "float8_e5m2fnuz; 'scale': 2; 57344",
        "float4_e2m1fn; 'scale': 2; 6",
        "float8_e8m0fnu; 'offset': 2; 1",
      })
  void what_leaves_the_type_is_an_error(String type, String configuration, String value) {
    ArrayToArrayCodec codec = codec(configuration);
    NdArray filled = NdArray.filled(Shape.of(1), chunk(type, value).fillValue());
    assertThatExceptionOfType(CodecException.class)
        .isThrownBy(() -> codec.encode(filled))
        .withMessageContaining("leaves the range of " + type);
    assertThatExceptionOfType(MetadataException.class)
        .isThrownBy(() -> codec.encodedRepresentation(chunk(type, value)))
        .withMessageContaining("the fill value");
  }

  @ParameterizedTest
  @CsvSource({"int32, 7", "int64, -7", "uint64, 18446744073709551615"})
  void a_quotient_that_is_no_integer_is_an_error(String type, String value) {
    NdArray stored = NdArray.filled(Shape.of(1), chunk(type, value).fillValue());
    assertThatExceptionOfType(CodecException.class)
        .isThrownBy(() -> codec("'scale': 2").decode(stored, chunk(type, "0")))
        .withMessageContaining("is no multiple of the scale 2");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = ';',
      value = {
        "int32; 'scale': 0",
        "float32; 'scale': -0.0",
        "int32; 'scale': 0.5",
        "uint8; 'offset': -1",
        "uint8; 'offset': 256",
        "bool; 'scale': 1",
        "float32; 'shift': 1",
      })
  void numbers_that_the_type_does_not_hold_are_refused_when_the_array_is_opened(
      String type, String configuration) {
    String zero = type.equals("bool") ? "false" : "0";
    assertThatExceptionOfType(MetadataException.class)
        .isThrownBy(() -> codec(configuration).encodedRepresentation(chunk(type, zero)));
  }
}
