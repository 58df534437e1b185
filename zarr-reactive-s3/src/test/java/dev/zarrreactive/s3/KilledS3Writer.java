package dev.zarrreactive.s3;

import dev.zarrreactive.testing.JournaledWriter;
import java.net.URI;

/** A process that writes to a bucket until it is killed. */
final class KilledS3Writer {
  private static final int PART = 5 << 20;

  private KilledS3Writer() {}

  /** Large values go up in parts. */
  static S3Store store(URI server, String bucket) {
    return S3Store.at(bucket)
        .endpoint(server)
        .credentials(S3ProxyServer.ACCESS_KEY, S3ProxyServer.SECRET_KEY)
        .multipart(PART, PART)
        .open();
  }

  public static void main(String... arguments) {
    JournaledWriter.run(
        store(URI.create(arguments[0]), arguments[1]), Integer.parseInt(arguments[2]));
  }
}
