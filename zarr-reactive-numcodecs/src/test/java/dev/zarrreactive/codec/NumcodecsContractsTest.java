package dev.zarrreactive.codec;

import dev.zarrreactive.array.NdArray;
import dev.zarrreactive.array.Shape;
import dev.zarrreactive.base.Bytes;
import dev.zarrreactive.datatype.DataType;
import dev.zarrreactive.datatype.DataTypes;
import dev.zarrreactive.datatype.FillValue;
import dev.zarrreactive.datatype.NumpyUnit;
import dev.zarrreactive.testing.Json;
import dev.zarrreactive.testkit.codec.ArrayToArrayCodecContract;
import dev.zarrreactive.testkit.codec.ArrayToBytesCodecContract;
import dev.zarrreactive.testkit.codec.BytesToBytesCodecContract;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Every codec of numcodecs keeps the contract. */
class NumcodecsContractsTest {

  @Test
  void no_codec_is_left_out() {
    CodecContractsTest.assertTested(
        CodecRegistry.standard().names(),
        CodecContractsTest.class,
        ExtensionCodecContractsTest.class,
        VlenCodecContractsTest.class,
        RegistryContractsTest.class,
        NumcodecsContractsTest.class,
        NumcodecsVlenContractsTest.class,
        ImagecodecsContractsTest.class,
        ArrayToBytesContractsTest.class);
  }

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
  }

  @Nested
  @Tag("conditional")
  class Conditional extends BytesContract {
    Conditional() {
      super("{'codecs': [{'name': 'zstd', 'configuration': {'level': 1}}, 'crc32c']}");
    }
  }

  @Nested
  @Tag("numcodecs.gzip")
  class Gzip extends BytesContract {
    Gzip() {
      super("{'level': 1}");
    }
  }

  @Nested
  @Tag("numcodecs.base64")
  class Base64 extends BytesContract {
    Base64() {
      super("{}");
    }
  }

  @Nested
  @Tag("numcodecs.zstd")
  class Zstd extends BytesContract {
    Zstd() {
      super("{'level': 3}");
    }
  }

  @Nested
  @Tag("numcodecs.blosc")
  class Blosc extends BytesContract {
    Blosc() {
      super("{'cname': 'zstd', 'clevel': 3, 'shuffle': -1, 'blocksize': 0, 'typesize': 4}");
    }
  }

  @Nested
  @Tag("numcodecs.zlib")
  class Zlib extends BytesContract {
    Zlib() {
      super("{'level': 6}");
    }
  }

  @Nested
  @Tag("numcodecs.lz4")
  class Lz4 extends BytesContract {
    Lz4() {
      super("{'acceleration': 1}");
    }
  }

  @Nested
  @Tag("numcodecs.bz2")
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
  @Tag("numcodecs.shuffle")
  class Shuffle extends BytesContract {
    Shuffle() {
      super("{'elementsize': 4}");
    }

    @Override
    protected List<Bytes> samples() {
      return super.samples().stream().map(bytes -> bytes.slice(0, bytes.size() / 4 * 4)).toList();
    }
  }

  @Nested
  @Tag("numcodecs.crc32")
  class Crc32 extends BytesContract {
    Crc32() {
      super("{}");
    }
  }

  @Nested
  @Tag("numcodecs.crc32c")
  class Crc32c extends BytesContract {
    Crc32c() {
      super("{'location': 'start'}");
    }
  }

  @Nested
  @Tag("numcodecs.adler32")
  class Adler32 extends BytesContract {
    Adler32() {
      super("{}");
    }
  }

  @Nested
  @Tag("numcodecs.fletcher32")
  class Fletcher32 extends BytesContract {
    Fletcher32() {
      super("{}");
    }
  }

  @Nested
  @Tag("numcodecs.jenkins_lookup3")
  class Lookup3 extends BytesContract {
    Lookup3() {
      super("{'initval': 7, 'prefix': null}");
    }
  }

  /** A damaged header may ask for as many tables as the format has. */
  abstract static class LzmaContract extends BytesContract {
    LzmaContract(String configuration) {
      super(configuration);
    }

    @Override
    protected long scratch() {
      return 8 << 20;
    }
  }

  @Nested
  @Tag("numcodecs.lzma")
  class LzmaXz extends LzmaContract {
    LzmaXz() {
      super("{'format': 1, 'check': -1, 'preset': 0, 'filters': null}");
    }
  }

  @Nested
  @Tag("numcodecs.lzma")
  class LzmaXzDelta extends LzmaContract {
    LzmaXzDelta() {
      super("{'check': 10, 'filters': [{'id': 3, 'dist': 4}, {'id': 33, 'preset': 1}]}");
    }
  }

  @Nested
  @Tag("numcodecs.lzma")
  class LzmaAlone extends LzmaContract {
    LzmaAlone() {
      super("{'format': 2, 'check': -1, 'preset': 1}");
    }
  }

  @Nested
  @Tag("numcodecs.lzma")
  class LzmaRaw extends LzmaContract {
    LzmaRaw() {
      super("{'format': 3, 'filters': [{'id': 3, 'dist': 2}, {'id': 33, 'preset': 0}]}");
    }
  }

  abstract static class ArrayContract extends ArrayToArrayCodecContract {
    private final String configuration;
    private final DataType type;
    private final Shape[] shapes;

    ArrayContract(String configuration, DataType type, Shape... shapes) {
      this.configuration = configuration;
      this.type = type;
      this.shapes =
          shapes.length > 0
              ? shapes
              : new Shape[] {Shape.SCALAR, Shape.of(7), Shape.of(3, 5), Shape.of(2, 3, 4)};
    }

    @Override
    protected ArrayToArrayCodec codec() {
      String name = getClass().getAnnotation(Tag.class).value();
      return (ArrayToArrayCodec)
          CodecRegistry.standard().create(Json.extension(name, configuration));
    }

    @Override
    protected List<ChunkRepresentation> representations() {
      return Stream.of(shapes)
          .map(shape -> new ChunkRepresentation(shape, type, FillValue.zero(type)))
          .toList();
    }
  }

  /** Noise that went through the codec once: what it loses is lost. */
  abstract static class LossyContract extends ArrayContract {
    LossyContract(String configuration, DataType type) {
      super(configuration, type);
    }

    @Override
    protected NdArray chunk(ChunkRepresentation representation) {
      ArrayToArrayCodec codec = codec();
      return codec.decode(codec.encode(super.chunk(representation)), representation);
    }
  }

  @Nested
  @Tag("numcodecs.delta")
  class DeltaOfIntegers extends ArrayContract {
    DeltaOfIntegers() {
      super("{'dtype': '<i4'}", DataTypes.INT32);
    }
  }

  @Nested
  @Tag("numcodecs.delta")
  class DeltaOfBytes extends ArrayContract {
    DeltaOfBytes() {
      super("{'dtype': '|u1', 'astype': '<i8'}", DataTypes.UINT8);
    }
  }

  @Nested
  @Tag("numcodecs.delta")
  class DeltaOfTimes extends ArrayContract {
    DeltaOfTimes() {
      super("{'dtype': '<i8'}", DataTypes.datetime64(NumpyUnit.SECOND, 1));
    }
  }

  @Nested
  @Tag("numcodecs.astype")
  class AsType extends ArrayContract {
    AsType() {
      super("{'encode_dtype': '<f8', 'decode_dtype': '<u4'}", DataTypes.UINT32);
    }
  }

  @Nested
  @Tag("numcodecs.fixedscaleoffset")
  class FixedScaleOffset extends LossyContract {
    FixedScaleOffset() {
      super("{'offset': 1000, 'scale': 8, 'dtype': '<f8', 'astype': '<i2'}", DataTypes.FLOAT64);
    }
  }

  @Nested
  @Tag("numcodecs.quantize")
  class Quantize extends LossyContract {
    Quantize() {
      super("{'digits': 2, 'dtype': '<f4'}", DataTypes.FLOAT32);
    }
  }

  @Nested
  @Tag("numcodecs.bitround")
  class Bitround extends LossyContract {
    Bitround() {
      super("{'keepbits': 5}", DataTypes.FLOAT16);
    }
  }

  @Nested
  @Tag("numcodecs.packbits")
  class PackBits extends ArrayContract {
    PackBits() {
      super("{}", DataTypes.BOOL, Shape.of(8), Shape.of(2, 4), Shape.of(3, 8, 5));
    }
  }

  @Nested
  @Tag("n5_default")
  class N5 extends ArrayToBytesCodecContract {
    @Override
    protected ArrayToBytesCodec codec() {
      return (ArrayToBytesCodec)
          CodecRegistry.standard()
              .create(
                  Json.extension(
                      "n5_default",
                      "{'codecs': [{'name': 'transpose', 'configuration': {'order': [2, 1, 0]}},"
                          + " {'name': 'bytes', 'configuration': {'endian': 'big'}}]}"));
    }

    @Override
    protected List<ChunkRepresentation> representations() {
      return Stream.of(DataTypes.UINT8, DataTypes.INT64, DataTypes.FLOAT32)
          .map(type -> new ChunkRepresentation(Shape.of(2, 3, 4), type, FillValue.zero(type)))
          .toList();
    }
  }
}
