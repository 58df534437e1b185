package dev.zarrreactive.internal.codec;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.zarrreactive.array.NdArray;
import dev.zarrreactive.array.Shape;
import dev.zarrreactive.base.Bytes;
import dev.zarrreactive.codec.ArrayToBytesCodec;
import dev.zarrreactive.codec.ChunkRepresentation;
import dev.zarrreactive.codec.SizeBound;
import dev.zarrreactive.datatype.DataType;
import dev.zarrreactive.datatype.DataTypes;
import dev.zarrreactive.datatype.StructField;
import dev.zarrreactive.error.CodecException;
import dev.zarrreactive.error.MetadataException;
import dev.zarrreactive.extension.NamedConfiguration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class PackbitsCodecTest {
  private static final NdArray BOOLS =
      NdArray.ofBooleans(Shape.of(9), true, false, true, true, false, false, false, false, true);

  private static ArrayToBytesCodec codec(String configuration) {
    return Codecs.of(
        ArrayToBytesCodec.class, "{'name': 'packbits', 'configuration': {" + configuration + "}}");
  }

  @ParameterizedTest
  @CsvSource({"none, 0d01", "first_byte, 070d01", "last_byte, 0d0107"})
  void bytes_are_filled_from_the_lowest_bit(String padding, String expected) {
    ArrayToBytesCodec codec = codec("'padding_encoding': '" + padding + "'");
    ChunkRepresentation chunk = Codecs.representationOf(BOOLS);
    assertThat(codec.encode(BOOLS, chunk)).isEqualTo(Codecs.hex(expected));
    assertThat(codec.encodedSize(chunk)).isEqualTo(SizeBound.exactly(expected.length() / 2));
    assertThat(codec.decode(Codecs.hex(expected), chunk)).isEqualTo(BOOLS);
  }

  @Test
  void only_the_bits_that_are_named_are_kept() {
    ArrayToBytesCodec codec = codec("'first_bit': 1, 'last_bit': 4");
    NdArray signed =
        NdArray.ofShorts(DataTypes.INT16, Shape.of(3), (short) -2, (short) 7, (short) 14);
    ChunkRepresentation chunk = Codecs.representationOf(signed);
    assertThat(codec.encode(signed, chunk)).isEqualTo(Codecs.hex("3f07"));
    assertThat(codec.decode(Codecs.hex("3f07"), chunk).toIntArray()).containsExactly(-2, 6, 14);
    ChunkRepresentation unsigned = Codecs.representation(DataTypes.UINT16, Shape.of(3));
    assertThat(codec.decode(Codecs.hex("3f07"), unsigned).toIntArray()).containsExactly(30, 6, 14);
  }

  @ParameterizedTest
  @CsvSource({
    "int2, 01feff, 39, 01feff",
    "uint2, 010203, 39, 010203",
    "int4, f807, 78, f807",
    "uint4, f80f, f8, 080f",
    "float4_e2m1fn, 0f01, 1f, 0f01",
    "float6_e3m2fn, 3f01ff, 7ff003, 3f013f",
    "complex_float4_e2m1fn, 0f01, 1f, 0f01",
    "bfloat16, 803f, 803f, 803f",
    "float8_e4m3, 80ff, 80ff, 80ff",
    "float8_e4m3fn, 80ff, 80ff, 80ff",
  })
  void of_types_that_are_smaller_than_a_byte_only_their_bits_are_kept(
      String type, String image, String packed, String decoded) {
    DataType dataType = DataTypes.parse(NamedConfiguration.of(type));
    Bytes elements = Codecs.hex(image);
    NdArray array =
        NdArray.wrap(dataType, Shape.of(elements.size() / dataType.itemSize()), elements);
    ChunkRepresentation chunk = Codecs.representationOf(array);
    assertThat(codec("").encode(array, chunk)).isEqualTo(Codecs.hex(packed));
    assertThat(codec("").decode(Codecs.hex(packed), chunk).bytes()).isEqualTo(Codecs.hex(decoded));
  }

  @Test
  void types_without_bits_of_their_own_are_refused_when_the_array_is_opened() {
    DataType struct =
        DataTypes.struct(
            new StructField("a", DataTypes.INT32), new StructField("b", DataTypes.INT8));
    for (DataType type : List.of(struct, DataTypes.raw(24), DataTypes.fixedLengthUtf32(2))) {
      assertThatExceptionOfType(MetadataException.class)
          .isThrownBy(() -> codec("").encodedSize(Codecs.representation(type, Shape.of(2))))
          .withMessageContaining("has no bits that could be left out");
    }
  }

  @Test
  void a_wrong_number_of_unused_bits_is_refused() {
    assertThatExceptionOfType(CodecException.class)
        .isThrownBy(
            () ->
                codec("'padding_encoding': 'first_byte'")
                    .decode(Codecs.hex("080d01"), Codecs.representationOf(BOOLS)))
        .withMessage("expected 7 unused bits at the end, found 8");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "'first_bit': 3, 'last_bit': 2",
        "'first_bit': 16",
        "'last_bit': 16",
        "'first_bit': -1",
        "'padding_encoding': 'first'",
        "'start_bit': 0"
      })
  void bits_that_are_not_there_are_refused_when_the_array_is_opened(String configuration) {
    assertThatExceptionOfType(MetadataException.class)
        .isThrownBy(
            () ->
                codec(configuration)
                    .encodedSize(Codecs.representation(DataTypes.INT16, Shape.of(2))));
  }
}
