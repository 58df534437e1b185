package dev.zarrreactive.docs;

import dev.zarrreactive.store.Store;
import dev.zarrreactive.testkit.StoreContract;

// docs: store-contract
class KeyValueStoreContractTest extends StoreContract {
  @Override
  protected Store createStore() {
    return new KeyValueStore(new MapClient());
  }
}
// docs: end
