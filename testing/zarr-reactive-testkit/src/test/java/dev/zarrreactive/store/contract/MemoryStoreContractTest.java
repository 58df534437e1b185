package dev.zarrreactive.store.contract;

import dev.zarrreactive.store.Store;
import dev.zarrreactive.store.memory.MemoryStore;
import dev.zarrreactive.testkit.StoreContract;

class MemoryStoreContractTest extends StoreContract {
  @Override
  protected Store createStore() {
    return MemoryStore.create();
  }
}
