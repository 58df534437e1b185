package dev.zarrreactive.stream;

import dev.zarrreactive.Zarr;
import dev.zarrreactive.ZarrArray;
import dev.zarrreactive.ZarrOptions;
import dev.zarrreactive.array.Shape;
import dev.zarrreactive.array.selection.Selection;
import dev.zarrreactive.base.Bytes;
import dev.zarrreactive.datatype.DataType;
import dev.zarrreactive.datatype.DataTypes;
import dev.zarrreactive.metadata.ArrayMetadata;
import dev.zarrreactive.store.memory.MemoryStore;
import dev.zarrreactive.testing.PublisherContract;
import org.reactivestreams.Publisher;
import org.testng.annotations.Test;

/** The reactive-streams TCK over a stream of pieces; there may be as many as a long counts. */
@Test
public class BytesTckTest extends PublisherContract<Bytes> {
  @Override
  public Publisher<Bytes> createPublisher(long elements) {
    return array(elements, DataTypes.INT8).readBytes(Selection.all(), 1);
  }

  @Override
  public Publisher<Bytes> createFailedPublisher() {
    return array(1, DataTypes.STRING).readBytes(Selection.all(), 1);
  }

  private static ZarrArray array(long elements, DataType dataType) {
    return Zarr.hierarchy(
            MemoryStore.create(), ZarrOptions.defaults().withMaxInFlightBytes(1 << 10))
        .createArray(
            "a",
            ArrayMetadata.v3(Shape.of(elements), dataType).uncompressed().chunkShape(4).build())
        .block();
  }
}
