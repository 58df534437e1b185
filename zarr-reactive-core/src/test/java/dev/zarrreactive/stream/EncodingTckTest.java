package dev.zarrreactive.stream;

import dev.zarrreactive.Zarr;
import dev.zarrreactive.ZarrArray;
import dev.zarrreactive.ZarrOptions;
import dev.zarrreactive.array.Shape;
import dev.zarrreactive.array.selection.Selection;
import dev.zarrreactive.base.Bytes;
import dev.zarrreactive.datatype.DataType;
import dev.zarrreactive.datatype.DataTypes;
import dev.zarrreactive.encoding.Encoding;
import dev.zarrreactive.metadata.ArrayMetadata;
import dev.zarrreactive.store.memory.MemoryStore;
import dev.zarrreactive.testing.LineEncoding;
import dev.zarrreactive.testing.PublisherContract;
import java.nio.ByteOrder;
import org.reactivestreams.Publisher;
import org.testng.annotations.Test;

/** The reactive-streams TCK over elements that the codec threads encode: a line is a piece. */
@Test
public class EncodingTckTest extends PublisherContract<Bytes> {
  @Override
  public Publisher<Bytes> createPublisher(long elements) {
    return array(elements, DataTypes.INT8)
        .encode(Selection.all(), new LineEncoding(), "0\n".length());
  }

  @Override
  public Publisher<Bytes> createFailedPublisher() {
    return array(1, DataTypes.STRING) // of no fixed size
        .encode(Selection.all(), Encoding.raw(ByteOrder.LITTLE_ENDIAN), 1);
  }

  private static ZarrArray array(long elements, DataType type) {
    return Zarr.hierarchy(
            MemoryStore.create(), ZarrOptions.defaults().withMaxInFlightBytes(1 << 10))
        .createArray(
            "a", ArrayMetadata.v3(Shape.of(elements), type).uncompressed().chunkShape(4).build())
        .block();
  }
}
