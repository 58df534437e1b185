package dev.zarrreactive.icechunk;

import dev.zarrreactive.store.Store;
import dev.zarrreactive.testing.PublisherContract;
import dev.zarrreactive.testing.Waiting;
import java.util.Objects;
import org.reactivestreams.Publisher;
import org.testng.annotations.Test;

/** The reactive-streams TCK over a history that is read snapshot by snapshot. */
@Test
public class HistoryTckTest extends PublisherContract<Object> {
  @Override
  public long maxElementsFromPublisher() {
    return 300;
  }

  @Override
  public Publisher<Object> createPublisher(long elements) {
    Store store = WrittenRepository.oldHistory(Math.max(1, (int) elements));
    return Objects.requireNonNull(Waiting.await(Icechunk.open(store)))
        .history(IcechunkVersion.MAIN)
        .skip(elements == 0 ? 1 : 0)
        .cast(Object.class);
  }
}
