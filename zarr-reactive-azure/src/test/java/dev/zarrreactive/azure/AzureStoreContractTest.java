package dev.zarrreactive.azure;

import dev.zarrreactive.faults.NoLeaks;
import dev.zarrreactive.store.Store;
import dev.zarrreactive.store.decorator.RetryOptions;
import dev.zarrreactive.store.decorator.Stores;
import dev.zarrreactive.testkit.StoreContract;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.extension.ExtendWith;

/** A store in a container of Azure keeps the contract. */
@ExtendWith(NoLeaks.class)
class AzureStoreContractTest {
  @Nested
  class AllOfABucket extends OnXmlApi {}

  @Nested
  class BelowAPrefix extends OnXmlApi {
    @Override
    AzureStoreBuilder settings(AzureStoreBuilder builder) {
      return builder.prefix("below/a prefix+%");
    }
  }

  @Nested
  class BelowAnOddPrefix extends OnXmlApi {
    @Override
    AzureStoreBuilder settings(AzureStoreBuilder builder) {
      return builder.prefix("a//b/./../c");
    }
  }

  @Nested
  class InSmallParts extends OnXmlApi {
    @Override
    AzureStoreBuilder settings(AzureStoreBuilder builder) {
      return builder.partSize(64 << 10);
    }
  }

  @Nested
  class WithRetries extends OnXmlApi {
    @Override
    Store decorated(AzureStore store) {
      return Stores.retrying(store, RetryOptions.defaults());
    }
  }

  abstract static class OnXmlApi extends StoreContract {
    AzureStoreBuilder settings(AzureStoreBuilder builder) {
      return builder;
    }

    Store decorated(AzureStore store) {
      return store;
    }

    @Override
    protected Store createStore() {
      Azurite server = Azurite.shared();
      return decorated(settings(server.at(server.newContainer())).open());
    }
  }
}
