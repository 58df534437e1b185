package dev.zarrreactive.datatype;

import static org.assertj.core.api.Assertions.assertThat;

import dev.zarrreactive.error.Location;
import dev.zarrreactive.extension.NamedConfiguration;
import dev.zarrreactive.json.JsonDocument;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Every form of a fill value that the specification allows, with the bits that it means and the
 * form in which it is written again.
 */
class FillValueFormsTest {

  /**
   * Bits with the most significant digit first; for complex and raw types bytes in memory order.
   */
  @ParameterizedTest(name = "{0} {1} is {2}")
  @CsvSource(
      delimiter = '|',
      value = {
        "bool | true | 01 | true",
        "bool | false | 00 | false",
        "int8 | -128 | 80 | -128",
        "int8 | 127 | 7f | 127",
        "int8 | -0 | 00 | 0",
        "uint8 | 255 | ff | 255",
        "int16 | -2 | fffe | -2",
        "uint16 | 65535 | ffff | 65535",
        "int32 | -2147483648 | 80000000 | -2147483648",
        "uint32 | 4294967295 | ffffffff | 4294967295",
        "int64 | -9223372036854775808 | 8000000000000000 | -9223372036854775808",
        "int64 | 9007199254740993 | 0020000000000001 | 9007199254740993",
        "uint64 | 9223372036854775808 | 8000000000000000 | 9223372036854775808",
        "uint64 | 18446744073709551615 | ffffffffffffffff | 18446744073709551615",
        "float16 | 0.1 | 2e66 | 0.1",
        "float16 | 65504 | 7bff | 65504.0",
        "float16 | 65519.999 | 7bff | 65504.0",
        "float16 | \"NaN\" | 7e00 | \"NaN\"",
        "float16 | \"0x7e01\" | 7e01 | \"0x7e01\"",
        "float16 | \"-Infinity\" | fc00 | \"-Infinity\"",
        "float16 | 5.960464477539063e-8 | 0001 | 6E-8",
        "float32 | 1 | 3f800000 | 1.0",
        "float32 | 1e2 | 42c80000 | 100.0",
        "float32 | 0.1 | 3dcccccd | 0.1",
        "float32 | -0.0 | 80000000 | -0.0",
        "float32 | -0 | 80000000 | -0.0",
        // through a double, which is exactly in the middle of two floats, this would be 4b000000
        "float32 | 8388608.50000000000000000001 | 4b000001 | 8388609.0",
        "float32 | 3.4028235e38 | 7f7fffff | 3.4028235E38",
        "float32 | 1e-60 | 00000000 | 0.0",
        "float32 | \"NaN\" | 7fc00000 | \"NaN\"",
        "float32 | \"Infinity\" | 7f800000 | \"Infinity\"",
        "float32 | \"-Infinity\" | ff800000 | \"-Infinity\"",
        "float32 | \"0x3f800000\" | 3f800000 | 1.0",
        "float32 | \"0x7FC00000\" | 7fc00000 | \"NaN\"",
        "float32 | \"0x7f800001\" | 7f800001 | \"0x7f800001\"",
        "float32 | \"0xffc00000\" | ffc00000 | \"0xffc00000\"",
        "float32 | \"0x1\" | 00000001 | 1.4E-45",
        "float64 | 0.1 | 3fb999999999999a | 0.1",
        "float64 | 123456789012345678 | 437b69b4ba630f35 | 1.2345678901234568E17",
        "float64 | \"NaN\" | 7ff8000000000000 | \"NaN\"",
        "float64 | \"0x7ff0000000000001\" | 7ff0000000000001 | \"0x7ff0000000000001\"",
        "float64 | \"0xfff8000000000000\" | fff8000000000000 | \"0xfff8000000000000\"",
        "complex64 | [1, \"-Infinity\"] | 0000803f000080ff | [1.0,\"-Infinity\"]",
        "complex64 | [\"0x7f800001\", -0.0] | 0100807f00000080 | [\"0x7f800001\",-0.0]",
        "complex128 | [\"NaN\", 1.5] | 000000000000f87f000000000000f83f | [\"NaN\",1.5]",
        "r8 | [255] | ff | [255]",
        "r24 | [1, 2, 3] | 010203 | [1,2,3]",
        "r32 | \"AQIDBA==\" | 01020304 | [1,2,3,4]",
      })
  void is_read_and_written_again(String type, String json, String bits, String written) {
    DataType dataType = DataTypes.parse(NamedConfiguration.of(type));
    FillValue value =
        dataType.parseFillValue(
            JsonDocument.parse(
                ByteBuffer.wrap(json.getBytes(StandardCharsets.UTF_8)), Location.UNKNOWN));
    assertThat(HexFormat.of().formatHex(value.image())).isEqualTo(inMemory(dataType, bits));
    assertThat(value.toJson().toString()).isEqualTo(written);
    assertThat(value.dataType()).isEqualTo(dataType);
  }

  private static String inMemory(DataType type, String bits) {
    if (type instanceof ComplexType || type instanceof RawType) {
      return bits;
    }
    StringBuilder bytes = new StringBuilder();
    for (int i = bits.length() - 2; i >= 0; i -= 2) {
      bytes.append(bits, i, i + 2);
    }
    return bytes.toString();
  }
}
