package dev.zarrreactive.kerchunk;

import dev.zarrreactive.base.Bytes;
import dev.zarrreactive.base.StoreKey;
import dev.zarrreactive.base.StorePrefix;
import dev.zarrreactive.store.memory.MemoryStore;
import dev.zarrreactive.testing.PublisherContract;
import dev.zarrreactive.testing.Waiting;
import dev.zarrreactive.virtual.VirtualContainers;
import java.util.Objects;
import org.reactivestreams.Publisher;
import org.testng.annotations.Test;

/**
 * The reactive-streams TCK over a listing of references in Parquet, whose record files it reads.
 */
@Test
public class ParquetListTckTest extends PublisherContract<Object> {
  private static final int RECORD_SIZE = 10;

  @Override
  public long maxElementsFromPublisher() {
    return 300;
  }

  @Override
  public Publisher<Object> createPublisher(long elements) {
    MemoryStore place = MemoryStore.create();
    String metadata =
        "{\"metadata\":{\"d/.zarray\":{\"shape\":["
            + elements
            + "],\"chunks\":[1]}},\"record_size\":"
            + RECORD_SIZE
            + "}";
    Waiting.await(place.set(StoreKey.of(".zmetadata"), Bytes.utf8(metadata)));
    for (int i = 0; i * RECORD_SIZE < elements; i++) {
      Waiting.await(
          place.set(
              StoreKey.of("d/refs." + i + ".parq"),
              new ParquetBuilder(RECORD_SIZE).texts("path", row -> "s3://archive/a.nc").build()));
    }
    return Objects.requireNonNull(
            Waiting.await(Kerchunk.open(place, StorePrefix.ROOT, VirtualContainers.none())))
        .listValues(StorePrefix.of("d/"))
        .filter(entry -> !entry.key().value().endsWith(".zarray"))
        .cast(Object.class);
  }
}
