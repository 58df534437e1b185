package dev.zarrreactive.s3;

import dev.zarrreactive.faults.NoLeaks;
import dev.zarrreactive.store.Store;
import dev.zarrreactive.store.decorator.RetryOptions;
import dev.zarrreactive.store.decorator.Stores;
import dev.zarrreactive.testing.Slow;
import dev.zarrreactive.testkit.StoreContract;
import java.util.Set;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.extension.ExtendWith;

/** A store over S3 keeps the contract. */
@ExtendWith(NoLeaks.class)
class S3StoreContractTest {
  @Nested
  class AllOfABucket extends OnS3Proxy {}

  @Nested
  class BelowAPrefix extends OnS3Proxy {
    @Override
    S3StoreBuilder settings(S3StoreBuilder builder) {
      return builder.prefix("below/a prefix+%");
    }
  }

  /**
   * A body that is not hashed before follows its headers. S3Proxy may refuse a condition, and close
   * the connection, before the body has come.
   */
  @Nested
  @Slow
  class WithUnsignedBodiesAndWithoutConditionalWrites extends OnS3Proxy {
    @Override
    S3StoreBuilder settings(S3StoreBuilder builder) {
      return builder.unsignedPayload(true).conditionalWrites(false);
    }
  }

  /** S3Proxy reads no trailers, and closes the connection where they are still to come. */
  @Nested
  @Slow
  class WithChecksumsAndWithoutConditionalWrites extends OnS3Proxy {
    @Override
    S3StoreBuilder settings(S3StoreBuilder builder) {
      return builder.checksumsWhenSupported(true).conditionalWrites(false);
    }

    @Override
    Store decorated(S3Store store) {
      return Stores.retrying(store, RetryOptions.defaults());
    }
  }

  @Nested
  @Slow
  class WithReadsBySdk extends OnS3Proxy {
    @Override
    S3StoreBuilder settings(S3StoreBuilder builder) {
      return builder.with(client -> client.readsBySdk = true);
    }
  }

  @Nested
  class WithRetries extends OnS3Proxy {
    @Override
    Store decorated(S3Store store) {
      return Stores.retrying(store, RetryOptions.defaults());
    }
  }

  abstract static class OnS3Proxy extends StoreContract {
    S3StoreBuilder settings(S3StoreBuilder builder) {
      return builder;
    }

    Store decorated(S3Store store) {
      return store;
    }

    @Override
    protected Store createStore() {
      S3ProxyServer server = S3ProxyServer.shared();
      return decorated(settings(server.at(server.newBucket())).open());
    }

    /** S3 can; S3Proxy keeps its objects in directories, and answers 500. */
    @Override
    protected boolean keysMayBePrefixes() {
      return false;
    }

    @Override
    protected Set<String> secrets() {
      return Set.of(S3ProxyServer.SECRET_KEY);
    }
  }
}
