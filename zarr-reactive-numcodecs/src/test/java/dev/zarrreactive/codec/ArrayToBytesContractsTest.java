package dev.zarrreactive.codec;

import static org.assertj.core.api.Assertions.assertThat;

import dev.zarrreactive.array.NdArray;
import dev.zarrreactive.array.Shape;
import dev.zarrreactive.datatype.DataType;
import dev.zarrreactive.datatype.DataTypes;
import dev.zarrreactive.datatype.FillValue;
import dev.zarrreactive.datatype.FloatType;
import dev.zarrreactive.datatype.NumpyUnit;
import dev.zarrreactive.testing.Json;
import dev.zarrreactive.testkit.codec.ArrayToBytesCodecContract;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Tag;

/** The codecs that turn chunks of numbers into bytes keep the contract. */
class ArrayToBytesContractsTest {
  private static final Shape[] SHAPES = {
    Shape.SCALAR, Shape.of(1), Shape.of(7), Shape.of(3, 5), Shape.of(2, 3, 4), Shape.of(3, 1, 2, 5)
  };

  abstract static class NumbersContract extends ArrayToBytesCodecContract {
    private final String configuration;
    private final List<DataType> types;

    NumbersContract(String configuration, DataType... types) {
      this.configuration = configuration;
      this.types = List.of(types);
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
          .flatMap(
              type ->
                  Stream.of(SHAPES)
                      .map(shape -> new ChunkRepresentation(shape, type, FillValue.zero(type))))
          .toList();
    }
  }

  /** Chunks may lose bits each time they are encoded; type and shape stay. */
  abstract static class LossyContract extends NumbersContract {
    LossyContract(String configuration, DataType... types) {
      super(configuration, types);
    }

    /** Returns a chunk without NaN and infinities, which these modes refuse. */
    @Override
    protected NdArray chunk(ChunkRepresentation representation) {
      DataType type = representation.dataType();
      int count = (int) representation.shape().elementCountUpTo(Integer.MAX_VALUE);
      double[] values = new Random(count).doubles(count, -1e6, 1e6).toArray();
      return type instanceof FloatType
          ? NdArray.ofDoubles(representation.shape(), values).cast(type)
          : super.chunk(representation);
    }

    @Override
    protected void assertDecoded(NdArray decoded, NdArray chunk) {
      assertThat(decoded.dataType()).isEqualTo(chunk.dataType());
      assertThat(decoded.shape()).isEqualTo(chunk.shape());
    }
  }

  @Nested
  @Tag("zfp")
  class ZfpReversible extends NumbersContract {
    ZfpReversible() {
      super(
          "{'mode': 'reversible'}",
          DataTypes.INT8,
          DataTypes.UINT8,
          DataTypes.INT16,
          DataTypes.UINT16,
          DataTypes.INT32,
          DataTypes.INT64,
          DataTypes.FLOAT32,
          DataTypes.FLOAT64);
    }
  }

  @Nested
  @Tag("zfp")
  class ZfpOfRate extends LossyContract {
    ZfpOfRate() {
      super("{'mode': 'fixed_rate', 'rate': 7.5}", DataTypes.FLOAT64, DataTypes.UINT32);
    }
  }

  @Nested
  @Tag("zarrs.zfp")
  class ZfpOfZarrs extends LossyContract {
    ZfpOfZarrs() {
      super(
          "{'mode': 'fixed_precision', 'precision': 12, 'write_header': true}",
          DataTypes.FLOAT32,
          DataTypes.INT64);
    }
  }

  @Nested
  @Tag("https://codec.zarrs.dev/array_to_bytes/zfp")
  class ZfpOfUrl extends LossyContract {
    ZfpOfUrl() {
      super(
          "{'mode': 'expert', 'minbits': 1, 'maxbits': 130, 'maxprec': 19, 'minexp': -2}",
          DataTypes.FLOAT32,
          DataTypes.UINT64);
    }
  }

  @Nested
  @Tag("numcodecs.zfpy")
  class Zfpy extends NumbersContract {
    Zfpy() {
      super(
          "{'mode': 4, 'tolerance': -1, 'rate': -1, 'precision': -1}",
          DataTypes.INT32,
          DataTypes.INT64,
          DataTypes.FLOAT32,
          DataTypes.FLOAT64,
          DataTypes.datetime64(NumpyUnit.SECOND, 1));
    }
  }

  @Nested
  @Tag("numcodecs.pcodec")
  class Pcodec extends NumbersContract {
    Pcodec() {
      super(
          "{'level': 8, 'mode_spec': 'auto', 'delta_spec': 'auto',"
              + " 'paging_spec': 'equal_pages_up_to', 'delta_encoding_order': null,"
              + " 'equal_pages_up_to': 262144}",
          DataTypes.INT8,
          DataTypes.INT16,
          DataTypes.INT32,
          DataTypes.INT64,
          DataTypes.UINT8,
          DataTypes.UINT16,
          DataTypes.UINT32,
          DataTypes.UINT64,
          DataTypes.FLOAT16,
          DataTypes.FLOAT32,
          DataTypes.FLOAT64,
          DataTypes.COMPLEX64,
          DataTypes.COMPLEX128);
    }
  }

  @Nested
  @Tag("pcodec")
  class PcodecOfPages extends NumbersContract {
    PcodecOfPages() {
      super(
          "{'equal_pages_up_to': 9}",
          DataTypes.INT16,
          DataTypes.FLOAT32,
          DataTypes.datetime64(NumpyUnit.SECOND, 1));
    }
  }

  @Nested
  @Tag("zarrs.pcodec")
  class PcodecOfDifferences extends NumbersContract {
    PcodecOfDifferences() {
      super(
          "{'delta_spec': 'try_consecutive', 'delta_encoding_order': 7}",
          DataTypes.INT16,
          DataTypes.FLOAT32,
          DataTypes.datetime64(NumpyUnit.SECOND, 1));
    }
  }

  @Nested
  @Tag("https://codec.zarrs.dev/array_to_bytes/pcodec")
  class PcodecOfUrl extends NumbersContract {
    PcodecOfUrl() {
      super(
          "{'delta_spec': 'no_op'}",
          DataTypes.INT16,
          DataTypes.FLOAT32,
          DataTypes.datetime64(NumpyUnit.SECOND, 1));
    }
  }
}
