package dev.zarrreactive.store.contract;

import dev.zarrreactive.store.Store;
import org.reactivestreams.Publisher;
import org.testng.annotations.Test;

@Test
public class MemoryStoreListPrefixTckTest extends MemoryListingVerification {
  @Override
  Publisher<?> listing(Store store) {
    return store.listPrefix(DIRECTORY);
  }
}
