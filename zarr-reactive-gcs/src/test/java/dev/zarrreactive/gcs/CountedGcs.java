package dev.zarrreactive.gcs;

import dev.zarrreactive.faults.Connected;
import dev.zarrreactive.faults.CountedPools;
import dev.zarrreactive.faults.server.FaultyServer;
import java.time.Duration;
import java.util.function.UnaryOperator;

/** Stores in buckets with counted connections. */
final class CountedGcs {
  private CountedGcs() {}

  static Connected store(
      FaultyServer server,
      String bucket,
      Duration stallTimeout,
      UnaryOperator<GcsStoreBuilder> settings) {
    CountedPools pools = new CountedPools(false);
    GcsStoreBuilder builder =
        GcsStore.at(bucket).endpoint(server.uri()).stallTimeout(stallTimeout).counter(pools);
    return new Connected(settings.apply(builder).open(), pools::busy);
  }
}
