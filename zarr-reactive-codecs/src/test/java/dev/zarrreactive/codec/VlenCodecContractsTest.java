package dev.zarrreactive.codec;

import dev.zarrreactive.array.Shape;
import dev.zarrreactive.datatype.DataTypes;
import dev.zarrreactive.datatype.FillValue;
import dev.zarrreactive.datatype.ListType;
import dev.zarrreactive.datatype.VariableLengthType;
import dev.zarrreactive.testing.Json;
import dev.zarrreactive.testkit.codec.ArrayToBytesCodecContract;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Tag;

/** The contracts of the codecs for elements of any length. */
class VlenCodecContractsTest {
  abstract static class VlenContract extends ArrayToBytesCodecContract {
    private final VariableLengthType type;
    private final String configuration;

    VlenContract(VariableLengthType type, String configuration) {
      this.type = type;
      this.configuration = configuration;
    }

    @Override
    protected ArrayToBytesCodec codec() {
      String name = getClass().getAnnotation(Tag.class).value();
      return (ArrayToBytesCodec)
          CodecRegistry.standard().create(Json.extension(name, configuration));
    }

    @Override
    protected List<ChunkRepresentation> representations() {
      return Stream.of(Shape.SCALAR, Shape.of(1), Shape.of(7), Shape.of(3, 5), Shape.of(2, 3, 4))
          .map(shape -> new ChunkRepresentation(shape, type, FillValue.zero(type)))
          .toList();
    }
  }

  @Nested
  @Tag("vlen-utf8")
  class Utf8 extends VlenContract {
    Utf8() {
      super(DataTypes.STRING, "{}");
    }
  }

  @Nested
  @Tag("vlen-bytes")
  class ByteStrings extends VlenContract {
    ByteStrings() {
      super(DataTypes.BYTES, "{}");
    }
  }

  @Nested
  @Tag("vlen-ndarray")
  class Arrays extends VlenContract {
    Arrays() {
      super(new ListType(DataTypes.FLOAT32, List.of(3, 2)), "{}");
    }
  }
}
