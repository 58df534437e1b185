package dev.zarrreactive.stream;

import dev.zarrreactive.Zarr;
import dev.zarrreactive.ZarrArray;
import dev.zarrreactive.array.Chunk;
import dev.zarrreactive.array.Shape;
import dev.zarrreactive.datatype.DataTypes;
import dev.zarrreactive.error.Location;
import dev.zarrreactive.error.StoreException;
import dev.zarrreactive.metadata.ArrayMetadata;
import dev.zarrreactive.store.memory.MemoryStore;
import dev.zarrreactive.testing.PublisherContract;
import dev.zarrreactive.testkit.InstrumentedStore;
import org.reactivestreams.Publisher;
import reactor.core.publisher.Flux;

/** The reactive-streams TCK over a stream of chunks; there may be as many as a long counts. */
abstract class ChunkStreamVerification extends PublisherContract<Chunk> {
  abstract Flux<Chunk> stream(ZarrArray array);

  @Override
  public Publisher<Chunk> createPublisher(long elements) {
    return stream(array(elements, InstrumentedStore.of(MemoryStore.create())));
  }

  @Override
  public Publisher<Chunk> createFailedPublisher() {
    InstrumentedStore store = InstrumentedStore.of(MemoryStore.create());
    ZarrArray array = array(1, store);
    store.fail(request -> true, () -> new StoreException("broken", Location.UNKNOWN));
    return stream(array);
  }

  private static ZarrArray array(long chunks, InstrumentedStore store) {
    return Zarr.hierarchy(store)
        .createArray(
            "a",
            ArrayMetadata.v3(Shape.of(chunks), DataTypes.INT8).uncompressed().chunkShape(1).build())
        .block();
  }
}
