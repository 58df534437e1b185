package dev.zarrreactive.testkit;

import dev.zarrreactive.store.MemoryStore;
import dev.zarrreactive.store.Store;

class MemoryStoreContractTest extends StoreContract {
  @Override
  protected Store createStore() {
    return MemoryStore.create();
  }
}
