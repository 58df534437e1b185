package dev.zarrreactive.store.contract;

import dev.zarrreactive.base.Bytes;
import dev.zarrreactive.base.StoreKey;
import dev.zarrreactive.base.StorePrefix;
import dev.zarrreactive.store.Store;
import dev.zarrreactive.testing.PublisherContract;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.reactivestreams.Publisher;
import org.testng.annotations.AfterMethod;
import reactor.core.publisher.Flux;

/** The reactive-streams TCK over the listings of a store. */
abstract class ListingVerification extends PublisherContract<Object> {
  private static final int MOST_KEYS = 300;
  private static final Duration TIMEOUT = Duration.ofSeconds(30);

  private final List<Store> made = new ArrayList<>();

  abstract Store createStore();

  abstract Publisher<?> listing(Store store);

  @Override
  public long maxElementsFromPublisher() {
    return MOST_KEYS;
  }

  @Override
  public Publisher<Object> createPublisher(long elements) {
    Store store = createStore();
    made.add(store);
    Flux.range(0, (int) elements)
        .concatMap(i -> store.set(StoreKey.of("d/" + i), Bytes.EMPTY))
        .then()
        .block(TIMEOUT);
    return Flux.from(listing(store)).cast(Object.class);
  }

  @AfterMethod
  void close() {
    made.forEach(store -> store.close().block(TIMEOUT));
    made.clear();
  }

  static final StorePrefix DIRECTORY = StorePrefix.of("d/");
}
