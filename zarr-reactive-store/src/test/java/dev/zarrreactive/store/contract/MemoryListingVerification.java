package dev.zarrreactive.store.contract;

import dev.zarrreactive.store.Store;
import dev.zarrreactive.store.memory.MemoryStore;

abstract class MemoryListingVerification extends ListingVerification {
  @Override
  final Store createStore() {
    return MemoryStore.create();
  }
}
