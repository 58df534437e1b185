package dev.zarrreactive.codec;

import dev.zarrreactive.array.NdArray;
import dev.zarrreactive.array.Shape;
import dev.zarrreactive.datatype.DataType;
import dev.zarrreactive.datatype.DataTypes;
import dev.zarrreactive.datatype.FillValue;
import dev.zarrreactive.testing.Json;
import dev.zarrreactive.testkit.codec.ArrayToArrayCodecContract;
import dev.zarrreactive.testkit.codec.ArrayToBytesCodecContract;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Tag;

/** Every codec that is registered beside the core ones keeps the contract. */
class ExtensionCodecContractsTest {

  abstract static class ArrayContract extends ArrayToArrayCodecContract {
    private final String configuration;
    private final List<DataType> types;

    ArrayContract(String configuration, DataType... types) {
      this.configuration = configuration;
      this.types = List.of(types);
    }

    @Override
    protected ArrayToArrayCodec codec() {
      String name = getClass().getAnnotation(Tag.class).value();
      return (ArrayToArrayCodec)
          CodecRegistry.standard().create(Json.extension(name, configuration));
    }

    @Override
    protected List<ChunkRepresentation> representations() {
      return types.stream()
          .flatMap(
              type ->
                  Stream.of(Shape.of(2, 3, 4), Shape.of(1, 3, 5))
                      .map(shape -> new ChunkRepresentation(shape, type, FillValue.zero(type))))
          .toList();
    }
  }

  @Nested
  @Tag("reshape")
  class Reshape extends ArrayContract {
    Reshape() {
      super("{'shape': [[0, 1], -1]}", DataTypes.INT16, DataTypes.COMPLEX128);
    }
  }

  abstract static class PackbitsContract extends ArrayToBytesCodecContract {
    private final String padding;

    PackbitsContract(String padding) {
      this.padding = padding;
    }

    @Override
    protected ArrayToBytesCodec codec() {
      return (ArrayToBytesCodec)
          CodecRegistry.standard()
              .create(Json.extension("packbits", "{'padding_encoding': '" + padding + "'}"));
    }

    @Override
    protected List<ChunkRepresentation> representations() {
      return super.representations().stream()
          .filter(chunk -> DataTypes.named().contains(chunk.dataType()))
          .toList();
    }

    /** Noise without the bits above those of a type that is smaller than a byte. */
    @Override
    protected NdArray chunk(ChunkRepresentation representation) {
      ArrayToBytesCodec codec = codec();
      NdArray noise = super.chunk(representation);
      return codec.decode(codec.encode(noise, representation), representation);
    }
  }

  @Nested
  @Tag("packbits")
  class PackbitsAlone extends PackbitsContract {
    PackbitsAlone() {
      super("none");
    }
  }

  @Nested
  @Tag("packbits")
  class PackbitsPadded extends PackbitsContract {
    PackbitsPadded() {
      super("last_byte");
    }
  }
}
