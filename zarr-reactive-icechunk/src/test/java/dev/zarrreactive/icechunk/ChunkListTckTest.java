package dev.zarrreactive.icechunk;

import dev.zarrreactive.base.StorePrefix;
import dev.zarrreactive.icechunk.WrittenRepository.Ref;
import dev.zarrreactive.store.Store;
import dev.zarrreactive.testing.PublisherContract;
import dev.zarrreactive.testing.Waiting;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.reactivestreams.Publisher;
import org.testng.annotations.Test;

/** The reactive-streams TCK over a listing of the chunks of two manifests. */
@Test
public class ChunkListTckTest extends PublisherContract<Object> {
  @Override
  public long maxElementsFromPublisher() {
    return 300;
  }

  @Override
  public Publisher<Object> createPublisher(long elements) {
    List<Ref> first = new ArrayList<>();
    List<Ref> second = new ArrayList<>();
    for (int i = 0; i < elements; i++) {
      (i < elements / 2 ? first : second).add(Ref.inline(new byte[] {1}, i));
    }
    Store place =
        new WrittenRepository()
            .array("/a", "{}", new int[] {Math.max(1, (int) elements)}, first, second)
            .store();
    Store store =
        Objects.requireNonNull(
            Waiting.await(
                Icechunk.open(place).flatMap(found -> found.store(IcechunkVersion.MAIN))));
    return store.listPrefix(StorePrefix.of("a/c/")).cast(Object.class);
  }
}
