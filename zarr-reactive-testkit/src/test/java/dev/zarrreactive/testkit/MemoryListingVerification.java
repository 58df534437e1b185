package dev.zarrreactive.testkit;

import dev.zarrreactive.store.MemoryStore;
import dev.zarrreactive.store.Store;

abstract class MemoryListingVerification extends ListingVerification {
  @Override
  final Store createStore() {
    return MemoryStore.create();
  }
}
