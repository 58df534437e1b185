package dev.zarrreactive.s3;

import static dev.zarrreactive.testing.Waiting.await;
import static org.assertj.core.api.Assertions.assertThat;

import dev.zarrreactive.base.Bytes;
import dev.zarrreactive.base.StoreKey;
import dev.zarrreactive.faults.server.FaultyServer;
import java.time.Duration;
import java.util.Random;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.function.UnaryOperator;

/** A bucket with one value behind a proxy that misbehaves, and a store over it. */
final class OneValue implements AutoCloseable {
  static final StoreKey KEY = StoreKey.of("a/c/0");
  static final Duration PATIENCE = Duration.ofSeconds(60);

  final FaultyServer server = FaultyServer.before(S3ProxyServer.shared().uri());
  final String bucket = S3ProxyServer.shared().newBucket();
  final Bytes value;
  final S3Store store;

  OneValue(int size, UnaryOperator<S3StoreBuilder> settings) {
    value = random(size);
    S3Store direct = S3ProxyServer.shared().at(bucket).open();
    await(direct.set(KEY, value));
    await(direct.close());
    S3StoreBuilder builder =
        S3Store.at(bucket)
            .endpoint(server.uri())
            .credentials(S3ProxyServer.ACCESS_KEY, S3ProxyServer.SECRET_KEY);
    store = settings.apply(builder).open();
  }

  OneValue(int size) {
    this(size, UnaryOperator.identity());
  }

  static Bytes random(int size) {
    byte[] random = new byte[size];
    new Random(size).nextBytes(random);
    return Bytes.wrap(random);
  }

  static void eventually(BooleanSupplier condition) {
    long end = System.nanoTime() + PATIENCE.toNanos();
    while (!condition.getAsBoolean()) {
      assertThat(System.nanoTime()).isLessThan(end);
      LockSupport.parkNanos(200_000);
    }
  }

  @Override
  public void close() {
    await(store.close());
    server.close();
  }
}
