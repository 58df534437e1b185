package dev.zarrreactive.codec;

import dev.zarrreactive.array.NdArray;
import dev.zarrreactive.array.Shape;
import dev.zarrreactive.datatype.DataTypes;
import dev.zarrreactive.datatype.FillValue;
import dev.zarrreactive.datatype.JsonType;
import dev.zarrreactive.datatype.ListType;
import dev.zarrreactive.testing.Json;
import dev.zarrreactive.testkit.codec.ArrayToArrayCodecContract;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Tag;

/** The contracts of the codecs of numcodecs for elements of any length. */
class NumcodecsVlenContractsTest {
  @Nested
  @Tag("numcodecs.vlen-array")
  class Lists extends VlenCodecContractsTest.VlenContract {
    Lists() {
      super(new ListType(DataTypes.INT32), "{'dtype': '>i4'}");
    }
  }

  @Nested
  @Tag("numcodecs.json2")
  class JsonItems extends VlenCodecContractsTest.VlenContract {
    JsonItems() {
      super(new JsonType(), "{}");
    }
  }

  @Nested
  @Tag("numcodecs.msgpack2")
  class MessagePack extends VlenCodecContractsTest.VlenContract {
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
                  Json.extension(
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
