package dev.zarrreactive.gcs;

import dev.zarrreactive.testing.Counting;
import java.io.IOException;
import java.net.URI;

/** One of two processes that count in a bucket. */
final class CountingInGcs {
  private CountingInGcs() {}

  public static void main(String... arguments) throws IOException {
    Counting.count(
        GcsStore.at(arguments[1]).endpoint(URI.create(arguments[0])).open(),
        Integer.parseInt(arguments[2]));
    System.exit(0);
  }
}
