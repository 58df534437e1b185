package dev.zarrreactive.codec;

import static org.assertj.core.api.Assertions.assertThat;

import dev.zarrreactive.array.Shape;
import dev.zarrreactive.datatype.DataType;
import dev.zarrreactive.datatype.DataTypes;
import dev.zarrreactive.datatype.FillValue;
import dev.zarrreactive.extension.NamedConfiguration;
import dev.zarrreactive.json.JsonArray;
import dev.zarrreactive.json.JsonNumber;
import dev.zarrreactive.json.JsonObject;
import dev.zarrreactive.testkit.codec.ArrayToArrayCodecContract;
import dev.zarrreactive.testkit.codec.ArrayToBytesCodecContract;
import dev.zarrreactive.testkit.codec.BytesToBytesCodecContract;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Every codec of the library keeps the contract. */
class CodecContractsTest {

  private static Codec codec(String name, JsonObject configuration) {
    return CodecRegistry.standard().create(NamedConfiguration.of(name, configuration));
  }

  @Test
  void no_codec_of_the_specification_and_its_registry_is_left_out() {
    Set<String> names = new TreeSet<>(CodecRegistry.standard().names());
    names.removeIf(name -> name.startsWith("numcodecs.") || name.startsWith("n5_"));
    assertTested(
        names,
        CodecContractsTest.class,
        ExtensionCodecContractsTest.class,
        VlenCodecContractsTest.class);
  }

  /** Each of the codecs has a contract among those of the classes. */
  static void assertTested(Set<String> codecs, Class<?>... contracts) {
    Set<String> tested = new TreeSet<>(Set.of("endian", "v2.struct_bytes")); // forms of others
    for (Class<?> all : contracts) {
      for (Class<?> contract : all.getDeclaredClasses()) {
        Tag codec = contract.getAnnotation(Tag.class);
        if (codec != null) {
          tested.add(codec.value());
        }
      }
    }
    assertThat(tested).containsAll(codecs);
  }

  abstract static class BytesContract extends ArrayToBytesCodecContract {
    private final String endian;

    BytesContract(String endian) {
      this.endian = endian;
    }

    @Override
    protected ArrayToBytesCodec codec() {
      return (ArrayToBytesCodec)
          CodecContractsTest.codec("bytes", JsonObject.EMPTY.with("endian", endian));
    }
  }

  @Nested
  @Tag("bytes")
  class BytesLittle extends BytesContract {
    BytesLittle() {
      super("little");
    }
  }

  @Nested
  @Tag("bytes")
  class BytesBig extends BytesContract {
    BytesBig() {
      super("big");
    }
  }

  @Nested
  @Tag("sharding_indexed")
  class Sharding extends ArrayToBytesCodecContract {
    @Override
    protected ArrayToBytesCodec codec() {
      JsonObject bytes = JsonObject.EMPTY.with("name", "bytes");
      JsonArray little =
          JsonArray.of(
              bytes.with("configuration", JsonObject.EMPTY.with("endian", "little")),
              JsonObject.EMPTY.with("name", "crc32c"));
      return (ArrayToBytesCodec)
          CodecContractsTest.codec(
              "sharding_indexed",
              JsonObject.EMPTY
                  .with("chunk_shape", JsonArray.of(JsonNumber.of(1), JsonNumber.of(2)))
                  .with("codecs", little)
                  .with("index_codecs", little));
    }

    @Override
    protected List<ChunkRepresentation> representations() {
      return Stream.of(DataTypes.INT16, DataTypes.FLOAT32, DataTypes.COMPLEX128)
          .flatMap(
              type ->
                  Stream.of(Shape.of(1, 2), Shape.of(3, 6))
                      .map(shape -> new ChunkRepresentation(shape, type, FillValue.zero(type))))
          .toList();
    }
  }

  abstract static class TransposeContract extends ArrayToArrayCodecContract {
    private final int[] order;
    private final List<Shape> shapes;

    TransposeContract(int[] order, Shape... shapes) {
      this.order = order;
      this.shapes = List.of(shapes);
    }

    @Override
    protected ArrayToArrayCodec codec() {
      JsonArray json =
          new JsonArray(List.copyOf(Arrays.stream(order).mapToObj(JsonNumber::of).toList()));
      return (ArrayToArrayCodec)
          CodecContractsTest.codec("transpose", JsonObject.EMPTY.with("order", json));
    }

    @Override
    protected List<ChunkRepresentation> representations() {
      DataType raw = DataTypes.raw(24);
      FillValue odd = FillValue.of(raw, new byte[] {1, 2, 3});
      return shapes.stream()
          .flatMap(
              shape ->
                  Stream.concat(
                      DataTypes.named().stream()
                          .map(type -> new ChunkRepresentation(shape, type, FillValue.zero(type))),
                      Stream.of(new ChunkRepresentation(shape, raw, odd))))
          .toList();
    }
  }

  @Nested
  @Tag("transpose")
  class TransposeScalar extends TransposeContract {
    TransposeScalar() {
      super(new int[0], Shape.SCALAR);
    }
  }

  @Nested
  @Tag("transpose")
  class TransposeReversed extends TransposeContract {
    TransposeReversed() {
      super(new int[] {1, 0}, Shape.of(1, 1), Shape.of(3, 5), Shape.of(70, 90));
    }
  }

  @Nested
  @Tag("transpose")
  class TransposeRotated extends TransposeContract {
    TransposeRotated() {
      super(new int[] {2, 0, 1}, Shape.of(2, 3, 4), Shape.of(5, 1, 7), Shape.of(8, 16, 32));
    }
  }

  abstract static class CompressorContract extends BytesToBytesCodecContract {
    private final String name;
    private final JsonObject configuration;

    CompressorContract(String name, JsonObject configuration) {
      this.name = name;
      this.configuration = configuration;
    }

    @Override
    protected BytesToBytesCodec codec() {
      return (BytesToBytesCodec) CodecContractsTest.codec(name, configuration);
    }
  }

  @Nested
  @Tag("gzip")
  class GzipStored extends CompressorContract {
    GzipStored() {
      super("gzip", JsonObject.EMPTY.with("level", 0));
    }
  }

  @Nested
  @Tag("gzip")
  class GzipCompressed extends CompressorContract {
    GzipCompressed() {
      super("gzip", JsonObject.EMPTY.with("level", 5));
    }
  }

  @Nested
  @Tag("zstd")
  class ZstdPlain extends CompressorContract {
    ZstdPlain() {
      super("zstd", JsonObject.EMPTY.with("level", 0));
    }
  }

  @Nested
  @Tag("zstd")
  class ZstdChecked extends CompressorContract {
    ZstdChecked() {
      super("zstd", JsonObject.EMPTY.with("level", 12).with("checksum", true));
    }
  }

  @Nested
  @Tag("crc32c")
  class Crc32c extends CompressorContract {
    Crc32c() {
      super("crc32c", JsonObject.EMPTY);
    }
  }

  abstract static class BloscContract extends CompressorContract {
    BloscContract(String cname, String shuffle, int typesize) {
      super(
          "blosc",
          JsonObject.EMPTY
              .with("cname", cname)
              .with("clevel", 5)
              .with("shuffle", shuffle)
              .with("typesize", typesize)
              .with("blocksize", 0));
    }
  }

  @Nested
  @Tag("blosc")
  class BloscLz4 extends BloscContract {
    BloscLz4() {
      super("lz4", "shuffle", 4);
    }
  }

  @Nested
  @Tag("blosc")
  class BloscLz4hc extends BloscContract {
    BloscLz4hc() {
      super("lz4hc", "bitshuffle", 8);
    }
  }

  @Nested
  @Tag("blosc")
  class BloscBlosclz extends BloscContract {
    BloscBlosclz() {
      super("blosclz", "shuffle", 2);
    }
  }

  @Nested
  @Tag("blosc")
  class BloscZstd extends BloscContract {
    BloscZstd() {
      super("zstd", "bitshuffle", 4);
    }
  }

  @Nested
  @Tag("blosc")
  class BloscZlib extends BloscContract {
    BloscZlib() {
      super("zlib", "noshuffle", 1);
    }
  }

  @Nested
  @Tag("blosc")
  class BloscSnappy extends BloscContract {
    BloscSnappy() {
      super("snappy", "shuffle", 4);
    }
  }
}
