package dev.zarrreactive.codec;

import dev.zarrreactive.array.NdArray;
import dev.zarrreactive.array.Shape;
import dev.zarrreactive.datatype.DataType;
import dev.zarrreactive.datatype.DataTypes;
import dev.zarrreactive.datatype.FillValue;
import dev.zarrreactive.datatype.OptionalType;
import dev.zarrreactive.testing.Json;
import dev.zarrreactive.testkit.codec.ArrayToBytesCodecContract;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Tag;

/** The codecs of the registry, and of zarrs, that stand in this module keep the contract. */
class RegistryContractsTest {
  @Nested
  @Tag("bitround")
  class Bitround extends ExtensionCodecContractsTest.ArrayContract {
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
  @Tag("scale_offset")
  class ScaleOffset extends ExtensionCodecContractsTest.ArrayContract {
    ScaleOffset() {
      super("{'offset': 0, 'scale': 1}", DataTypes.INT8, DataTypes.UINT64, DataTypes.FLOAT16);
    }
  }

  @Nested
  @Tag("cast_value")
  class CastValue extends ExtensionCodecContractsTest.ArrayContract {
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

  /** Elements of which every third one is missing, at each level. */
  static NdArray optional(OptionalType type, Shape shape) {
    int count = shape.elementCount().intValueExact();
    NdArray values;
    if (type.inner() instanceof OptionalType nested) {
      values = optional(nested, shape);
    } else if (type.inner().equals(DataTypes.STRING)) {
      String[] texts =
          new Random(count)
              .ints(count, 0, 99)
              .mapToObj(i -> "é".repeat(i % 4))
              .toArray(String[]::new);
      values = NdArray.ofStrings(DataTypes.STRING, shape, texts);
    } else {
      double[] numbers = new Random(count).doubles(count, -99, 99).toArray();
      values = NdArray.ofDoubles(shape, numbers).cast(type.inner());
    }
    boolean[] isThere = new boolean[count];
    Random random = new Random(count + type.hashCode());
    for (int i = 0; i < count; i++) {
      isThere[i] = random.nextInt(3) > 0;
    }
    return NdArray.ofOptional(values, NdArray.ofBooleans(shape, isThere));
  }

  abstract static class OptionalContract extends ArrayToBytesCodecContract {
    private final String configuration;
    private final List<DataType> types;

    OptionalContract(String configuration, DataType... inner) {
      this.configuration = configuration;
      this.types = List.of(inner);
    }

    @Override
    protected ArrayToBytesCodec codec() {
      String name = getClass().getAnnotation(Tag.class).value();
      return (ArrayToBytesCodec)
          CodecRegistry.standard().create(Json.extension(name, configuration));
    }

    @Override
    protected List<ChunkRepresentation> representations() {
      return types.stream()
          .map(DataTypes::optional)
          .flatMap(
              type ->
                  Stream.of(Shape.SCALAR, Shape.of(1), Shape.of(7), Shape.of(3, 5))
                      .map(shape -> new ChunkRepresentation(shape, type, FillValue.zero(type))))
          .toList();
    }

    @Override
    protected NdArray chunk(ChunkRepresentation representation) {
      return optional((OptionalType) representation.dataType(), representation.shape());
    }
  }

  @Nested
  @Tag("zarrs.optional")
  class Optional extends OptionalContract {
    Optional() {
      super(
          "{'mask_codecs': ['packbits'],"
              + " 'data_codecs': [{'name': 'bytes', 'configuration': {'endian': 'big'}}]}",
          DataTypes.INT16,
          DataTypes.FLOAT64);
    }
  }

  @Nested
  @Tag("optional")
  class OptionalTexts extends OptionalContract {
    OptionalTexts() {
      super("{'mask_codecs': ['bytes', 'crc32c'], 'data_codecs': ['vlen-utf8']}", DataTypes.STRING);
    }
  }

  @Nested
  @Tag("https://codec.zarrs.dev/array_to_bytes/optional")
  class OptionalOptional extends OptionalContract {
    OptionalOptional() {
      super(
          "{'mask_codecs': ['packbits'], 'data_codecs': [{'name': 'optional', 'configuration':"
              + " {'mask_codecs': ['packbits'], 'data_codecs': ['bytes']}}]}",
          DataTypes.optional(DataTypes.INT8));
    }
  }
}
