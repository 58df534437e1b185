package dev.zarrreactive.codec;

import dev.zarrreactive.array.NdArray;
import dev.zarrreactive.array.Shape;
import dev.zarrreactive.datatype.DataTypes;
import dev.zarrreactive.datatype.FillValue;
import dev.zarrreactive.datatype.JsonType;
import dev.zarrreactive.datatype.ListType;
import dev.zarrreactive.datatype.VariableLengthType;
import dev.zarrreactive.testkit.codec.ArrayToArrayCodecContract;
import dev.zarrreactive.testkit.codec.ArrayToBytesCodecContract;
import java.util.Arrays;
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
          CodecRegistry.standard().create(NumcodecsContractsTest.use(name, configuration));
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
  @Tag("numcodecs.vlen-array")
  class Lists extends VlenContract {
    Lists() {
      super(new ListType(DataTypes.INT32), "{'dtype': '>i4'}");
    }
  }

  @Nested
  @Tag("numcodecs.json2")
  class Json extends VlenContract {
    Json() {
      super(new JsonType(), "{}");
    }
  }

  @Nested
  @Tag("numcodecs.msgpack2")
  class MessagePack extends VlenContract {
    MessagePack() {
      super(new JsonType(), "{}");
    }
  }

  @Nested
  @Tag("numcodecs.categorize")
  class Categorize extends ArrayToArrayCodecContract {
    @Override
    protected ArrayToArrayCodec codec() {
      return (ArrayToArrayCodec)
          CodecRegistry.standard()
              .create(
                  NumcodecsContractsTest.use(
                      "numcodecs.categorize", "{'labels': ['red', 'green'], 'astype': '<u2'}"));
    }

    @Override
    protected List<ChunkRepresentation> representations() {
      return List.of(
          new ChunkRepresentation(
              Shape.of(3, 4), DataTypes.STRING, FillValue.zero(DataTypes.STRING)));
    }

    @Override
    protected NdArray chunk(ChunkRepresentation representation) {
      String[] values = new String[representation.shape().elementCount().intValueExact()];
      Arrays.setAll(values, i -> List.of("red", "", "green").get(i % 3));
      return NdArray.ofStrings(DataTypes.STRING, representation.shape(), values);
    }
  }
}
