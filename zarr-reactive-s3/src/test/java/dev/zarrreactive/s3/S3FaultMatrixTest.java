package dev.zarrreactive.s3;

import dev.zarrreactive.base.Bytes;
import dev.zarrreactive.base.StoreKey;
import dev.zarrreactive.faults.Connected;
import dev.zarrreactive.faults.FaultMatrix;
import dev.zarrreactive.faults.server.FaultyServer;
import dev.zarrreactive.testing.Waiting;
import java.time.Duration;
import org.junit.jupiter.api.AfterAll;

/**
 * The matrix of faults for the store over S3, through a proxy before S3Proxy. Requests are not
 * signed: a proxy that takes the range out of one makes its signature wrong.
 */
class S3FaultMatrixTest extends FaultMatrix {
  private static final int SETUPS = 20;

  /** Longer than over HTTP: an answer goes through a proxy and another server of the same JVM. */
  private final S3ProxyServer signed = S3ProxyServer.shared();

  private final String bucket = signed.newBucket();
  private final S3Store objects = signed.at(bucket).open();
  private final AnonymousS3Proxy s3 = AnonymousS3Proxy.of(signed);

  @AfterAll
  void stop() {
    Waiting.await(objects.close());
    s3.close();
  }

  @Override
  protected void seed(String key, Bytes value) {
    objects.set(StoreKey.of(key), value).block(OneValue.PATIENCE);
  }

  @Override
  protected FaultyServer serve() {
    return FaultyServer.before(s3.uri());
  }

  /** The settings of the store; those of the way of its reads are a subclass's. */
  S3StoreBuilder settings(S3StoreBuilder builder) {
    return builder.anonymous();
  }

  @Override
  protected Connected connect(FaultyServer server, Duration stallTimeout) {
    Connected connected = CountedS3.store(server, bucket, stallTimeout, this::settings);
    // the endpoint speaks S3; a busy machine may take longer than the short stall timeout
    Waiting.await(connected.store().get(StoreKey.of("missing")).retry(SETUPS));
    server.forget();
    return connected;
  }
}
