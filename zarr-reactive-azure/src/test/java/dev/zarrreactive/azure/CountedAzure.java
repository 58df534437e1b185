package dev.zarrreactive.azure;

import dev.zarrreactive.faults.Connected;
import dev.zarrreactive.faults.CountedPools;
import dev.zarrreactive.faults.server.FaultyServer;
import java.time.Duration;
import java.util.function.UnaryOperator;

/** Stores in containers with counted connections. */
final class CountedAzure {
  private CountedAzure() {}

  static Connected store(
      FaultyServer server,
      String container,
      Duration stallTimeout,
      UnaryOperator<AzureStoreBuilder> settings) {
    CountedPools pools = new CountedPools(false);
    AzureStoreBuilder builder =
        AzureStore.at(ConnectionString.EMULATED, container)
            .endpoint(server.uri().resolve("/" + ConnectionString.EMULATED))
            .anonymous()
            .stallTimeout(stallTimeout)
            .counter(pools);
    return new Connected(settings.apply(builder).open(), pools::busy);
  }
}
