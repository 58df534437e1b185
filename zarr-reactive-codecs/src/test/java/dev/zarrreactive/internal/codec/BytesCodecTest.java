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
import dev.zarrreactive.datatype.NumpyUnit;
import dev.zarrreactive.datatype.StructField;
import dev.zarrreactive.datatype.StructType;
import dev.zarrreactive.error.CodecException;
import dev.zarrreactive.error.MetadataException;
import dev.zarrreactive.testing.Json;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

class BytesCodecTest {
  private static final ArrayToBytesCodec LITTLE = bytes("{'endian': 'little'}");
  private static final ArrayToBytesCodec BIG = bytes("{'endian': 'big'}");
  private static final ArrayToBytesCodec NONE = bytes("{}");

  private static ArrayToBytesCodec bytes(String configuration) {
    return Codecs.of(
        ArrayToBytesCodec.class, "{'name': 'bytes', 'configuration': " + configuration + "}");
  }

  static List<DataType> types() {
    List<DataType> types = new ArrayList<>(DataTypes.named());
    types.add(DataTypes.raw(24));
    return types;
  }

  @ParameterizedTest
  @MethodSource("types")
  void big_endian_turns_each_component_back_to_front(DataType type) {
    int size = type.components().get(0).size();
    for (int count = 0; count <= 9; count++) {
      NdArray chunk = Codecs.random(type, count, 3);
      byte[] image = chunk.bytes().toByteArray();
      byte[] expected = new byte[image.length];
      for (int i = 0; i < image.length; i++) {
        expected[i - i % size + size - 1 - i % size] = image[i];
      }
      Bytes encoded = BIG.encode(chunk, Codecs.representationOf(chunk));
      assertThat(encoded.toByteArray()).isEqualTo(expected);
      assertThat(BIG.decode(encoded, Codecs.representationOf(chunk)).bytes())
          .isEqualTo(chunk.bytes());
    }
  }

  @Test
  void both_parts_of_a_complex_number_are_swapped_separately() {
    NdArray one =
        NdArray.wrap(DataTypes.COMPLEX64, Shape.SCALAR, Codecs.hex("0000803f 000000c0")); // 1-2i
    assertThat(BIG.encode(one, Codecs.representationOf(one)))
        .isEqualTo(Codecs.hex("3f800000 c0000000"));
  }

  @ParameterizedTest
  @MethodSource("types")
  void little_endian_copies_nothing(DataType type) {
    NdArray chunk = Codecs.random(type, 2, 3);
    Bytes encoded = LITTLE.encode(chunk, Codecs.representationOf(chunk));
    assertThat(encoded.unsafeArray()).isSameAs(chunk.bytes().unsafeArray());
    NdArray decoded = LITTLE.decode(encoded, Codecs.representationOf(chunk));
    assertThat(decoded.bytes().unsafeArray()).isSameAs(encoded.unsafeArray());
    assertThat(decoded.shape()).isEqualTo(chunk.shape());
    assertThat(LITTLE.isMemoryImage(Codecs.representationOf(chunk))).isTrue();
  }

  @Test
  void a_part_of_a_larger_array_is_swapped_where_it_lies() {
    Bytes part = Codecs.hex("ff 0001 0203 0405 0607 0809 ff").slice(1, 10);
    NdArray decoded = BIG.decode(part, Codecs.representation(DataTypes.UINT16, Shape.of(5)));
    assertThat(decoded.bytes()).isEqualTo(Codecs.hex("0100 0302 0504 0706 0908"));
    assertThat(part).as("the input").isEqualTo(Codecs.hex("0001 0203 0405 0607 0809"));
  }

  @Test
  void components_of_one_byte_need_no_endian() {
    for (DataType type : List.of(DataTypes.BOOL, DataTypes.INT8, DataTypes.raw(16))) {
      NdArray chunk = Codecs.random(type, 4);
      ChunkRepresentation representation = Codecs.representationOf(chunk);
      for (ArrayToBytesCodec codec : List.of(LITTLE, BIG, NONE)) {
        assertThat(codec.encodedSize(representation))
            .isEqualTo(SizeBound.exactly(4L * type.itemSize()));
        assertThat(codec.encode(chunk, Codecs.representationOf(chunk))).isEqualTo(chunk.bytes());
        assertThat(codec.isMemoryImage(representation)).isTrue();
      }
    }
  }

  @Test
  void big_endian_is_no_memory_image() {
    assertThat(BIG.isMemoryImage(Codecs.representation(DataTypes.INT16, Shape.of(1)))).isFalse();
  }

  @Test
  void a_missing_endian_is_refused_when_the_array_is_opened() {
    assertThatExceptionOfType(MetadataException.class)
        .isThrownBy(() -> NONE.encodedSize(Codecs.representation(DataTypes.FLOAT32, Shape.of(4))))
        .withMessage(
            "\"bytes\": \"endian\" is missing; it must be \"little\" or \"big\", since float32 has"
                + " components of 4 bytes (at /codecs/1)");
  }

  @Test
  void the_size_is_exact_and_may_be_more_than_memory_holds() {
    assertThat(LITTLE.encodedSize(Codecs.representation(DataTypes.INT32, Shape.of(3, 5))))
        .isEqualTo(SizeBound.exactly(60));
    Shape huge = Shape.of(1L << 40);
    assertThat(LITTLE.encodedSize(Codecs.representation(DataTypes.INT32, huge)))
        .isEqualTo(SizeBound.exactly(1L << 42));
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 1, 23, 25, 48})
  void any_other_number_of_bytes_is_refused(int size) {
    ChunkRepresentation chunk = Codecs.representation(DataTypes.INT32, Shape.of(2, 3));
    for (ArrayToBytesCodec codec : List.of(LITTLE, BIG)) {
      assertThatExceptionOfType(CodecException.class)
          .isThrownBy(() -> codec.decode(Bytes.wrap(new byte[size]), chunk))
          .withMessage("expected 24 bytes for int32 of shape [2, 3], found " + size);
    }
  }

  @Test
  void bytes_of_a_bool_stay_what_they_are() {
    Bytes stored = Codecs.hex("00 01 02 ff");
    NdArray decoded = NONE.decode(stored, Codecs.representation(DataTypes.BOOL, Shape.of(4)));
    assertThat(decoded.bytes()).isEqualTo(stored);
  }

  private static final StructType STRUCT =
      DataTypes.struct(
          new StructField("flag", DataTypes.BOOL),
          new StructField("a", DataTypes.INT16),
          new StructField("z", DataTypes.COMPLEX64),
          new StructField("text", DataTypes.fixedLengthUtf32(1)),
          new StructField("r", DataTypes.raw(24)),
          new StructField(
              "n",
              DataTypes.struct(
                  new StructField("p", DataTypes.FLOAT64),
                  new StructField("q", DataTypes.datetime64(NumpyUnit.SECOND, 1)))));

  @Test
  void each_field_of_a_struct_is_swapped_where_it_lies() {
    String image =
        "01 0203 04050607 08090a0b 0c0d0e0f 101112 131415161718191a 1b1c1d1e1f202122"
            + "31 3233 34353637 38393a3b 3c3d3e3f 404142 434445464748494a 4b4c4d4e4f505152";
    String swapped =
        "01 0302 07060504 0b0a0908 0f0e0d0c 101112 1a19181716151413 2221201f1e1d1c1b"
            + "31 3332 37363534 3b3a3938 3f3e3d3c 404142 4a49484746454443 5251504f4e4d4c4b";
    NdArray chunk = NdArray.wrap(STRUCT, Shape.of(2), Codecs.hex(image));
    assertThat(BIG.encode(chunk, Codecs.representationOf(chunk))).isEqualTo(Codecs.hex(swapped));
    assertThat(BIG.decode(Codecs.hex(swapped), Codecs.representationOf(chunk))).isEqualTo(chunk);
    assertThat(LITTLE.encode(chunk, Codecs.representationOf(chunk))).isEqualTo(chunk.bytes());
  }

  @Test
  void each_code_point_of_a_text_is_swapped() {
    NdArray chunk = NdArray.ofStrings(DataTypes.fixedLengthUtf32(2), Shape.of(2), "H", "\u20acz");
    assertThat(BIG.encode(chunk, Codecs.representationOf(chunk)))
        .isEqualTo(Codecs.hex("00000048 00000000 000020ac 0000007a"));
    assertThat(
            BIG.decode(
                    BIG.encode(chunk, Codecs.representationOf(chunk)),
                    Codecs.representationOf(chunk))
                .toStringArray())
        .containsExactly("H", "\u20acz");
  }

  @Test
  void a_struct_needs_an_endian_where_a_field_has_more_than_one_byte() {
    assertThatExceptionOfType(MetadataException.class)
        .isThrownBy(() -> NONE.encodedSize(Codecs.representation(STRUCT, Shape.of(4))))
        .withMessageContaining("\"endian\" is missing")
        .withMessageContaining("has components of 8 bytes (at /codecs/1)");
    DataType bytes =
        DataTypes.struct(
            new StructField("a", DataTypes.UINT4),
            new StructField("r", DataTypes.raw(64)),
            new StructField("f", DataTypes.FLOAT8_E4M3));
    assertThat(NONE.encodedSize(Codecs.representation(bytes, Shape.of(4))))
        .isEqualTo(SizeBound.exactly(40));
  }

  @Test
  void a_structured_type_without_endian_is_little_endian() {
    DataType legacy =
        DataTypes.parse(
            Json.extension(
                "{'name': 'structured', 'configuration': {'fields': [['a', 'int16']]}}"));
    NdArray chunk = NdArray.wrap(legacy, Shape.of(2), Codecs.hex("0100 0200"));
    assertThat(NONE.encode(chunk, Codecs.representationOf(chunk))).isEqualTo(chunk.bytes());
    assertThat(NONE.isMemoryImage(Codecs.representationOf(chunk))).isTrue();
    assertThat(BIG.encode(chunk, Codecs.representationOf(chunk)))
        .isEqualTo(Codecs.hex("0001 0002"));
  }
}
