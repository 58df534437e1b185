package dev.zarrreactive.datatype;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.zarrreactive.error.Location;
import dev.zarrreactive.error.MetadataException;
import dev.zarrreactive.extension.NamedConfiguration;
import dev.zarrreactive.json.JsonDocument;
import dev.zarrreactive.json.LocatedJson;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What is no fill value is refused where it stands, with what was expected and what was found. */
class FillValueRefusalsTest {

  @ParameterizedTest(name = "{0} {1}")
  @CsvSource(
      delimiter = '|',
      value = {
        "bool | null | /fill_value | a fill value of bool: true or false, found null",
        "bool | 0 | /fill_value | true or false, found 0",
        "bool | 1 | /fill_value | true or false, found 1",
        "bool | \"true\" | /fill_value | true or false, found \"true\"",
        "int8 | null | /fill_value | an integer from -128 to 127, found null",
        "int8 | 128 | /fill_value | an integer from -128 to 127, found 128",
        "int8 | -129 | /fill_value | found -129",
        "uint8 | 256 | /fill_value | a fill value of uint8: an integer from 0 to 255, found 256",
        "uint8 | -1 | /fill_value | found -1",
        "int32 | 1.5 | /fill_value | an integer from -2147483648 to 2147483647, found 1.5",
        "int32 | 5.0 | /fill_value | found 5.0",
        "int32 | 1e3 | /fill_value | found 1e3",
        "int32 | \"7\" | /fill_value | found \"7\"",
        "int32 | true | /fill_value | found true",
        "int32 | [7] | /fill_value | found array [7]",
        "int64 | 9223372036854775808 | /fill_value | to 9223372036854775807, found 9223372036854775808",
        "uint64 | 18446744073709551616 | /fill_value | from 0 to 18446744073709551615, found 18446744073709551616",
        "uint64 | -1 | /fill_value | found -1",
        "float32 | null | /fill_value | found null",
        "float32 | \"nan\" | /fill_value | a number, \"NaN\", \"Infinity\", \"-Infinity\", or \"0x\" and 1 to 8 hexadecimal digits, found \"nan\"",
        "float32 | \"inf\" | /fill_value | found \"inf\"",
        "float32 | \"+Infinity\" | /fill_value | found \"+Infinity\"",
        "float32 | \"1.5\" | /fill_value | found \"1.5\"",
        "float32 | true | /fill_value | found true",
        "float32 | [] | /fill_value | found array []",
        "float32 | \"0x\" | /fill_value | found \"0x\"",
        "float32 | \"7fc00000\" | /fill_value | found \"7fc00000\"",
        "float32 | \"0X7fc00000\" | /fill_value | found \"0X7fc00000\"",
        "float32 | \"0x7fc000000\" | /fill_value | found \"0x7fc000000\"",
        "float32 | \"0x7fc0000g\" | /fill_value | found \"0x7fc0000g\"",
        "float32 | \"0x-1\" | /fill_value | found \"0x-1\"",
        "float32 | \"0x٣\" | /fill_value | found \"0x٣\"",
        "float16 | \"0x07e00\" | /fill_value | \"0x\" and 1 to 4 hexadecimal digits, found \"0x07e00\"",
        "float16 | 65520 | /fill_value | 65520 is beyond the range of float16; infinity is \"Infinity\"",
        "float32 | -1e39 | /fill_value | -1e39 is beyond the range of float32",
        "float64 | 1e400 | /fill_value | 1e400 is beyond the range of float64",
        "complex64 | 1 | /fill_value | a fill value of complex64: an array of two numbers, found 1",
        "complex64 | [1] | /fill_value | an array of two numbers, found array [1]",
        "complex64 | [1,2,3] | /fill_value | an array of two numbers, found array [1,2,3]",
        "complex128 | [1,\"nan\"] | /fill_value/1 | a fill value of float64: a number",
        "complex64 | [null,1] | /fill_value/0 | found null",
        "r16 | [1] | /fill_value | a fill value of r16: an array of 2 integers from 0 to 255, found array [1]",
        "r16 | [1,2,3] | /fill_value | found array [1,2,3]",
        "r16 | [1,256] | /fill_value/1 | an integer from 0 to 255, found 256",
        "r16 | [-1,0] | /fill_value/0 | an integer from 0 to 255, found -1",
        "r16 | [1,\"2\"] | /fill_value/1 | found \"2\"",
        "r16 | \"AQ==\" | /fill_value | found \"AQ==\"",
        "r16 | \"no base64!\" | /fill_value | found \"no base64!\"",
        "r16 | 258 | /fill_value | found 258",
      })
  void is_located_and_explained(String type, String json, String pointer, String message) {
    DataType dataType = DataTypes.parse(NamedConfiguration.of(type));
    LocatedJson fillValue = parse("{\"fill_value\":" + json + "}").member("fill_value");
    assertThatThrownBy(() -> dataType.parseFillValue(fillValue))
        .isInstanceOfSatisfying(
            MetadataException.class,
            e -> {
              assertThat(e.location().jsonPointer()).isEqualTo(pointer);
              assertThat(e.statement()).contains(message);
            });
  }

  @Test
  void a_raw_type_of_two_gibibytes_allocates_nothing_for_a_short_fill_value() {
    DataType huge = DataTypes.raw(Integer.MAX_VALUE - 7);
    for (int i = 0; i < 20; i++) { // together more than the heap of a test has
      assertThatThrownBy(() -> huge.parseFillValue(parse("[1]")))
          .isInstanceOf(MetadataException.class)
          .hasMessageContaining("an array of 268435455 integers");
    }
  }

  private static LocatedJson parse(String json) {
    return JsonDocument.parse(
        ByteBuffer.wrap(json.getBytes(StandardCharsets.UTF_8)), Location.UNKNOWN);
  }
}
