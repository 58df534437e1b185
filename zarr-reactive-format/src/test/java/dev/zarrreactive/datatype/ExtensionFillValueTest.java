package dev.zarrreactive.datatype;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.zarrreactive.error.MetadataException;
import dev.zarrreactive.json.LocatedJson;
import dev.zarrreactive.testing.Json;
import java.util.HexFormat;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Fill values of the registered data types: the forms that are read, with their bytes in memory and
 * the form in which they are written again; and what is refused, where and why.
 */
class ExtensionFillValueTest {

  @ParameterizedTest(name = "{0} {1} is {2}")
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '~',
      value = {
        "int2 | -2 | fe | -2",
        "int2 | 1 | 01 | 1",
        "uint2 | 3 | 03 | 3",
        "int4 | -8 | f8 | -8",
        "int4 | 7 | 07 | 7",
        "uint4 | 15 | 0f | 15",
        "uint4 | -0 | 00 | 0",
        "bfloat16 | 'NaN' | c07f | 'NaN'",
        "bfloat16 | '-Infinity' | 80ff | '-Infinity'",
        "bfloat16 | '0x7f81' | 817f | '0x7f81'",
        "bfloat16 | 1.5 | c03f | 1.5",
        "float8_e3m4 | 'NaN' | 78 | 'NaN'",
        "float8_e3m4 | '0xf9' | f9 | '0xf9'",
        "float8_e3m4 | 'Infinity' | 70 | 'Infinity'",
        "float8_e4m3 | 'NaN' | 7c | 'NaN'",
        "float8_e4m3 | '-Infinity' | f8 | '-Infinity'",
        "float8_e4m3fn | 'NaN' | 7f | 'NaN'",
        "float8_e4m3fn | '0xff' | ff | '0xff'",
        "float8_e4m3fn | 448 | 7e | 448.0",
        "float8_e4m3fn | 0.0 | 00 | 0.0",
        "float8_e4m3fn | -0.0 | 80 | -0.0",
        "float8_e5m2 | 'NaN' | 7e | 'NaN'",
        "float8_e5m2 | 'Infinity' | 7c | 'Infinity'",
        "float8_e4m3fnuz | 'NaN' | 80 | 'NaN'",
        "float8_e4m3b11fnuz | '0x80' | 80 | 'NaN'",
        "float8_e5m2fnuz | 'NaN' | 80 | 'NaN'",
        "float8_e8m0fnu | 'NaN' | ff | 'NaN'",
        "float8_e8m0fnu | 1 | 7f | 1.0",
        "float8_e8m0fnu | 0.0 | 00 | 6E-39", // as TensorStore writes it
        "float6_e2m3fn | -7.5 | 3f | -7.5",
        "float6_e3m2fn | '0x3f' | 3f | -28.0",
        "float4_e2m1fn | '0x07' | 07 | 6.0",
        "float4_e2m1fn | '0x7' | 07 | 6.0",
        "complex_float32 | [1, 'NaN'] | 0000803f0000c07f | [1.0,'NaN']",
        "complex_float64 | [-0.0, 1] | 0000000000000080000000000000f03f | [-0.0,1.0]",
        "complex_bfloat16 | [1, -2] | 803f00c0 | [1.0,-2.0]",
        "complex_float16 | [0.1, '0x7e01'] | 662e017e | [0.1,'0x7e01']",
        "complex_float8_e5m2 | ['Infinity', 1] | 7c3c | ['Infinity',1.0]",
        "complex_float4_e2m1fn | [0.5, -6] | 010f | [0.5,-6.0]",
        "{'name': 'numpy.datetime64', 'configuration': {'unit': 's', 'scale_factor': 1}} | -1 | ffffffffffffffff | -1",
        "{'name': 'numpy.datetime64', 'configuration': {'unit': 'ns', 'scale_factor': 10}} | 'NaT' | 0000000000000080 | -9223372036854775808",
        "{'name': 'numpy.timedelta64', 'configuration': {'unit': 'generic', 'scale_factor': 1}} | 9223372036854775807 | ffffffffffffff7f | 9223372036854775807",
        "{'name': 'fixed_length_utf32', 'configuration': {'length_bytes': 8}} | '' | 0000000000000000 | ''",
        "{'name': 'fixed_length_utf32', 'configuration': {'length_bytes': 8}} | '\\ud83d\\ude00a' | 00f6010061000000 | '😀a'",
        "{'name': 'fixed_length_utf32', 'configuration': {'length_bytes': 12}} | 'a\\u0000\\u0000' | 610000000000000000000000 | 'a'",
        "{'name': 'fixed_length_utf32', 'configuration': {'length_bytes': 12}} | '\\u0000a' | 000000006100000000000000 | '\\u0000a'",
        "{'name': 'null_terminated_bytes', 'configuration': {'length_bytes': 4}} | 'YWI=' | 61620000 | 'YWI='",
        "{'name': 'null_terminated_bytes', 'configuration': {'length_bytes': 4}} | '' | 00000000 | ''",
        "{'name': 'null_terminated_bytes', 'configuration': {'length_bytes': 2}} | 'AGE=' | 0061 | 'AGE='",
        "{'name': 'raw_bytes', 'configuration': {'length_bytes': 3}} | 'AQID' | 010203 | 'AQID'",
        "{'name': 'struct', 'configuration': {'fields': [{'name': 'a', 'data_type': 'int16'}, {'name': 'b', 'data_type': {'name': 'bool'}}]}} | {'b': true, 'a': 258} | 020101 | {'a':258,'b':true}",
        "{'name': 'structured', 'configuration': {'fields': [['a', 'int16'], ['b', 'bool']]}} | 'AgEB' | 020101 | {'a':258,'b':true}",
        "{'name': 'structured', 'configuration': {'fields': [['a', 'int16'], ['b', 'bool']]}} | {'a': 258, 'b': true} | 020101 | {'a':258,'b':true}",
      })
  void is_read_and_written_again(String type, String json, String bytes, String written) {
    DataType dataType = type(type);
    FillValue value = dataType.parseFillValue(Json.value(json));
    assertThat(HexFormat.of().formatHex(value.image())).isEqualTo(bytes);
    assertThat(value.toJson()).isEqualTo(Json.value(written).value());
    assertThat(dataType.parseFillValue(LocatedJson.of(value.toJson()))).isEqualTo(value);
  }

  private static DataType type(String json) {
    return DataTypes.parse(Json.extension(json.startsWith("{") ? json : "'" + json + "'"));
  }

  @ParameterizedTest(name = "{0} {1}")
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '~',
      value = {
        "int2 | 2 | | an integer from -2 to 1, found 2",
        "uint2 | -1 | | an integer from 0 to 3, found -1",
        "int4 | -9 | | an integer from -8 to 7, found -9",
        "uint4 | 16 | | an integer from 0 to 15, found 16",
        "uint4 | 1.0 | | found 1.0",
        "bfloat16 | 3.4e38 | | 3.4e38 is beyond the range of bfloat16; infinity is 'Infinity'",
        "bfloat16 | 'inf' | | 'Infinity', '-Infinity', or '0x' and 1 to 4 hexadecimal digits, found 'inf'",
        "float8_e4m3 | 248 | | 248 is beyond the range of float8_e4m3; infinity is 'Infinity'",
        "float8_e5m2 | '0x100' | | '0x' and 1 to 2 hexadecimal digits, found '0x100'",
        "float8_e4m3fnuz | 'Infinity' | | a fill value of float8_e4m3fnuz: a number, 'NaN', or '0x' and",
        "float8_e5m2fnuz | '-Infinity' | | found '-Infinity'",
        "float8_e4m3b11fnuz | 31 | | 31 is beyond the range of float8_e4m3b11fnuz",
        "float8_e8m0fnu | 'Infinity' | | found 'Infinity'",
        "float8_e4m3fn | 'Infinity' | | a fill value of float8_e4m3fn: a number, 'NaN', or '0x' and",
        "float8_e4m3fn | 480 | | 480 is beyond the range of float8_e4m3fn",
        "float8_e8m0fnu | -1 | | -1 is beyond the range of float8_e8m0fnu",
        "float6_e2m3fn | 'NaN' | | a fill value of float6_e2m3fn: a number, or '0x' and 1 to 2",
        "float6_e3m2fn | '-Infinity' | | found '-Infinity'",
        "float6_e3m2fn | '0x40' | | 0x40 has more than the 6 bits of float6_e3m2fn",
        "float4_e2m1fn | 'NaN' | | found 'NaN'",
        "float4_e2m1fn | 7 | | 7 is beyond the range of float4_e2m1fn",
        "float4_e2m1fn | '0xf7' | | 0xf7 has more than the 4 bits of float4_e2m1fn",
        "complex_float4_e2m1fn | [1, 'NaN'] | /1 | a fill value of float4_e2m1fn",
        "complex_bfloat16 | 1 | | a fill value of complex_bfloat16: an array of two numbers, found 1",
        "complex_float32 | [1, 2, 3] | | an array of two numbers",
        "{'name': 'numpy.datetime64', 'configuration': {'unit': 's', 'scale_factor': 1}} | 'nat' | | a fill value of numpy.datetime64[s]: 'NaT', or an integer from -2^63 to 2^63-1, found 'nat'",
        "{'name': 'numpy.datetime64', 'configuration': {'unit': 's', 'scale_factor': 1}} | '2000-01-01' | | found '2000-01-01'",
        "{'name': 'numpy.timedelta64', 'configuration': {'unit': 's', 'scale_factor': 1}} | 9223372036854775808 | | found 9223372036854775808",
        "{'name': 'numpy.timedelta64', 'configuration': {'unit': 's', 'scale_factor': 1}} | 1.5 | | found 1.5",
        "{'name': 'numpy.timedelta64', 'configuration': {'unit': 's', 'scale_factor': 1}} | null | | found null",
        "{'name': 'fixed_length_utf32', 'configuration': {'length_bytes': 8}} | 'abc' | | a fill value of fixed_length_utf32[8]: a string of at most 2 code points, found 'abc'",
        "{'name': 'fixed_length_utf32', 'configuration': {'length_bytes': 8}} | 7 | | found 7",
        "{'name': 'fixed_length_utf32', 'configuration': {'length_bytes': 8}} | '\\ud83d' | | a string of at most 2 code points",
        "{'name': 'null_terminated_bytes', 'configuration': {'length_bytes': 2}} | 'YWJj' | | a fill value of null_terminated_bytes[2]: base64 of at most 2 bytes, found 'YWJj'",
        "{'name': 'null_terminated_bytes', 'configuration': {'length_bytes': 2}} | '!' | | found '!'",
        "{'name': 'null_terminated_bytes', 'configuration': {'length_bytes': 2}} | [1, 2] | | found array [1,2]",
        "{'name': 'raw_bytes', 'configuration': {'length_bytes': 3}} | 'AQI=' | | a fill value of raw_bytes[3]: base64 of 3 bytes, found 'AQI='",
        "{'name': 'raw_bytes', 'configuration': {'length_bytes': 3}} | [1, 2, 3] | | found array [1,2,3]",
        "{'name': 'struct', 'configuration': {'fields': [{'name': 'a', 'data_type': 'int8'}]}} | {} | | the member 'a' is missing",
        "{'name': 'struct', 'configuration': {'fields': [{'name': 'a', 'data_type': 'int8'}]}} | {'a': 1, 'b': 2} | /b | unknown member 'b'; known are a",
        "{'name': 'struct', 'configuration': {'fields': [{'name': 'a', 'data_type': 'int8'}]}} | {'a': 128} | /a | an integer from -128 to 127, found 128",
        "{'name': 'struct', 'configuration': {'fields': [{'name': 'a', 'data_type': 'int8'}]}} | 'AQ==' | | a fill value of struct{a: int8}: an object with the fill value of every field, found 'AQ=='",
        "{'name': 'struct', 'configuration': {'fields': [{'name': 'a', 'data_type': 'int8'}]}} | 0 | | found 0",
        "{'name': 'structured', 'configuration': {'fields': [['a', 'int8']]}} | 'AQI=' | | an object with the fill value of every field, or base64 of 1 bytes, found 'AQI='",
        "{'name': 'struct', 'configuration': {'fields': [{'name': 'n', 'data_type': {'name': 'struct', 'configuration': {'fields': [{'name': 'p', 'data_type': 'bool'}]}}}]}} | {'n': {'p': 1}} | /n/p | true or false, found 1",
      })
  void is_refused_where_it_stands(String type, String json, String pointer, String message) {
    DataType dataType = type(type);
    LocatedJson fillValue = Json.value("{'fill_value': " + json + "}").member("fill_value");
    assertThatThrownBy(() -> dataType.parseFillValue(fillValue))
        .isInstanceOfSatisfying(
            MetadataException.class,
            e -> {
              String place = "/fill_value" + (pointer == null ? "" : pointer);
              assertThat(e.location().jsonPointer()).isEqualTo(place);
              assertThat(e.statement()).contains(message.replace('\'', '"'));
            });
  }

  @Test
  void a_short_document_asks_for_little_memory() {
    for (String name : new String[] {"fixed_length_utf32", "null_terminated_bytes"}) {
      assertThatThrownBy(
              () -> type("{'name': '" + name + "', 'configuration': {'length_bytes': 2147483644}}"))
          .isInstanceOf(MetadataException.class)
          .hasMessageContaining("an integer from 1 to 16777216");
    }
    DataType raw = type("{'name': 'raw_bytes', 'configuration': {'length_bytes': 2147483644}}");
    for (int i = 0; i < 20; i++) { // together more than the heap of a test has
      assertThatThrownBy(() -> raw.parseFillValue(Json.value("''")))
          .isInstanceOf(MetadataException.class)
          .hasMessageContaining("base64 of 2147483644 bytes");
    }
  }
}
