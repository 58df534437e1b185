package dev.zarrreactive.azure;

import static dev.zarrreactive.testing.Waiting.await;

import dev.zarrreactive.base.Bytes;
import dev.zarrreactive.base.StoreKey;
import dev.zarrreactive.testing.PublisherContract;
import java.util.ArrayList;
import java.util.List;
import org.opentest4j.TestAbortedException;
import org.reactivestreams.Publisher;
import org.testng.SkipException;
import org.testng.annotations.AfterClass;
import org.testng.annotations.BeforeClass;
import org.testng.annotations.Test;

/** The reactive-streams TCK over the listing of a container. */
@Test
public class AzureStoreListTckTest extends PublisherContract<StoreKey> {
  private static final int MOST_KEYS = 300;

  private final List<AzureStore> made = new ArrayList<>();

  /** Skips all where there is no server. */
  @BeforeClass
  void start() {
    try {
      Azurite.shared();
    } catch (TestAbortedException e) {
      throw new SkipException(e.getMessage(), e);
    }
  }

  @Override
  public long maxElementsFromPublisher() {
    return MOST_KEYS;
  }

  @Override
  public Publisher<StoreKey> createPublisher(long elements) {
    Azurite server = Azurite.shared();
    String container = server.newContainer();
    AzureStore store = server.at(container).open();
    made.add(store);
    for (int i = 0; i < elements; i++) {
      await(store.set(StoreKey.of("d/" + i), Bytes.EMPTY));
    }
    return store.list();
  }

  /** At the end of all: the TCK goes on with a listing while it begins the next one. */
  @AfterClass
  void close() {
    made.forEach(store -> await(store.close()));
    made.clear();
  }
}
