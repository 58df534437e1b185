package dev.zarrreactive.gcs;

import dev.zarrreactive.testing.JournaledWriter;
import java.net.URI;

/** A process that writes to a bucket until it is killed. */
final class KilledGcsWriter {
  private static final int PART = 1 << 20;

  private KilledGcsWriter() {}

  /** Large values go up in parts. */
  static GcsStore store(URI server, String bucket) {
    return GcsStore.at(bucket).endpoint(server).partSize(PART).open();
  }

  public static void main(String... arguments) {
    JournaledWriter.run(
        store(URI.create(arguments[0]), arguments[1]), Integer.parseInt(arguments[2]));
  }
}
