package dev.zarrreactive.internal.codec;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.zarrreactive.array.NdArray;
import dev.zarrreactive.array.Shape;
import dev.zarrreactive.codec.ArrayToBytesCodec;
import dev.zarrreactive.codec.ChunkRepresentation;
import dev.zarrreactive.codec.SizeBound;
import dev.zarrreactive.datatype.DataTypes;
import dev.zarrreactive.error.CodecException;
import dev.zarrreactive.error.MetadataException;
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

  @Test
  void a_wrong_number_of_bits_without_meaning_is_refused() {
    assertThatExceptionOfType(CodecException.class)
        .isThrownBy(
            () ->
                codec("'padding_encoding': 'first_byte'")
                    .decode(Codecs.hex("080d01"), Codecs.representationOf(BOOLS)))
        .withMessage("it says 8 bits without meaning, expected 7");
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
