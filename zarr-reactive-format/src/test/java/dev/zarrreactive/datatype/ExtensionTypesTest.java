package dev.zarrreactive.datatype;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.zarrreactive.error.MetadataException;
import dev.zarrreactive.error.UnknownExtensionException;
import dev.zarrreactive.extension.NamedConfiguration;
import dev.zarrreactive.json.LocatedJson;
import dev.zarrreactive.testing.Json;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The registered data types in metadata: read, written again, or refused where they stand. */
class ExtensionTypesTest {

  private static DataType parse(String json) {
    LocatedJson member = Json.value("{'data_type': " + json + "}").member("data_type");
    return DataTypes.parse(NamedConfiguration.parse(member));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "'complex64'",
        "'complex_float32'",
        "'complex_float64'",
        "'float8_e4m3b11fnuz'",
        "{'name':'numpy.datetime64','configuration':{'unit':'us','scale_factor':10}}",
        "{'name':'numpy.timedelta64','configuration':{'unit':'generic','scale_factor':2147483647}}",
        "{'name':'fixed_length_utf32','configuration':{'length_bytes':4}}",
        "{'name':'null_terminated_bytes','configuration':{'length_bytes':1}}",
        "{'name':'raw_bytes','configuration':{'length_bytes':5}}",
        "{'name':'struct','configuration':{'fields':[{'name':'a','data_type':'int8'}]}}",
        "{'name':'structured','configuration':{'fields':[['a','int8'],['b',{'name':'raw_bytes','configuration':{'length_bytes':2}}]]}}",
        "{'name':'struct','configuration':{'fields':[{'name':'naïve','data_type':{'name':'struct','configuration':{'fields':[{'name':'a','data_type':'complex_float32'}]}}},{'name':'a','data_type':'r16'}]}}",
      })
  void is_written_as_it_was_read(String json) {
    DataType type = parse(json);
    assertThat(type.toMetadata()).isEqualTo(Json.value(json).value());
    assertThat(DataTypes.parse(NamedConfiguration.parse(LocatedJson.of(type.toMetadata()))))
        .isEqualTo(type)
        .hasSameHashCodeAs(type);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '~',
      value = {
        "{'name': 'numpy.datetime64', 'configuration': {'unit': 'ns', 'scale_factor': 1}} | numpy.datetime64[ns]",
        "{'name': 'numpy.timedelta64', 'configuration': {'unit': '\\u03bcs', 'scale_factor': 10}} | numpy.timedelta64[10us]",
        "{'name': 'fixed_length_utf32', 'configuration': {'length_bytes': 12}} | fixed_length_utf32[12]",
        "{'name': 'struct', 'configuration': {'fields': [{'name': 'a', 'data_type': 'int8'}, {'name': 'n', 'data_type': {'name': 'raw_bytes', 'configuration': {'length_bytes': 2}}}]}} | struct{a: int8, n: raw_bytes[2]}",
      })
  void has_a_short_text(String json, String text) {
    assertThat(parse(json)).hasToString(text);
  }

  @Test
  void a_second_name_makes_no_other_type() {
    assertThat(parse("'complex_float32'"))
        .isEqualTo(DataTypes.COMPLEX64)
        .isNotEqualTo(DataTypes.COMPLEX128);
    assertThat(parse("'complex_float32'").name()).isEqualTo("complex_float32");
    DataType struct =
        parse("{'name':'struct','configuration':{'fields':[{'name':'a','data_type':'int8'}]}}");
    StructType structured =
        (StructType) parse("{'name':'structured','configuration':{'fields':[['a','int8']]}}");
    assertThat(structured).isEqualTo(struct).hasSameHashCodeAs(struct);
    assertThat(structured.isLegacy()).isTrue();
    assertThat(structured.toStruct().toMetadata()).isEqualTo(struct.toMetadata());
  }

  @ParameterizedTest(name = "{0}")
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '~',
      value = {
        "{'name': 'int4', 'configuration': {'bits': 4}} | /configuration/bits | unknown member 'bits'; no member is known here",
        "'numpy.datetime64' | /configuration | the member 'unit' is missing",
        "{'name': 'numpy.datetime64', 'configuration': {'unit': 's'}} | /configuration | the member 'scale_factor' is missing",
        "{'name': 'numpy.datetime64', 'configuration': {'scale_factor': 1}} | /configuration | the member 'unit' is missing",
        "{'name': 'numpy.datetime64', 'configuration': {'unit': 'sec', 'scale_factor': 1}} | /configuration/unit | expected one of 'Y', 'M', 'W', 'D', 'h', 'm', 's', 'ms', 'us', 'ns', 'ps', 'fs', 'as', 'generic', found 'sec'",
        "{'name': 'numpy.timedelta64', 'configuration': {'unit': '\\u00b5s', 'scale_factor': 1}} | /configuration/unit | expected one of",
        "{'name': 'numpy.timedelta64', 'configuration': {'unit': 1, 'scale_factor': 1}} | /configuration/unit | found 1",
        "{'name': 'numpy.timedelta64', 'configuration': {'unit': 's', 'scale_factor': 0}} | /configuration/scale_factor | an integer from 1 to 2147483647, found 0",
        "{'name': 'numpy.timedelta64', 'configuration': {'unit': 's', 'scale_factor': 2147483648}} | /configuration/scale_factor | found 2147483648",
        "{'name': 'numpy.timedelta64', 'configuration': {'unit': 's', 'scale_factor': 1.0}} | /configuration/scale_factor | expected an integer, found 1.0",
        "{'name': 'numpy.timedelta64', 'configuration': {'unit': 's', 'scale_factor': 1, 'tz': 0}} | /configuration/tz | unknown member 'tz'; known are scale_factor, unit",
        "'fixed_length_utf32' | /configuration | the member 'length_bytes' is missing",
        "{'name': 'fixed_length_utf32', 'configuration': {'length_bytes': 0}} | /configuration/length_bytes | found 0",
        "{'name': 'fixed_length_utf32', 'configuration': {'length_bytes': 6}} | /configuration/length_bytes | a multiple of 4, the size of a code point in bytes, found 6",
        "{'name': 'fixed_length_utf32', 'configuration': {'length': 4}} | /configuration/length | unknown member 'length'",
        "{'name': 'null_terminated_bytes', 'configuration': {'length_bytes': 0}} | /configuration/length_bytes | found 0",
        "{'name': 'null_terminated_bytes', 'configuration': {'length_bytes': '4'}} | /configuration/length_bytes | expected an integer",
        "{'name': 'raw_bytes', 'configuration': {'length_bytes': -1}} | /configuration/length_bytes | found -1",
        "{'name': 'raw_bytes', 'configuration': {'length_bytes': 2147483648}} | /configuration/length_bytes | found 2147483648",
        "'struct' | /configuration | the member 'fields' is missing",
        "{'name': 'struct', 'configuration': {'fields': []}} | /configuration/fields | a struct has at least one field",
        "{'name': 'struct', 'configuration': {'fields': {'a': 'int8'}}} | /configuration/fields | expected an array",
        "{'name': 'struct', 'configuration': {'fields': [['a', 'int8']]}} | /configuration/fields/0 | expected an object, found array ['a','int8']",
        "{'name': 'struct', 'configuration': {'fields': [{'name': '', 'data_type': 'int8'}]}} | /configuration/fields/0/name | expected the name of a field",
        "{'name': 'struct', 'configuration': {'fields': [{'name': 7, 'data_type': 'int8'}]}} | /configuration/fields/0/name | expected a string",
        "{'name': 'struct', 'configuration': {'fields': [{'name': 'a'}]}} | /configuration/fields/0 | the member 'data_type' is missing",
        "{'name': 'struct', 'configuration': {'fields': [{'name': 'a', 'data_type': 'int8', 'offset': 1}]}} | /configuration/fields/0/offset | unknown member 'offset'",
        "{'name': 'struct', 'configuration': {'fields': [{'name': 'a', 'data_type': 'int8'}, {'name': 'a', 'data_type': 'int8'}]}} | /configuration/fields/1 | duplicate field name 'a'",
        "{'name': 'struct', 'configuration': {'fields': [{'name': 'a', 'data_type': {'name': 'int8', 'must_understand': false}}]}} | /configuration/fields/0/data_type | a data type must be understood",
        "{'name': 'struct', 'configuration': {'fields': [{'name': 'a', 'data_type': 'r12'}]}} | /configuration/fields/0/data_type | a positive multiple of 8",
        "{'name': 'struct', 'configuration': {'fields': [{'name': 'a', 'data_type': 'r800000000'}]}} | /configuration/fields | the fields of a struct have at most 16777216 bytes together",
        "{'name': 'struct', 'configuration': {'fields': [{'name': 'a', 'data_type': 'int8'}], 'align': true}} | /configuration/align | unknown member 'align'",
        "{'name': 'structured', 'configuration': {'fields': [['a']]}} | /configuration/fields/0 | expected an object",
        "{'name': 'structured', 'configuration': {'fields': [['a', 'int8', 2]]}} | /configuration/fields/0 | expected an object",
        "{'name': 'structured', 'configuration': {'fields': [['', 'int8']]}} | /configuration/fields/0/0 | expected the name of a field",
        "{'name': 'structured', 'configuration': {'fields': [['a', 1]]}} | /configuration/fields/0/1 | expected a name",
      })
  void is_refused_where_it_stands(String json, String pointer, String message) {
    assertThatThrownBy(() -> parse(json))
        .isInstanceOfSatisfying(
            MetadataException.class,
            e -> {
              assertThat(e.location().jsonPointer()).isEqualTo("/data_type" + pointer);
              assertThat(e.statement()).contains(message.replace('\'', '"'));
            });
  }

  @Test
  void an_unknown_type_of_a_field_is_named() {
    assertThatThrownBy(
            () ->
                parse(
                    "{'name':'struct','configuration':{'fields':[{'name':'a','data_type':'i4'}]}}"))
        .isInstanceOfSatisfying(
            UnknownExtensionException.class,
            e -> {
              assertThat(e.name()).isEqualTo("i4");
              assertThat(e.available()).contains("numpy.datetime64", "struct", "int4", "r<N>");
              assertThat(e.location().jsonPointer())
                  .isEqualTo("/data_type/configuration/fields/0/data_type");
            });
  }
}
