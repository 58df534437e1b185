package dev.zarrreactive.store.contract;

import dev.zarrreactive.store.Store;
import dev.zarrreactive.store.decorator.CacheOptions;
import dev.zarrreactive.store.decorator.Stores;
import dev.zarrreactive.store.memory.MemoryStore;
import org.reactivestreams.Publisher;
import org.testng.annotations.Test;

@Test
public class CachedStoreListTckTest extends ListingVerification {
  @Override
  Store createStore() {
    return Stores.cached(MemoryStore.create(), CacheOptions.ofBytes(1 << 20));
  }

  @Override
  Publisher<?> listing(Store store) {
    return store.list();
  }
}
