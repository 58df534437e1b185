package dev.zarrreactive.testkit;

import dev.zarrreactive.store.Store;
import dev.zarrreactive.store.memory.MemoryStore;

class MemoryStoreContractTest extends StoreContract {
  @Override
  protected Store createStore() {
    return MemoryStore.create();
  }
}
