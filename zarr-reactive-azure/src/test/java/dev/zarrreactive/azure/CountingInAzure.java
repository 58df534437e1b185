package dev.zarrreactive.azure;

import dev.zarrreactive.testing.Counting;
import java.io.IOException;
import java.net.URI;

/** One of two processes that count in a container. */
final class CountingInAzure {
  private CountingInAzure() {}

  public static void main(String... arguments) throws IOException {
    Counting.count(
        AzureStore.at(ConnectionString.EMULATED, arguments[1])
            .endpoint(URI.create(arguments[0]))
            .accountKey(ConnectionString.EMULATED_KEY)
            .open(),
        Integer.parseInt(arguments[2]));
    System.exit(0);
  }
}
