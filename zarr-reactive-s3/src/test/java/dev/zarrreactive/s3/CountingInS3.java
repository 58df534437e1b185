package dev.zarrreactive.s3;

import static dev.zarrreactive.testing.Waiting.await;

import dev.zarrreactive.testing.ChildProcess;
import dev.zarrreactive.testing.Counting;
import java.io.IOException;
import java.net.URI;

/** One of two processes that count in a bucket. */
final class CountingInS3 {
  private static final String REAL = "real";

  private CountingInS3() {}

  private static S3StoreBuilder at(String server, String bucket) {
    return server.equals(REAL)
        ? RealServer.at(bucket)
        : S3Store.at(bucket)
            .endpoint(URI.create(server))
            .credentials(S3ProxyServer.ACCESS_KEY, S3ProxyServer.SECRET_KEY);
  }

  static void run(S3ProxyServer server) {
    run(server.uri().toString(), server.newBucket());
  }

  static void runAtRealServer() {
    run(REAL, RealServer.bucket());
  }

  private static void run(String server, String bucket) {
    S3Store store = at(server, bucket).open();
    Counting.run(
        store, process -> ChildProcess.start(CountingInS3.class, server, bucket, "" + process));
    await(store.close());
  }

  public static void main(String... arguments) throws IOException {
    Counting.count(at(arguments[0], arguments[1]).open(), Integer.parseInt(arguments[2]));
    System.exit(0);
  }
}
