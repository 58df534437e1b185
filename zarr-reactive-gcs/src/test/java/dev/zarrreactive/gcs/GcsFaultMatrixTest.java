package dev.zarrreactive.gcs;

import static dev.zarrreactive.testing.Waiting.await;

import dev.zarrreactive.base.Bytes;
import dev.zarrreactive.base.StoreKey;
import dev.zarrreactive.faults.Connected;
import dev.zarrreactive.faults.FaultMatrix;
import dev.zarrreactive.faults.server.FaultyServer;
import java.time.Duration;

/** The matrix of faults for the store in a bucket of Google, through a proxy that misbehaves. */
class GcsFaultMatrixTest extends FaultMatrix {
  private static final int SETUPS = 20;

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
  protected Connected connect(FaultyServer server, Duration stallTimeout) {
    Connected connected = CountedGcs.store(server, bucket, stallTimeout, settings -> settings);
    // the endpoint speaks the API; a busy machine may take longer than the short stall timeout
    await(connected.store().get(StoreKey.of("missing")).retry(SETUPS));
    server.forget();
    return connected;
  }
}
