package dev.zarrreactive.codec;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.zarrreactive.array.Shape;
import dev.zarrreactive.base.Bytes;
import dev.zarrreactive.datatype.DataType;
import dev.zarrreactive.datatype.DataTypes;
import dev.zarrreactive.datatype.FillValue;
import dev.zarrreactive.error.CodecException;
import dev.zarrreactive.testing.Json;
import dev.zarrreactive.testkit.codec.ArrayToArrayCodecContract;
import dev.zarrreactive.testkit.codec.ArrayToBytesCodecContract;
import dev.zarrreactive.testkit.codec.BytesToBytesCodecContract;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Every codec of imagecodecs keeps the contract, and has two names. */
class ImagecodecsContractsTest {
  abstract static class BytesContract extends BytesToBytesCodecContract {
    private final String configuration;

    BytesContract(String configuration) {
      this.configuration = configuration;
    }

    @Override
    protected BytesToBytesCodec codec() {
      String name = getClass().getAnnotation(Tag.class).value();
      return (BytesToBytesCodec)
          CodecRegistry.standard().create(Json.extension(name, configuration));
    }

    /** The tables of xz and LZW. */
    @Override
    protected long scratch() {
      return 8 << 20;
    }
  }

  /**
   * The name by which Zarr v2 has a codec that keeps the contract by its other one: both make the
   * same.
   */
  abstract static class NameOfV2 {
    private final String configuration;

    NameOfV2(String configuration) {
      this.configuration = configuration;
    }

    @Test
    void it_is_the_codec_of_the_other_name() {
      String name = getClass().getAnnotation(Tag.class).value();
      BytesToBytesCodec codec = create(name);
      BytesToBytesCodec other = create(name.substring("numcodecs.".length()));
      assertThat(codec.name()).isEqualTo(name);
      assertThat(codec).hasSameClassAs(other);
      byte[] noise = new byte[5000];
      new Random(4).nextBytes(noise);
      for (Bytes sample : List.of(Bytes.EMPTY, Bytes.wrap(noise), Bytes.wrap(new byte[5000]))) {
        Bytes encoded = codec.encode(sample);
        assertThat(encoded).isEqualTo(other.encode(sample));
        DecodeTarget target = DecodeTarget.fresh(SizeBound.exactly(sample.size()));
        assertThat(codec.decode(encoded, target)).isEqualTo(sample);
        assertThat(codec.encodedSize(SizeBound.exactly(sample.size())))
            .isEqualTo(other.encodedSize(SizeBound.exactly(sample.size())));
      }
    }

    private BytesToBytesCodec create(String name) {
      return (BytesToBytesCodec)
          CodecRegistry.standard().create(Json.extension(name, configuration));
    }
  }

  private static List<ChunkRepresentation> chunks(DataType type, Shape... shapes) {
    return Stream.of(shapes)
        .map(shape -> new ChunkRepresentation(shape, type, FillValue.zero(type)))
        .toList();
  }

  @Nested
  @Tag("imagecodecs_zlib")
  class Zlib extends BytesContract {
    Zlib() {
      super("{'level': 6}");
    }
  }

  @Nested
  @Tag("imagecodecs_zlibng")
  class Zlibng extends BytesContract {
    Zlibng() {
      super("{}");
    }
  }

  @Nested
  @Tag("imagecodecs_deflate")
  class Deflate extends BytesContract {
    Deflate() {
      super("{'raw': true}");
    }
  }

  @Nested
  @Tag("imagecodecs_zstd")
  class Zstd extends BytesContract {
    Zstd() {
      super("{'level': 1}");
    }
  }

  @Nested
  @Tag("imagecodecs_bz2")
  class Bz2 extends BytesContract {
    Bz2() {
      super("{'level': 1}");
    }

    /** The library's tables for a block; a damaged header may ask for the largest. */
    @Override
    protected long scratch() {
      return 6 << 20;
    }
  }

  @Nested
  @Tag("imagecodecs_lzma")
  class Lzma extends BytesContract {
    Lzma() {
      super("{'level': 0}");
    }
  }

  @Nested
  @Tag("imagecodecs_lz4")
  class Lz4 extends BytesContract {
    Lz4() {
      super("{}");
    }
  }

  @Nested
  @Tag("imagecodecs_lz4h5")
  class Lz4h5 extends BytesContract {
    Lz4h5() {
      super("{'blocksize': 3000}");
    }
  }

  @Nested
  @Tag("imagecodecs_lzf")
  class Lzf extends BytesContract {
    Lzf() {
      super("{}");
    }
  }

  @Nested
  @Tag("imagecodecs_lzw")
  class Lzw extends BytesContract {
    Lzw() {
      super("{}");
    }
  }

  @Nested
  @Tag("imagecodecs_packbits")
  class Packbits extends BytesContract {
    Packbits() {
      super("{}");
    }
  }

  @Nested
  @Tag("imagecodecs_bitorder")
  class Bitorder extends BytesContract {
    Bitorder() {
      super("{}");
    }
  }

  @Nested
  @Tag("numcodecs.imagecodecs_zlib")
  class ZlibInV2 extends NameOfV2 {
    ZlibInV2() {
      super("{'level': 6}");
    }
  }

  @Nested
  @Tag("numcodecs.imagecodecs_zlibng")
  class ZlibngInV2 extends NameOfV2 {
    ZlibngInV2() {
      super("{}");
    }
  }

  @Nested
  @Tag("numcodecs.imagecodecs_deflate")
  class DeflateInV2 extends NameOfV2 {
    DeflateInV2() {
      super("{'raw': true}");
    }
  }

  @Nested
  @Tag("numcodecs.imagecodecs_zstd")
  class ZstdInV2 extends NameOfV2 {
    ZstdInV2() {
      super("{'level': 1}");
    }
  }

  @Nested
  @Tag("numcodecs.imagecodecs_bz2")
  class Bz2InV2 extends NameOfV2 {
    Bz2InV2() {
      super("{'level': 1}");
    }
  }

  @Nested
  @Tag("numcodecs.imagecodecs_lzma")
  class LzmaInV2 extends NameOfV2 {
    LzmaInV2() {
      super("{'level': 0}");
    }
  }

  @Nested
  @Tag("numcodecs.imagecodecs_lz4")
  class Lz4InV2 extends NameOfV2 {
    Lz4InV2() {
      super("{}");
    }
  }

  @Nested
  @Tag("numcodecs.imagecodecs_lz4h5")
  class Lz4h5InV2 extends NameOfV2 {
    Lz4h5InV2() {
      super("{'blocksize': 3000}");
    }
  }

  @Nested
  @Tag("numcodecs.imagecodecs_lzf")
  class LzfInV2 extends NameOfV2 {
    LzfInV2() {
      super("{}");
    }
  }

  @Nested
  @Tag("numcodecs.imagecodecs_lzw")
  class LzwInV2 extends NameOfV2 {
    LzwInV2() {
      super("{}");
    }
  }

  @Nested
  @Tag("numcodecs.imagecodecs_packbits")
  class PackbitsInV2 extends NameOfV2 {
    PackbitsInV2() {
      super("{}");
    }
  }

  @Nested
  @Tag("numcodecs.imagecodecs_bitorder")
  class BitorderInV2 extends NameOfV2 {
    BitorderInV2() {
      super("{}");
    }
  }

  @Nested
  @Tag("numcodecs.imagecodecs_delta")
  class DeltaInV2 extends BytesContract {
    DeltaInV2() {
      super("{}");
    }
  }

  /**
   * Its configuration has the size of the chunk, so that it cannot keep the contract of any bytes.
   */
  @Nested
  @Tag("numcodecs.imagecodecs_floatpred")
  class FloatpredInV2 {
    private final BytesToBytesCodec codec =
        (BytesToBytesCodec)
            CodecRegistry.standard()
                .create(
                    Json.extension(
                        "numcodecs.imagecodecs_floatpred",
                        "{'shape': [10, 5, 4], 'dtype': '>f4', 'axis': -2}"));

    @Test
    void chunks_of_its_size_are_encoded_and_decoded() {
      byte[] noise = new byte[800];
      new Random(3).nextBytes(noise);
      Bytes chunk = Bytes.wrap(noise);
      Bytes decoded = codec.decode(codec.encode(chunk), DecodeTarget.fresh(SizeBound.exactly(800)));
      assertThat(decoded).isEqualTo(chunk);
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 799, 801, 1600})
    void chunks_of_another_size_are_refused(int size) {
      assertThatExceptionOfType(CodecException.class)
          .isThrownBy(
              () ->
                  codec.decode(
                      Bytes.wrap(new byte[size]), DecodeTarget.fresh(SizeBound.exactly(size))))
          .withMessageContaining("configured for chunks of 800");
    }
  }

  @Nested
  @Tag("imagecodecs_delta")
  class Delta extends ArrayToArrayCodecContract {
    @Override
    protected ArrayToArrayCodec codec() {
      return (ArrayToArrayCodec)
          CodecRegistry.standard()
              .create(Json.extension("imagecodecs_delta", "{'axis': 0, 'dist': 1}"));
    }

    @Override
    protected List<ChunkRepresentation> representations() {
      return chunks(DataTypes.INT16, Shape.of(7), Shape.of(3, 5), Shape.of(2, 3, 4));
    }
  }

  @Nested
  @Tag("imagecodecs_floatpred")
  class Floatpred extends ArrayToBytesCodecContract {
    @Override
    protected ArrayToBytesCodec codec() {
      return (ArrayToBytesCodec)
          CodecRegistry.standard().create(Json.extension("imagecodecs_floatpred", "{'axis': -1}"));
    }

    @Override
    protected List<ChunkRepresentation> representations() {
      return chunks(DataTypes.FLOAT64, Shape.of(7), Shape.of(3, 5), Shape.of(2, 3, 4));
    }
  }
}
