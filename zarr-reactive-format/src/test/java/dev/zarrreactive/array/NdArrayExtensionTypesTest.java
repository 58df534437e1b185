package dev.zarrreactive.array;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.zarrreactive.base.Bytes;
import dev.zarrreactive.datatype.DataType;
import dev.zarrreactive.datatype.DataTypes;
import dev.zarrreactive.datatype.FloatFormat;
import dev.zarrreactive.datatype.FloatType;
import dev.zarrreactive.datatype.NumpyUnit;
import dev.zarrreactive.datatype.SmallFloats;
import dev.zarrreactive.datatype.TimeType;
import dev.zarrreactive.testing.Json;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.Test;

/** Elements of the registered data types: their values, what they refuse, and in print. */
class NdArrayExtensionTypesTest {

  @Test
  void small_floats_are_exact_whatever_their_upper_bits() {
    SmallFloats.values()
        .forEach(
            (format, values) -> {
              byte[] images = new byte[256];
              for (int i = 0; i < images.length; i++) {
                images[i] = (byte) i;
              }
              NdArray array =
                  NdArray.wrap(new FloatType(format), Shape.of(256), Bytes.wrap(images));
              for (int i = 0; i < images.length; i++) {
                Double expected = values[i % values.length];
                assertThat(array.getDouble(i)).as("%s 0x%02x", format, i).isEqualTo(expected);
                assertThat((double) array.getFloat(i)).isEqualTo(expected);
              }
              assertThat(array.toDoubleArray()[1]).isEqualTo(values[1]);
            });
  }

  @Test
  void small_integers_ignore_their_upper_bits() {
    Bytes images = Bytes.wrap(new byte[] {0x07, 0x08, (byte) 0xf7, (byte) 0xff, 0x1e});
    NdArray signed = NdArray.wrap(DataTypes.INT4, Shape.of(5), images);
    assertThat(signed.toByteArray()).containsExactly(7, -8, 7, -1, -2);
    assertThat(signed.getLong(1)).isEqualTo(-8);
    NdArray unsigned = NdArray.wrap(DataTypes.UINT4, Shape.of(5), images);
    assertThat(unsigned.toIntArray()).containsExactly(7, 8, 7, 15, 14);
    assertThat(unsigned.getByte(1)).isEqualTo((byte) 8);
    assertThat(unsigned.toByteArray()).containsExactly(7, 8, 7, 15, 14);
    assertThat(NdArray.wrap(DataTypes.INT2, Shape.of(5), images).toLongArray())
        .containsExactly(-1, 0, -1, -1, -2);
    assertThat(signed).hasToString("int4 [5]\n[ 7 -8  7 -1 -2]");
  }

  @Test
  void small_numbers_are_made_from_larger_ones() {
    NdArray ints = NdArray.ofBytes(DataTypes.INT2, Shape.of(2), (byte) -2, (byte) 1);
    assertThat(ints.toByteArray()).containsExactly(-2, 1);
    assertThatThrownBy(() -> NdArray.ofBytes(DataTypes.UINT2, Shape.of(1), (byte) 4))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("uint2 has values from 0 to 3, not 4");
    NdArray bfloats = NdArray.ofFloats(DataTypes.BFLOAT16, Shape.of(3), 0.1f, -3e38f, Float.NaN);
    assertThat(bfloats.asShortBuffer().get(0)).isEqualTo((short) 0x3dcd);
    assertThat(bfloats.getFloat(1)).isEqualTo(Float.intBitsToFloat(0xff62 << 16));
    assertThat(bfloats).hasToString("bfloat16 [3]\n[    0.1 -3.e+38     nan]");
    NdArray eighths = NdArray.ofFloats(DataTypes.FLOAT8_E5M2, Shape.of(2), 1e9f, -1.1f);
    assertThat(eighths.toFloatArray()).containsExactly(Float.POSITIVE_INFINITY, -1);
    assertThatThrownBy(() -> NdArray.ofFloats(DataTypes.FLOAT4_E2M1FN, Shape.of(1), 1e9f))
        .isInstanceOf(ArithmeticException.class)
        .hasMessage("1.0E9 is beyond the range of float4_e2m1fn");
  }

  @Test
  void complex_numbers_of_small_floats_are_read_like_any_other() {
    DataType type = DataTypes.complex(FloatFormat.FLOAT8_E4M3);
    NdArray array = NdArray.wrap(type, Shape.of(2), Bytes.wrap(new byte[] {0x38, -72, 0x30, 0}));
    assertThat(array.getReal(0)).isEqualTo(1);
    assertThat(array.getImag(0)).isEqualTo(-1);
    assertThat(array.toComplexFloatArray()).containsExactly(1, -1, 0.5f, 0);
    assertThat(array).hasToString("complex_float8_e4m3 [2]\n[ 1.-1.j 0.5+0.j]");
  }

  @Test
  void a_second_name_of_complex_numbers_changes_nothing() {
    DataType alias = DataTypes.parse(Json.extension("'complex_float32'"));
    NdArray array =
        NdArray.wrap(alias, Shape.of(1), NdArray.ofComplex(Shape.of(1), 1f, 2f).bytes());
    assertThat(array).isEqualTo(NdArray.ofComplex(Shape.of(1), 1f, 2f));
    assertThat(array.asFloatBuffer().get(1)).isEqualTo(2);
    assertThat(array).hasToString("complex_float32 [1]\n[1.+2.j]");
  }

  @Test
  void times_are_counts_and_java_time() {
    NdArray points =
        NdArray.ofLongs(
            DataTypes.datetime64(NumpyUnit.MILLISECOND, 10), Shape.of(3), -1, 100, TimeType.NAT);
    assertThat(points.getInstant(0)).isEqualTo(Instant.parse("1969-12-31T23:59:59.990Z"));
    assertThat(points.getLong(1)).isEqualTo(100);
    assertThat(points.toLongArray()).containsExactly(-1, 100, TimeType.NAT);
    assertThat(points.toJson(2)).hasToString("-9223372036854775808");
    assertThatThrownBy(() -> points.getInstant(2)).isInstanceOf(DateTimeException.class);
    assertThatThrownBy(() -> points.getDuration(0))
        .isInstanceOf(UnsupportedOperationException.class)
        .hasMessage(
            "numpy.datetime64[10ms] cannot be read as a Duration without loss; use getInstant, or"
                + " getLong for the count");
    assertThat(points)
        .hasToString(
            """
            numpy.datetime64[10ms] [3]
            [1969-12-31T23:59:59.990 1970-01-01T00:00:01.000                     NaT]""");

    NdArray lengths =
        NdArray.ofLongs(
            DataTypes.timedelta64(NumpyUnit.HOUR, 6), Shape.of(3), -1, 100, TimeType.NAT);
    assertThat(lengths.getDuration(1)).isEqualTo(Duration.ofHours(600));
    assertThatThrownBy(() -> lengths.getInstant(0))
        .isInstanceOf(UnsupportedOperationException.class)
        .hasMessageEndingWith("use getDuration, or getLong for the count");
    assertThat(lengths).hasToString("numpy.timedelta64[6h] [3]\n[ -1 100 NaT]");
  }

  @Test
  void texts_end_before_their_padding() {
    DataType type = DataTypes.fixedLengthUtf32(3);
    NdArray array =
        NdArray.ofStrings(type, Shape.of(4), "", "na\u00ef", "\ud83d\ude00", "\u0000'\n");
    assertThat(array.toStringArray()).containsExactly("", "na\u00ef", "\ud83d\ude00", "\u0000'\n");
    assertThat(array.getString(2)).isEqualTo("\ud83d\ude00");
    assertThat(array.getRaw(0)).isEqualTo(Bytes.wrap(new byte[12]));
    assertThat(array)
        .hasToString("fixed_length_utf32[12] [4]\n['' 'na\u00ef' '\ud83d\ude00' '\\x00\\'\\n']");
    assertThatThrownBy(() -> array.getRaw(4)).isInstanceOf(IndexOutOfBoundsException.class);
    assertThatThrownBy(() -> array.toByteArray())
        .isInstanceOf(UnsupportedOperationException.class)
        .hasMessageEndingWith("use getString or toStringArray");
  }

  @Test
  void a_text_that_is_too_long_is_not_cut() {
    DataType type = DataTypes.fixedLengthUtf32(2);
    assertThatThrownBy(() -> NdArray.ofStrings(type, Shape.of(2), "ab", "abc"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("value 1 is no text of up to 2 code points");
    assertThatThrownBy(() -> NdArray.ofStrings(type, Shape.of(1), "\ud83d"))
        .hasMessage("value 0 is no text of up to 2 code points");
    assertThatThrownBy(() -> NdArray.ofStrings(DataTypes.INT8, Shape.of(1), "a"))
        .hasMessage("ofStrings supports string and fixed_length_utf32, not int8");
  }

  @Test
  void what_is_no_text_is_refused_with_its_position_and_kept() {
    ByteBuffer image = ByteBuffer.allocate(24).order(ByteOrder.LITTLE_ENDIAN);
    image.putInt('a').putInt(0xd800).putInt(0).putInt(0x110000).putInt(-1).putInt(0);
    NdArray array =
        NdArray.wrap(DataTypes.fixedLengthUtf32(3), Shape.of(2), Bytes.wrap(image.array()));
    assertThatThrownBy(() -> array.getString(0))
        .isInstanceOf(UnsupportedOperationException.class)
        .hasMessage(
            "0xd800 is no code point of a text, found at position 1 of an element of"
                + " fixed_length_utf32[12]; its bytes can be read with getRaw");
    assertThatThrownBy(() -> array.getString(1)).hasMessageStartingWith("0x110000 is no");
    assertThatThrownBy(() -> array.toJson(1)).isInstanceOf(UnsupportedOperationException.class);
    assertThat(array.getRaw(1).toByteArray()).startsWith(0, 0, 0x11, 0, -1);
    assertThat(array)
        .hasToString("fixed_length_utf32[12] [2]\n['a\\ud800' '\\U00110000\\Uffffffff']");
  }

  @Test
  void byte_strings_end_before_their_zeros() {
    DataType type =
        DataTypes.parse(
            Json.extension(
                "{'name': 'null_terminated_bytes', 'configuration': {'length_bytes': 3}}"));
    byte[] images = "a\0\0\0b\0\u00e9'\\".getBytes(StandardCharsets.ISO_8859_1);
    NdArray array = NdArray.wrap(type, Shape.of(3), Bytes.wrap(images));
    assertThat(array.getByteString(0)).isEqualTo(Bytes.wrap(new byte[] {'a'}));
    assertThat(array.getByteString(1)).isEqualTo(Bytes.wrap(new byte[] {0, 'b'}));
    assertThat(array.getRaw(0)).isEqualTo(Bytes.wrap(new byte[] {'a', 0, 0}));
    assertThat(array.toJson(1)).hasToString("\"AGI=\"");
    assertThat(array).hasToString("null_terminated_bytes[3] [3]\n[b'a' b'\\x00b' b'\\xe9\\'\\\\']");
    assertThatThrownBy(() -> array.getString(0))
        .isInstanceOf(UnsupportedOperationException.class)
        .hasMessageEndingWith("use getByteString, or getRaw for the padded bytes");
  }

  @Test
  void raw_bytes_are_raw_by_either_name() {
    DataType type =
        DataTypes.parse(
            Json.extension("{'name': 'raw_bytes', 'configuration': {'length_bytes': 2}}"));
    NdArray array = NdArray.wrap(type, Shape.of(2), Bytes.wrap(new byte[] {0, 1, 2, -1}));
    assertThat(array.getRaw(1)).isEqualTo(Bytes.wrap(new byte[] {2, -1}));
    assertThat(array.toJson(0)).hasToString("\"AAE=\"");
    assertThat(array).hasToString("raw_bytes[2] [2]\n[0001 02ff]");
  }

  @Test
  void long_texts_and_byte_strings_are_cut_in_print() {
    String long1 = "x".repeat(100);
    NdArray texts = NdArray.ofStrings(DataTypes.fixedLengthUtf32(100), Shape.SCALAR, long1);
    assertThat(texts).hasToString("fixed_length_utf32[400] []\n'" + "x".repeat(64) + "'...");
    DataType type =
        DataTypes.parse(
            Json.extension(
                "{'name': 'null_terminated_bytes', 'configuration': {'length_bytes': 100}}"));
    assertThat(NdArray.wrap(type, Shape.SCALAR, Bytes.utf8(long1)))
        .hasToString("null_terminated_bytes[100] []\nb'" + "x".repeat(64) + "'...");
  }
}
