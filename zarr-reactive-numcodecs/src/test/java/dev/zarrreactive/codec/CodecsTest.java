package dev.zarrreactive.codec;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import dev.zarrreactive.array.Shape;
import dev.zarrreactive.codec.Blosc.Compressor;
import dev.zarrreactive.datatype.DataType;
import dev.zarrreactive.datatype.DataTypes;
import dev.zarrreactive.extension.NamedConfiguration;
import dev.zarrreactive.json.JsonArray;
import dev.zarrreactive.json.JsonValue;
import dev.zarrreactive.metadata.ArrayMetadata;
import dev.zarrreactive.testing.Json;
import java.nio.ByteOrder;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Codecs are written as the specification, its extensions and zarr-python 3.1 write them. */
class CodecsTest {
  private static Stream<Arguments> written() {
    return Stream.of(
        arguments(
            Codecs.zstd(3),
            "{'name': 'zstd', 'configuration': {'level': 3, 'checksum': false}}",
            "{'id': 'zstd', 'level': 3}"),
        arguments(
            Codecs.zstd(-5, true),
            "{'name': 'zstd', 'configuration': {'level': -5, 'checksum': true}}",
            "{'id': 'zstd', 'level': -5, 'checksum': true}"),
        arguments(
            Codecs.gzip(6),
            "{'name': 'gzip', 'configuration': {'level': 6}}",
            "{'id': 'gzip', 'level': 6}"),
        arguments(
            Codecs.blosc(Compressor.LZ4),
            "{'name': 'blosc', 'configuration': {'cname': 'lz4', 'clevel': 5, 'shuffle': 'shuffle',"
                + " 'typesize': 2, 'blocksize': 0}}",
            "{'id': 'blosc', 'cname': 'lz4', 'clevel': 5, 'shuffle': 1, 'blocksize': 0}"),
        arguments(
            Codecs.blosc(Compressor.ZSTD).level(9).bitshuffle().blocksize(4096),
            "{'name': 'blosc', 'configuration': {'cname': 'zstd', 'clevel': 9, 'shuffle':"
                + " 'bitshuffle', 'typesize': 2, 'blocksize': 4096}}",
            "{'id': 'blosc', 'cname': 'zstd', 'clevel': 9, 'shuffle': 2, 'blocksize': 4096}"),
        arguments(
            Codecs.blosc(Compressor.BLOSCLZ).noShuffle(),
            "{'name': 'blosc', 'configuration': {'cname': 'blosclz', 'clevel': 5, 'shuffle':"
                + " 'noshuffle', 'typesize': 2, 'blocksize': 0}}",
            "{'id': 'blosc', 'cname': 'blosclz', 'clevel': 5, 'shuffle': 0, 'blocksize': 0}"),
        arguments(
            Codecs.blosc(Compressor.ZLIB).shuffle().typesize(8),
            "{'name': 'blosc', 'configuration': {'cname': 'zlib', 'clevel': 5, 'shuffle':"
                + " 'shuffle', 'typesize': 8, 'blocksize': 0}}",
            "{'id': 'blosc', 'cname': 'zlib', 'clevel': 5, 'shuffle': 1, 'blocksize': 0,"
                + " 'typesize': 8}"),
        arguments(Codecs.crc32c(), "{'name': 'crc32c'}", "{'id': 'crc32c'}"),
        arguments(
            Codecs.zlib(4),
            "{'name': 'numcodecs.zlib', 'configuration': {'level': 4}}",
            "{'id': 'zlib', 'level': 4}"),
        arguments(
            Codecs.bz2(9),
            "{'name': 'numcodecs.bz2', 'configuration': {'level': 9}}",
            "{'id': 'bz2', 'level': 9}"),
        arguments(
            Codecs.lz4(),
            "{'name': 'numcodecs.lz4', 'configuration': {'acceleration': 1}}",
            "{'id': 'lz4', 'acceleration': 1}"),
        arguments(
            Codecs.lzma(2),
            "{'name': 'numcodecs.lzma', 'configuration': {'format': 1, 'check': -1, 'preset': 2,"
                + " 'filters': null}}",
            "{'id': 'lzma', 'format': 1, 'check': -1, 'preset': 2, 'filters': null}"));
  }

  @ParameterizedTest
  @MethodSource("written")
  void a_compressor_is_written_in_both_formats(NamedConfiguration codec, String v3, String v2) {
    ArrayMetadata three =
        ArrayMetadata.v3(Shape.of(4), DataTypes.UINT16).compressors(codec).build();
    assertThat(element(three, "codecs", 1)).isEqualTo(Json.object(v3));
    ArrayMetadata two = ArrayMetadata.v2(Shape.of(4), DataTypes.UINT16).compressors(codec).build();
    assertThat(two.document().get("compressor")).isEqualTo(Json.object(v2));
    for (ArrayMetadata metadata : List.of(three, two)) {
      assertThat(CodecRegistry.standard().create(metadata.codecs().get(1)))
          .isInstanceOf(BytesToBytesCodec.class);
    }
  }

  private static JsonValue element(ArrayMetadata metadata, String member, int i) {
    return ((JsonArray) Objects.requireNonNull(metadata.document().get(member))).elements().get(i);
  }

  @Test
  void the_shuffle_of_blosc_follows_from_the_size_of_the_elements() {
    assertThat(blosc(DataTypes.UINT8))
        .contains("\"typesize\":1")
        .contains("\"shuffle\":\"bitshuffle\"");
    assertThat(blosc(DataTypes.COMPLEX128))
        .contains("\"typesize\":16")
        .contains("\"shuffle\":\"shuffle\"");
    assertThat(blosc(DataTypes.STRING))
        .contains("\"typesize\":1")
        .contains("\"shuffle\":\"bitshuffle\"");
  }

  private static String blosc(DataType type) {
    return ArrayMetadata.v3(Shape.of(4), type)
        .compressors(Codecs.blosc(Compressor.LZ4HC))
        .build()
        .codecs()
        .get(1)
        .toString();
  }

  @Test
  void codecs_of_arrays_are_those_of_the_specification() {
    assertThat(Codecs.transpose(2, 0, 1))
        .isEqualTo(Json.extension("{'name': 'transpose', 'configuration': {'order': [2, 0, 1]}}"));
    assertThat(Codecs.bytes(ByteOrder.BIG_ENDIAN))
        .isEqualTo(Json.extension("{'name': 'bytes', 'configuration': {'endian': 'big'}}"));
    assertThat(Codecs.bytes(ByteOrder.LITTLE_ENDIAN)).isEqualTo(Codecs.toBytes(DataTypes.INT16));
    assertThat(Codecs.bytes()).isEqualTo(Codecs.toBytes(DataTypes.INT8));
    assertThat(Codecs.vlenUtf8()).isEqualTo(Codecs.toBytes(DataTypes.STRING));
    assertThat(Codecs.vlenBytes()).isEqualTo(Codecs.toBytes(DataTypes.BYTES));
  }

  @Test
  void sharding_is_that_of_the_specification() {
    Sharding sharding =
        Codecs.sharding(2, 3)
            .codecs(Codecs.transpose(1, 0), Codecs.gzip(1))
            .indexCodecs(Codecs.bytes(ByteOrder.BIG_ENDIAN))
            .indexAtStart();
    ArrayMetadata metadata =
        ArrayMetadata.v3(Shape.of(8, 9), DataTypes.INT16).chunkShape(4, 9).codecs(sharding).build();
    assertThat(metadata.codecs())
        .containsExactly(
            Json.extension(
                "{'name': 'sharding_indexed', 'configuration': {'chunk_shape': [2, 3], 'codecs':"
                    + " [{'name': 'transpose', 'configuration': {'order': [1, 0]}}, {'name':"
                    + " 'bytes', 'configuration': {'endian': 'little'}}, {'name': 'gzip',"
                    + " 'configuration': {'level': 1}}], 'index_codecs': [{'name': 'bytes',"
                    + " 'configuration': {'endian': 'big'}}], 'index_location': 'start'}}"));
  }

  @Test
  void what_a_codec_lacks_is_refused_at_once() {
    refused("level of zstd: expected -131072 to 22, found 23", () -> Codecs.zstd(23));
    refused("level of gzip: expected 0 to 9, found -1", () -> Codecs.gzip(-1));
    refused("level of blosc", () -> Codecs.blosc(Compressor.LZ4).level(10));
    refused("typesize of blosc", () -> Codecs.blosc(Compressor.LZ4).typesize(256));
    refused("blocksize of blosc", () -> Codecs.blosc(Compressor.LZ4).blocksize(-1));
    refused("level of zlib: expected 0 to 9", () -> Codecs.zlib(10));
    refused("level of bz2: expected 1 to 9", () -> Codecs.bz2(0));
    refused("preset of lzma", () -> Codecs.lzma(10));
    refused("dimensions 0 to 1 once, found [0, 2]", () -> Codecs.transpose(0, 2));
    refused("found [1, 1]", () -> Codecs.transpose(1, 1));
    refused("sharding: expected at least one element", () -> Codecs.sharding(2, 0));
  }

  private static void refused(String message, Runnable codec) {
    assertThatThrownBy(codec::run)
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining(message);
  }
}
