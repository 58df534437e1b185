package dev.zarrreactive.s3;

import dev.zarrreactive.store.Store;
import dev.zarrreactive.testkit.StoreContract;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;

/** The contract of a store at a server that was started elsewhere; see {@link RealServer}. */
@EnabledIfSystemProperty(named = RealServer.ENDPOINT, matches = ".+")
class S3RealServerContractTest extends StoreContract {
  @Override
  protected Store createStore() {
    return settings(RealServer.at(RealServer.bucket())).open();
  }

  S3StoreBuilder settings(S3StoreBuilder builder) {
    return builder;
  }

  /** Several servers keep objects as files. */
  @Override
  protected boolean keysMayBePrefixes() {
    return Boolean.getBoolean("zarr.s3.keys-may-be-prefixes");
  }
}
