package dev.zarrreactive.gcs;

import static dev.zarrreactive.testing.Waiting.await;

import dev.zarrreactive.base.StoreKey;
import dev.zarrreactive.testing.PublisherContract;
import java.util.ArrayList;
import java.util.List;
import org.reactivestreams.Publisher;
import org.testng.annotations.AfterClass;
import org.testng.annotations.Test;

/** The reactive-streams TCK over the listing of a bucket. */
@Test
public class GcsStoreListTckTest extends PublisherContract<StoreKey> {
  private static final int MOST_KEYS = 300;

  private final XmlApiServer server = XmlApiServer.start();
  private final List<GcsStore> made = new ArrayList<>();

  @Override
  public long maxElementsFromPublisher() {
    return MOST_KEYS;
  }

  @Override
  public Publisher<StoreKey> createPublisher(long elements) {
    server.pagesOf(100);
    String bucket = server.newBucket();
    GcsStore store = server.at(bucket).open();
    made.add(store);
    for (int i = 0; i < elements; i++) {
      server.put(bucket, "d/" + i, new byte[0]);
    }
    return store.list();
  }

  /** At the end of all: the TCK goes on with a listing while it begins the next one. */
  @AfterClass
  void close() {
    made.forEach(store -> await(store.close()));
    made.clear();
    server.close();
  }
}
