package dev.zarrreactive.testkit;

import dev.zarrreactive.array.NdArray;
import dev.zarrreactive.array.Shape;
import dev.zarrreactive.codec.ArrayToArrayCodec;
import dev.zarrreactive.codec.ChunkRepresentation;
import dev.zarrreactive.codec.CodecRegistry;
import dev.zarrreactive.datatype.DataType;
import dev.zarrreactive.datatype.DataTypes;
import dev.zarrreactive.datatype.FillValue;
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
          CodecRegistry.standard().create(NumcodecsContractsTest.use(name, configuration));
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
}
