package dev.zarrreactive.store.contract;

import dev.zarrreactive.store.Store;
import org.reactivestreams.Publisher;
import org.testng.annotations.Test;

@Test
public class FileSystemStoreListTckTest extends FileSystemListingVerification {
  @Override
  Publisher<?> listing(Store store) {
    return store.list();
  }
}
