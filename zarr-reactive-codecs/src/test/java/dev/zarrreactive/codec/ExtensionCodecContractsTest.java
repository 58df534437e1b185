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
  @Tag("bitround")
  class Bitround extends ArrayContract {
    Bitround() {
      super(
          "{'keepbits': 3}",
          DataTypes.INT8,
          DataTypes.UINT16,
          DataTypes.INT64,
          DataTypes.UINT64,
          DataTypes.FLOAT16,
          DataTypes.FLOAT32,
          DataTypes.COMPLEX128);
    }

    /** Noise that went through the codec once: what it loses is lost. */
    @Override
    protected NdArray chunk(ChunkRepresentation representation) {
      return codec().encode(super.chunk(representation));
    }
  }

  @Nested
  @Tag("reshape")
  class Reshape extends ArrayContract {
    Reshape() {
      super("{'shape': [[0, 1], -1]}", DataTypes.INT16, DataTypes.COMPLEX128);
    }
  }

  @Nested
  @Tag("scale_offset")
  class ScaleOffset extends ArrayContract {
    ScaleOffset() {
      super("{'offset': 0, 'scale': 1}", DataTypes.INT8, DataTypes.UINT64, DataTypes.FLOAT16);
    }
  }

  @Nested
  @Tag("cast_value")
  class CastValue extends ArrayContract {
    CastValue() {
      super(
          "{'data_type': 'float64'}",
          DataTypes.INT8,
          DataTypes.UINT32,
          DataTypes.FLOAT32,
          DataTypes.FLOAT64);
    }

    /** Java may make a quiet NaN of another. */
    @Override
    protected NdArray chunk(ChunkRepresentation representation) {
      ArrayToArrayCodec codec = codec();
      return codec.decode(codec.encode(super.chunk(representation)), representation);
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
