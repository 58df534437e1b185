package dev.zarrreactive.spark;

import dev.zarrreactive.azure.Azurite;
import dev.zarrreactive.gcs.XmlApiServer;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.BiConsumer;
import java.util.stream.Stream;

/**
 * The files of a directory in a bucket of a server that speaks as Google's, and in a container of
 * the emulator of Azure, where it is installed.
 */
final class FilesInClouds implements AutoCloseable {
  /** The key of the emulator, which is no secret, as a program finds it. */
  static final Map<String, String> VARIABLES =
      Map.of("AZURE_STORAGE_ACCOUNT", Azurite.ACCOUNT, "AZURE_STORAGE_KEY", Azurite.KEY);

  private static final String CHECKS = "checks=cells,writes";

  private final XmlApiServer google = XmlApiServer.start();
  private final List<List<String>> places = new ArrayList<>();

  private FilesInClouds(Path directory) throws IOException {
    String bucket = google.newBucket();
    put(directory, (name, value) -> google.put(bucket, name, value));
    places.add(List.of("gs://" + bucket + "/data", CHECKS, "store.endpoint=" + google.uri()));
    if (Azurite.isInstalled()) {
      Azurite azure = Azurite.shared();
      String container = azure.newContainer();
      put(directory, (name, value) -> azure.put(container, name, value));
      places.add(
          List.of(
              "az://" + container + "/data",
              CHECKS,
              "store.account=" + Azurite.ACCOUNT,
              "store.endpoint=" + azure.uri()));
    }
  }

  static FilesInClouds serve(Path directory) throws IOException {
    return new FilesInClouds(directory);
  }

  private static void put(Path directory, BiConsumer<String, byte[]> store) throws IOException {
    try (Stream<Path> files = Files.walk(directory)) {
      for (Path file : files.filter(Files::isRegularFile).toList()) {
        String name = directory.relativize(file).toString().replace(File.separatorChar, '/');
        store.accept("data/" + name, Files.readAllBytes(file));
      }
    }
  }

  /** The locations, each with its options. */
  List<List<String>> places() {
    return places;
  }

  @Override
  public void close() {
    google.close();
  }
}
