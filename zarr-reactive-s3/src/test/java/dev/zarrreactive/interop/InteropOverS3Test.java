package dev.zarrreactive.interop;

import dev.zarrreactive.faults.NoLeaks;
import dev.zarrreactive.s3.S3ProxyServer;
import dev.zarrreactive.s3.S3Store;
import dev.zarrreactive.store.Store;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.extension.ExtendWith;

/** What other implementations wrote reads over S3 as it does from disk. */
@ExtendWith(NoLeaks.class)
class InteropOverS3Test extends InteropOverStore {
  private static final S3ProxyServer SERVER = S3ProxyServer.shared();
  private static final String BUCKET = SERVER.newBucket();
  private static S3Store store;

  @BeforeAll
  static void open() {
    store = SERVER.at(BUCKET).open();
  }

  @AfterAll
  static void close() {
    store.close().block();
  }

  @Override
  void put(String key, byte[] value) {
    SERVER.put(BUCKET, key, value);
  }

  @Override
  Store store(Fixture fixture) {
    return store;
  }
}
