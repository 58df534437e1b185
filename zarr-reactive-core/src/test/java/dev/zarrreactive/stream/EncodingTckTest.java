package dev.zarrreactive.stream;

import dev.zarrreactive.Zarr;
import dev.zarrreactive.ZarrArray;
import dev.zarrreactive.ZarrOptions;
import dev.zarrreactive.array.Shape;
import dev.zarrreactive.array.selection.Selection;
import dev.zarrreactive.base.Bytes;
import dev.zarrreactive.datatype.DataTypes;
import dev.zarrreactive.encoding.Encoding;
import dev.zarrreactive.metadata.ArrayMetadata;
import dev.zarrreactive.store.memory.MemoryStore;
import dev.zarrreactive.testing.PublisherContract;
import org.reactivestreams.Publisher;
import org.testng.annotations.Test;

/** The reactive-streams TCK over elements that the codec threads encode: a line is a piece. */
@Test
public class EncodingTckTest extends PublisherContract<Bytes> {
  @Override
  public Publisher<Bytes> createPublisher(long elements) {
    return array(elements).encode(Selection.all(), Encoding.jsonLines(), "0\n".length());
  }

  @Override
  public Publisher<Bytes> createFailedPublisher() {
    return array(1).encode(Selection.all(), Encoding.png(), 1); // no plane
  }

  private static ZarrArray array(long elements) {
    return Zarr.hierarchy(
            MemoryStore.create(), ZarrOptions.defaults().withMaxInFlightBytes(1 << 10))
        .createArray(
            "a",
            ArrayMetadata.v3(Shape.of(elements), DataTypes.INT8)
                .uncompressed()
                .chunkShape(4)
                .build())
        .block();
  }
}
