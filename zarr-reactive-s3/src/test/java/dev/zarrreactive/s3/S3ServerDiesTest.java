package dev.zarrreactive.s3;

import dev.zarrreactive.base.Bytes;
import dev.zarrreactive.base.StoreKey;
import dev.zarrreactive.faults.Connected;
import dev.zarrreactive.faults.ServerDies;
import dev.zarrreactive.faults.server.FaultyServer;
import dev.zarrreactive.testing.Waiting;
import java.time.Duration;

class S3ServerDiesTest extends ServerDies {
  private final S3ProxyServer s3 = S3ProxyServer.shared();
  private final String bucket = s3.newBucket();

  @Override
  protected void seed(String key, Bytes value) {
    S3Store objects = s3.at(bucket).open();
    Waiting.await(objects.set(StoreKey.of(key), value));
    Waiting.await(objects.close());
  }

  @Override
  protected FaultyServer serve() {
    return FaultyServer.before(s3.uri());
  }

  @Override
  protected Connected connect(FaultyServer server) {
    return CountedS3.store(
        server,
        bucket,
        Duration.ofSeconds(2),
        settings -> settings.credentials(S3ProxyServer.ACCESS_KEY, S3ProxyServer.SECRET_KEY));
  }
}
