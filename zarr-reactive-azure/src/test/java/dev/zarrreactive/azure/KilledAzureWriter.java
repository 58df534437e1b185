package dev.zarrreactive.azure;

import dev.zarrreactive.testing.JournaledWriter;
import java.net.URI;

/** A process that writes to a container until it is killed. */
final class KilledAzureWriter {
  private static final int PART = 1 << 20;

  private KilledAzureWriter() {}

  /** Large values go up in parts. */
  static AzureStore store(URI server, String container) {
    return AzureStore.at(ConnectionString.EMULATED, container)
        .endpoint(server)
        .accountKey(ConnectionString.EMULATED_KEY)
        .partSize(PART)
        .open();
  }

  public static void main(String... arguments) {
    JournaledWriter.run(
        store(URI.create(arguments[0]), arguments[1]), Integer.parseInt(arguments[2]));
  }
}
