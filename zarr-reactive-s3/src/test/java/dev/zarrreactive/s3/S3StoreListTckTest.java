package dev.zarrreactive.s3;

import dev.zarrreactive.base.Bytes;
import dev.zarrreactive.base.StoreKey;
import dev.zarrreactive.testing.PublisherContract;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.reactivestreams.Publisher;
import org.testng.annotations.AfterClass;
import org.testng.annotations.Test;
import reactor.core.publisher.Flux;

/** The reactive-streams TCK over the listing of a bucket. */
@Test
public class S3StoreListTckTest extends PublisherContract<StoreKey> {
  private static final int MOST_KEYS = 300;
  private static final Duration PATIENCE = Duration.ofSeconds(30);

  private final List<S3Store> made = new ArrayList<>();

  @Override
  public long maxElementsFromPublisher() {
    return MOST_KEYS;
  }

  @Override
  public Publisher<StoreKey> createPublisher(long elements) {
    S3ProxyServer server = S3ProxyServer.shared();
    S3Store store = server.at(server.newBucket()).open();
    made.add(store);
    Flux.range(0, (int) elements)
        .flatMap(i -> store.set(StoreKey.of("d/" + i), Bytes.EMPTY), 16)
        .then()
        .block(PATIENCE);
    return store.list();
  }

  /** At the end of all: the TCK goes on with a listing while it begins the next one. */
  @AfterClass
  void close() {
    made.forEach(store -> store.close().block(PATIENCE));
    made.clear();
  }
}
