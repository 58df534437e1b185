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

/** The reactive-streams TCK over a listing of references in JSON. */
@Test
public class JsonListTckTest extends PublisherContract<Object> {
  @Override
  public long maxElementsFromPublisher() {
    return 300;
  }

  @Override
  public Publisher<Object> createPublisher(long elements) {
    StringBuilder text = new StringBuilder("{\"e/0\":\"\"");
    for (int i = 0; i < elements; i++) {
      text.append(",\"d/").append(i).append("\":\"\"");
    }
    MemoryStore place = MemoryStore.create();
    StoreKey key = StoreKey.of("refs.json");
    Waiting.await(place.set(key, Bytes.utf8(text.append('}').toString())));
    return Objects.requireNonNull(
            Waiting.await(Kerchunk.open(place, key, VirtualContainers.none())))
        .listDir(StorePrefix.of("d/"))
        .cast(Object.class);
  }
}
