package dev.zarrreactive.gcs;

import dev.zarrreactive.base.Bytes;
import dev.zarrreactive.faults.Connected;
import dev.zarrreactive.faults.ServerDies;
import dev.zarrreactive.faults.server.FaultyServer;
import java.time.Duration;

class GcsServerDiesTest extends ServerDies {
  private final XmlApiServer google = XmlApiServer.shared();
  private final String bucket = google.newBucket();

  @Override
  protected void seed(String key, Bytes value) {
    google.put(bucket, key, value.toByteArray());
  }

  @Override
  protected FaultyServer serve() {
    return FaultyServer.before(google.uri());
  }

  @Override
  protected Connected connect(FaultyServer server) {
    return CountedGcs.store(server, bucket, Duration.ofSeconds(2), settings -> settings);
  }
}
