package dev.zarrreactive.internal.codec.numcodecs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.zarrreactive.array.NdArray;
import dev.zarrreactive.array.Shape;
import dev.zarrreactive.base.Bytes;
import dev.zarrreactive.codec.ArrayToArrayCodec;
import dev.zarrreactive.codec.ChunkRepresentation;
import dev.zarrreactive.datatype.DataType;
import dev.zarrreactive.datatype.DataTypes;
import dev.zarrreactive.datatype.FillValue;
import dev.zarrreactive.datatype.NumpyUnit;
import dev.zarrreactive.error.CodecException;
import dev.zarrreactive.error.MetadataException;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

class ArrayToArrayTest {

  private static ArrayToArrayCodec codec(String id, String configuration) {
    return Use.of(ArrayToArrayCodec.class, id, configuration);
  }

  private static ChunkRepresentation chunk(DataType type, long... extents) {
    return new ChunkRepresentation(Shape.of(extents), type, FillValue.zero(type));
  }

  @Test
  void delta_wraps_around() {
    ArrayToArrayCodec codec = codec("delta", "{'dtype': '|u1'}");
    NdArray chunk = NdArray.ofBytes(DataTypes.UINT8, Shape.of(3), (byte) 5, (byte) 3, (byte) 9);
    NdArray encoded = codec.encode(chunk);
    assertThat(encoded.bytes()).isEqualTo(Use.hex("05fe06"));
    assertThat(codec.decode(encoded, chunk(DataTypes.UINT8, 3))).isEqualTo(chunk);
  }

  /** As numcodecs, which sees times as the integers that the configuration names. */
  @Test
  void delta_of_times_is_that_of_their_counts() {
    ArrayToArrayCodec codec = codec("delta", "{'dtype': '<i8', 'astype': '<i2'}");
    DataType seconds = DataTypes.datetime64(NumpyUnit.SECOND, 1);
    NdArray chunk = NdArray.ofLongs(seconds, Shape.of(3), 100, 160, 130);
    NdArray encoded = codec.encode(chunk);
    assertThat(encoded.bytes()).isEqualTo(Use.hex("6400 3c00 e2ff"));
    assertThat(codec.decode(encoded, chunk(seconds, 3))).isEqualTo(chunk);
    assertThat(codec.encodedRepresentation(chunk(DataTypes.UINT64, 3)).dataType())
        .isEqualTo(DataTypes.INT16);
  }

  static Stream<DataType> delta_of_other_bits_is_refused() {
    return Stream.of(DataTypes.INT32, DataTypes.FLOAT64, DataTypes.BOOL);
  }

  @ParameterizedTest
  @MethodSource
  void delta_of_other_bits_is_refused(DataType type) {
    ArrayToArrayCodec codec = codec("delta", "{'dtype': '<i8'}");
    ChunkRepresentation chunk = chunk(type, 3);
    assertThatExceptionOfType(MetadataException.class)
        .isThrownBy(() -> codec.encodedRepresentation(chunk))
        .withMessageContaining("it is configured for int64, but the chunk is " + type);
  }

  @Test
  void delta_of_floats_is_summed_up_in_their_type() {
    ArrayToArrayCodec codec = codec("delta", "{'dtype': '<f4', 'astype': '<f8'}");
    NdArray chunk = NdArray.ofFloats(DataTypes.FLOAT32, Shape.of(3), 1.5f, 4f, -1e10f);
    NdArray encoded = codec.encode(chunk);
    assertThat(encoded.toDoubleArray()).containsExactly(1.5, 2.5, -1e10f - 4f);
    assertThat(codec.decode(encoded, chunk(DataTypes.FLOAT32, 3))).isEqualTo(chunk);
  }

  @Test
  void fixedscaleoffset_rounds_ties_to_even_and_wraps_around() {
    ArrayToArrayCodec codec =
        codec("fixedscaleoffset", "{'offset': 1000, 'scale': 10, 'dtype': '<f8', 'astype': 'u1'}");
    NdArray chunk =
        NdArray.ofDoubles(
            Shape.of(9), 1000, 1000.2, 1000.4, 1000.6, 1000.8, 1001, 1000.25, 1025.6, Double.NaN);
    NdArray encoded = codec.encode(chunk);
    assertThat(encoded.bytes()).isEqualTo(Use.hex("00020406080a 02 00 00"));
    assertThat(codec.decode(encoded, chunk(DataTypes.FLOAT64, 9)).toDoubleArray())
        .startsWith(1000, 1000.2, 1000.4, 1000.6, 1000.8, 1001, 1000.2);
  }

  @ParameterizedTest
  @CsvSource({
    "2, 1.2345, 1.234375",
    "0, 2.5, 2",
    "-1, 13, 16",
    "1, 0.1, 0.125",
    "3, 1e300, 1e300",
    "300, 1e300, 1e300",
    "1, NaN, NaN"
  })
  void quantize_keeps_a_power_of_two(int digits, double value, double expected) {
    ArrayToArrayCodec codec = codec("quantize", "{'digits': " + digits + ", 'dtype': '<f8'}");
    assertThat(codec.encode(NdArray.ofDoubles(Shape.of(1), value)).getDouble(0))
        .isEqualTo((Double) expected);
  }

  @ParameterizedTest
  @CsvSource({
    "<f8, |i1, 300.7, 44",
    "<f8, <u8, 18446744073709549568, 18446744073709549568",
    "<f8, <f2, 1.00048828125, 1.0",
    "<f8, <f2, 1.000488281250001, 1.001",
    "<f8, |b1, 0.5, true",
    "<f4, >i2, -1.9, -1",
  })
  void astype_casts_as_numpy_does(String from, String to, String value, String expected) {
    ArrayToArrayCodec codec =
        codec("astype", "{'decode_dtype': '" + from + "', 'encode_dtype': '" + to + "'}");
    NdArray chunk =
        from.equals("<f8")
            ? NdArray.ofDoubles(Shape.of(1), Double.parseDouble(value))
            : NdArray.ofFloats(DataTypes.FLOAT32, Shape.of(1), Float.parseFloat(value));
    assertThat(codec.encode(chunk).toJson(0)).hasToString(expected);
  }

  @Test
  void integers_become_floats_by_one_rounding() {
    ArrayToArrayCodec codec = codec("astype", "{'decode_dtype': '<u8', 'encode_dtype': '<f4'}");
    long[] values = {0x8000_0080_0000_0001L, 0x8000_0080_0000_0000L, -1L, (1L << 24) + 1};
    NdArray encoded = codec.encode(NdArray.ofLongs(DataTypes.UINT64, Shape.of(4), values));
    assertThat(encoded.toFloatArray()).containsExactly(0x1.000002p63f, 0x1p63f, 0x1p64f, 0x1p24f);
  }

  @Test
  void packbits_fills_bytes_from_the_highest_bit() {
    ArrayToArrayCodec codec = codec("packbits", "{}");
    NdArray chunk =
        NdArray.ofBooleans(
            Shape.of(3, 3), true, false, true, true, false, false, false, false, true);
    NdArray encoded = codec.encode(chunk);
    assertThat(encoded.bytes()).isEqualTo(Use.hex("07b080"));
    assertThat(encoded.shape()).isEqualTo(Shape.of(3));
    assertThat(codec.decode(encoded, chunk(DataTypes.BOOL, 3, 3))).isEqualTo(chunk);
    NdArray wrong = NdArray.wrap(DataTypes.UINT8, Shape.of(3), Use.hex("08b080"));
    assertThatExceptionOfType(CodecException.class)
        .isThrownBy(() -> codec.decode(wrong, chunk(DataTypes.BOOL, 3, 3)))
        .withMessage("expected 7 unused bits for 9 elements, found 8");
  }

  @Test
  void bitround_rounds_ties_to_even_and_leaves_what_is_no_number() {
    ArrayToArrayCodec codec = codec("bitround", "{'keepbits': 3}");
    NdArray chunk =
        NdArray.ofInts(
            DataTypes.UINT32,
            Shape.of(6),
            0x3dcccccd,
            0x3f99999a,
            0x42f6cccd,
            0x7f800000,
            0x7fffffff,
            0x7fc00000);
    NdArray floats = NdArray.wrap(DataTypes.FLOAT32, chunk.shape(), chunk.bytes());
    Bytes encoded = codec.encode(floats).bytes();
    assertThat(NdArray.wrap(DataTypes.FLOAT32, Shape.of(6), encoded).toFloatArray())
        .startsWith(0.1015625f, 1.25f, 120f, Float.POSITIVE_INFINITY);
    assertThat(encoded.slice(12, 12)).isEqualTo(floats.bytes().slice(12, 12));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = ';',
      value = {
        "delta; {'dtype': '<f8'}",
        "quantize; {'digits': 2, 'dtype': '<f8'}",
        "fixedscaleoffset; {'offset': 0, 'scale': 1, 'dtype': '<f8'}",
        "astype; {'encode_dtype': '<f4', 'decode_dtype': '<f8'}",
        "packbits; {}",
        "bitround; {'keepbits': 3}",
      })
  void a_chunk_of_another_type_is_refused_when_the_array_is_opened(
      String id, String configuration) {
    assertThatExceptionOfType(MetadataException.class)
        .isThrownBy(
            () -> codec(id, configuration).encodedRepresentation(chunk(DataTypes.INT32, 4)));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = ';',
      value = {
        "delta; {}",
        "delta; {'dtype': '<i3'}",
        "delta; {'dtype': '|b1'}",
        "delta; {'dtype': '<c8'}",
        "quantize; {'digits': 2, 'dtype': '<i4'}",
        "quantize; {'digits': 1000000000, 'dtype': '<f8'}",
        "fixedscaleoffset; {'offset': 0, 'scale': 0, 'dtype': '<f8'}",
        "fixedscaleoffset; {'offset': 'NaN', 'scale': 1, 'dtype': '<f8'}",
        "astype; {'encode_dtype': '<f4'}",
        "packbits; {'order': 'C'}",
        "bitround; {'keepbits': -1}",
      })
  void a_configuration_that_numcodecs_does_not_have_is_refused(String id, String configuration) {
    assertThatExceptionOfType(MetadataException.class).isThrownBy(() -> codec(id, configuration));
  }
}
