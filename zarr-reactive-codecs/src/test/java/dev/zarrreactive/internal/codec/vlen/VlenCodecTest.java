package dev.zarrreactive.internal.codec.vlen;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.zarrreactive.array.NdArray;
import dev.zarrreactive.array.Shape;
import dev.zarrreactive.base.Bytes;
import dev.zarrreactive.codec.ArrayToBytesCodec;
import dev.zarrreactive.codec.ChunkRepresentation;
import dev.zarrreactive.codec.CodecRegistry;
import dev.zarrreactive.datatype.DataType;
import dev.zarrreactive.datatype.DataTypes;
import dev.zarrreactive.datatype.FillValue;
import dev.zarrreactive.datatype.ListType;
import dev.zarrreactive.error.CodecException;
import dev.zarrreactive.error.MetadataException;
import dev.zarrreactive.extension.NamedConfiguration;
import dev.zarrreactive.json.JsonObject;
import java.util.HexFormat;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class VlenCodecTest {
  private static final String THREE_TEXTS = "03000000010000006100000000" + "02000000c3a9";

  private final ArrayToBytesCodec utf8 = codec("vlen-utf8", JsonObject.EMPTY);

  private static ArrayToBytesCodec codec(String name, JsonObject configuration) {
    return (ArrayToBytesCodec)
        CodecRegistry.standard().create(NamedConfiguration.of(name, configuration));
  }

  private static ChunkRepresentation chunk(DataType type, long... shape) {
    return new ChunkRepresentation(Shape.of(shape), type, FillValue.zero(type));
  }

  private static Bytes hex(String digits) {
    return Bytes.wrap(HexFormat.of().parseHex(digits));
  }

  @Test
  void texts_are_laid_out_as_the_registry_says() {
    NdArray texts = NdArray.ofStrings(DataTypes.STRING, Shape.of(3), "a", "", "\u00e9");
    ChunkRepresentation chunk = chunk(DataTypes.STRING, 3);
    Bytes encoded = utf8.encode(texts, chunk);
    assertThat(HexFormat.of().formatHex(encoded.toByteArray())).isEqualTo(THREE_TEXTS);
    assertThat(utf8.decode(encoded, chunk)).isEqualTo(texts);
  }

  @ParameterizedTest
  @CsvSource({
    "04000000010000006100000000" + "02000000c3a9, 'expected 3 elements, found 4'",
    "ffffffff010000006100000000" + "02000000c3a9, 'expected 3 elements, found 4294967295'",
    "030000, 'expected 3 elements, found 3 bytes'",
    "0300000001000000610000, 'expected 3 elements, found 3 in 11 bytes'",
    "03000000010000006100000000" + "03000000c3a9, 'element 2 of 3 bytes goes on after the end'",
    "03000000ffffffff6100000000" + "02000000c3a9, 'element 0 of 4294967295 bytes'",
    "03000000010000006100000000" + "02000000c3a900, '1 bytes are left over'",
    "03000000010000006100000000" + "02000000c328, 'element 2: invalid UTF-8'",
    "0300000001000000610000000003000000eda080, 'element 2: invalid UTF-8'"
  })
  void what_is_no_such_chunk_is_refused(String encoded, String message) {
    assertThatThrownBy(() -> utf8.decode(hex(encoded), chunk(DataTypes.STRING, 3)))
        .isInstanceOf(CodecException.class)
        .hasMessageContaining(message);
  }

  @Test
  void the_replacement_character_itself_is_a_text() {
    NdArray text = NdArray.ofStrings(DataTypes.STRING, Shape.of(1), "\ufffd");
    ChunkRepresentation chunk = chunk(DataTypes.STRING, 1);
    assertThat(utf8.decode(utf8.encode(text, chunk), chunk)).isEqualTo(text);
  }

  @Test
  void lists_are_stored_in_the_byte_order_of_their_dtype() {
    ListType type = new ListType(DataTypes.INT16);
    NdArray lists =
        NdArray.ofValues(type, Shape.of(2), hex("01000200"), Bytes.EMPTY); // [1, 2] and []
    ArrayToBytesCodec codec = codec("numcodecs.vlen-array", JsonObject.EMPTY.with("dtype", ">i2"));
    Bytes encoded = codec.encode(lists, chunk(type, 2));
    assertThat(encoded).isEqualTo(hex("02000000" + "04000000" + "00010002" + "00000000"));
    NdArray decoded = codec.decode(encoded, chunk(type, 2));
    assertThat(decoded).isEqualTo(lists);
    assertThat(decoded.getList(0).toShortArray()).containsExactly((short) 1, (short) 2);
    assertThat(decoded.getList(1).shape()).isEqualTo(Shape.of(0));
    assertThatThrownBy(
            () ->
                codec.decode(hex("02000000" + "03000000" + "000100" + "00000000"), chunk(type, 2)))
        .hasMessageContaining(
            "element 0: 3 bytes are not a whole number of items of lists of int16");
  }

  @Test
  void arrays_have_whole_rows() {
    ListType type = new ListType(DataTypes.INT16, List.of(2));
    NdArray pairs = NdArray.ofValues(type, Shape.of(1), hex("01000200"));
    ArrayToBytesCodec codec = codec("vlen-ndarray", JsonObject.EMPTY);
    Bytes encoded = codec.encode(pairs, chunk(type, 1));
    assertThat(encoded).isEqualTo(hex("01000000" + "04000000" + "01000200"));
    assertThat(codec.decode(encoded, chunk(type, 1)).getList(0).shape()).isEqualTo(Shape.of(1, 2));
    assertThatThrownBy(() -> codec.decode(hex("01000000" + "02000000" + "0100"), chunk(type, 1)))
        .hasMessageContaining("element 0: 2 bytes are not a whole number of rows");
  }

  @ParameterizedTest
  @CsvSource({
    "vlen-ndarray, bytes",
    "vlen-utf8, bytes",
    "vlen-utf8, int32",
    "vlen-bytes, string",
    "vlen-bytes, r8",
    "bytes, string",
    "bytes, bytes",
    "packbits, string"
  })
  void a_codec_is_refused_for_a_data_type_that_it_is_not_for(String codec, String type) {
    DataType dataType = DataTypes.parse(NamedConfiguration.of(type));
    assertThatThrownBy(() -> codec(codec, JsonObject.EMPTY).encodedSize(chunk(dataType, 3)))
        .isInstanceOf(MetadataException.class)
        .hasMessageContaining(codec)
        .hasMessageContaining(type);
  }
}
