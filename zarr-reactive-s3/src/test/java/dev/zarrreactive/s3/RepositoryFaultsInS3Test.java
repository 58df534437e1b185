package dev.zarrreactive.s3;

import dev.zarrreactive.base.Bytes;
import dev.zarrreactive.base.StoreKey;
import dev.zarrreactive.faults.Connected;
import dev.zarrreactive.faults.server.FaultyServer;
import dev.zarrreactive.icechunk.RepositoryFaultMatrix;
import dev.zarrreactive.testing.Waiting;
import java.time.Duration;
import org.junit.jupiter.api.AfterAll;

/** The faults at the files of an Icechunk repository in S3, through a proxy before S3Proxy. */
class RepositoryFaultsInS3Test extends RepositoryFaultMatrix {
  private static final int SETUPS = 20;

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

  @Override
  protected Connected connect(FaultyServer server, Duration stallTimeout) {
    Connected connected =
        CountedS3.store(server, bucket, stallTimeout, builder -> builder.anonymous());
    // the endpoint speaks S3; a busy machine may take longer than the short stall timeout
    Waiting.await(connected.store().get(StoreKey.of("missing")).retry(SETUPS));
    server.forget();
    return connected;
  }
}
