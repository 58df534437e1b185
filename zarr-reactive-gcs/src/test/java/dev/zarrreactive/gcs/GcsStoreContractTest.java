package dev.zarrreactive.gcs;

import dev.zarrreactive.faults.NoLeaks;
import dev.zarrreactive.store.Store;
import dev.zarrreactive.store.decorator.RetryOptions;
import dev.zarrreactive.store.decorator.Stores;
import dev.zarrreactive.testing.Slow;
import dev.zarrreactive.testkit.StoreContract;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.extension.ExtendWith;

/** A store in a bucket of Google keeps the contract. */
@ExtendWith(NoLeaks.class)
class GcsStoreContractTest {
  @Nested
  class AllOfABucket extends OnXmlApi {}

  @Nested
  @Slow
  class BelowAPrefix extends OnXmlApi {
    @Override
    GcsStoreBuilder settings(GcsStoreBuilder builder) {
      return builder.prefix("below/a prefix+%");
    }
  }

  @Nested
  class BelowAnOddPrefix extends OnXmlApi {
    @Override
    GcsStoreBuilder settings(GcsStoreBuilder builder) {
      return builder.prefix("a//b/./../c");
    }
  }

  @Nested
  class InSmallParts extends OnXmlApi {
    @Override
    GcsStoreBuilder settings(GcsStoreBuilder builder) {
      return builder.partSize(256 << 10);
    }
  }

  @Nested
  class WithRetries extends OnXmlApi {
    @Override
    Store decorated(GcsStore store) {
      return Stores.retrying(store, RetryOptions.defaults());
    }
  }

  abstract static class OnXmlApi extends StoreContract {
    GcsStoreBuilder settings(GcsStoreBuilder builder) {
      return builder;
    }

    Store decorated(GcsStore store) {
      return store;
    }

    @Override
    protected Store createStore() {
      XmlApiServer server = XmlApiServer.shared();
      return decorated(settings(server.at(server.newBucket())).open());
    }
  }
}
