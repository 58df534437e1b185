package dev.zarrreactive.internal.codec.n5;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.zarrreactive.array.NdArray;
import dev.zarrreactive.array.Shape;
import dev.zarrreactive.base.Bytes;
import dev.zarrreactive.codec.ArrayToBytesCodec;
import dev.zarrreactive.codec.ChunkRepresentation;
import dev.zarrreactive.codec.CodecRegistry;
import dev.zarrreactive.datatype.DataType;
import dev.zarrreactive.datatype.DataTypes;
import dev.zarrreactive.datatype.FillValue;
import dev.zarrreactive.error.CodecException;
import dev.zarrreactive.error.Location;
import dev.zarrreactive.error.MetadataException;
import dev.zarrreactive.extension.NamedConfiguration;
import dev.zarrreactive.json.JsonDocument;
import java.util.Arrays;
import java.util.HexFormat;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class N5CodecTest {
  private static final String REVERSED =
      "{'name': 'transpose', 'configuration': {'order': [1, 0]}}";
  private static final String BIG = "{'name': 'bytes', 'configuration': {'endian': 'big'}}";
  private static final String GZIP = "{'name': 'gzip', 'configuration': {'level': 5}}";
  private static final NdArray TWO_BY_THREE =
      NdArray.ofShorts(DataTypes.INT16, Shape.of(2, 3), new short[] {1, 2, 3, 4, 5, 6});

  /** In N5 the first dimension is the fastest: 1 4, 2 5, 3 6. */
  private static final String BLOCK = "0000 0002 00000002 00000003 0001 0004 0002 0005 0003 0006";

  private static ArrayToBytesCodec codec(String codecs) {
    String json = "{'name': 'n5_default', 'configuration': {'codecs': [" + codecs + "]}}";
    return (ArrayToBytesCodec)
        CodecRegistry.standard()
            .create(
                NamedConfiguration.parse(
                    JsonDocument.parse(
                        Bytes.utf8(json.replace('\'', '"')).asByteBuffer(), Location.UNKNOWN)));
  }

  private static ChunkRepresentation chunk(DataType type, long... extents) {
    return new ChunkRepresentation(Shape.of(extents), type, FillValue.of(type, -1));
  }

  private static Bytes hex(String digits) {
    return Bytes.wrap(HexFormat.of().parseHex(digits.replace(" ", "")));
  }

  @Test
  void a_block_is_a_header_and_the_elements_big_endian_the_first_dimension_fastest() {
    ArrayToBytesCodec codec = codec(REVERSED + "," + BIG);
    ChunkRepresentation chunk = chunk(DataTypes.INT16, 2, 3);
    assertThat(codec.encode(TWO_BY_THREE, chunk)).isEqualTo(hex(BLOCK));
    assertThat(codec.decode(hex(BLOCK), chunk)).isEqualTo(TWO_BY_THREE);
  }

  @Test
  void the_elements_may_be_compressed() {
    ArrayToBytesCodec codec = codec(REVERSED + "," + BIG + "," + GZIP);
    ChunkRepresentation chunk = chunk(DataTypes.INT16, 2, 3);
    Bytes encoded = codec.encode(TWO_BY_THREE, chunk);
    assertThat(encoded.slice(0, 12)).isEqualTo(hex(BLOCK).slice(0, 12));
    assertThat(encoded.slice(12, 2)).isEqualTo(hex("1f8b"));
    assertThat(codec.decode(encoded, chunk)).isEqualTo(TWO_BY_THREE);
  }

  @Test
  void a_block_that_is_smaller_than_its_chunk_is_filled_up() {
    ArrayToBytesCodec codec = codec(REVERSED + "," + BIG);
    assertThat(codec.decode(hex(BLOCK), chunk(DataTypes.INT16, 3, 4)).toShortArray())
        .containsExactly(1, 2, 3, -1, 4, 5, 6, -1, -1, -1, -1, -1);
  }

  /** The blocks of 1 to 12 in a 3×4 array, which TensorStore pads. */
  @ParameterizedTest
  @CsvSource({
    "000000020000000200000003 000100050002000600030007, '1, 2, 3, 5, 6, 7'",
    "000000020000000200000003 000400080000000000000000, '4, 0, 0, 8, 0, 0'",
    "000000020000000200000003 00090000000a0000000b0000, '9, 10, 11, 0, 0, 0'",
  })
  void a_block_of_tensorstore_is_read(String block, String elements) {
    NdArray decoded = codec(REVERSED + "," + BIG).decode(hex(block), chunk(DataTypes.INT16, 2, 3));
    assertThat(Arrays.toString(decoded.toShortArray())).isEqualTo("[" + elements + "]");
  }

  @Test
  void what_a_block_has_beyond_its_chunk_is_left_out() {
    ArrayToBytesCodec codec = codec(REVERSED + "," + BIG);
    assertThat(codec.decode(hex(BLOCK), chunk(DataTypes.INT16, 3, 2)).toShortArray())
        .containsExactly(1, 2, 4, 5, -1, -1);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = ';',
      value = {
        "0000; expected at least the 12 bytes of the block's header, found 2",
        "0001 0002 00000002 00000003 0000; the block has mode 1",
        "0000 0003 00000002 00000003 00000001; the block has 3 dimensions, expected 2",
        "0000 0002 00000000 00000003; the block's dimension 0 is empty",
        "0000 0002 ffffffff ffffffff 0001; far more than the chunk's [2, 3]",
        "0000 0002 00010000 00000400 0001; far more than the chunk's [2, 3]",
        "0000 0002 00000002 00000003 0001; expected 12 bytes",
      })
  void a_header_that_lies_is_refused(String encoded, String message) {
    assertThatExceptionOfType(CodecException.class)
        .isThrownBy(
            () -> codec(REVERSED + "," + BIG).decode(hex(encoded), chunk(DataTypes.INT16, 2, 3)))
        .withMessageContaining(message);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        REVERSED,
        BIG + "," + REVERSED,
        REVERSED + "," + BIG + "," + GZIP + "," + GZIP,
        REVERSED + "," + BIG + ",'bytes'",
        "{'name': 'transpose', 'configuration': {'order': [0, 1]}}," + BIG,
        REVERSED + ",{'name': 'bytes', 'configuration': {'endian': 'little'}}",
      })
  void another_chain_than_that_of_n5_is_refused(String codecs) {
    assertThatExceptionOfType(MetadataException.class).isThrownBy(() -> codec(codecs));
  }

  @Test
  void elements_that_n5_does_not_have_are_refused_when_the_array_is_opened() {
    ArrayToBytesCodec codec = codec(REVERSED + "," + BIG);
    ArrayToBytesCodec withoutEndian = codec(REVERSED + ",'bytes'");
    assertThatExceptionOfType(MetadataException.class)
        .isThrownBy(() -> codec.encodedSize(chunk(DataTypes.BFLOAT16, 2, 3)));
    assertThatExceptionOfType(MetadataException.class)
        .isThrownBy(() -> codec.encodedSize(chunk(DataTypes.INT4, 2, 3)));
    assertThatExceptionOfType(MetadataException.class)
        .isThrownBy(() -> withoutEndian.encodedSize(chunk(DataTypes.INT16, 2, 3)));
    assertThatExceptionOfType(MetadataException.class)
        .isThrownBy(() -> codec.encodedSize(chunk(DataTypes.INT16, 2, 3, 4)));
    assertThat(withoutEndian.encodedSize(chunk(DataTypes.INT8, 2, 3)).bytes()).isEqualTo(18);
  }
}
