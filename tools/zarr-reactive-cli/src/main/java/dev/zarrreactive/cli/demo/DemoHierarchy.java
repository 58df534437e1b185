package dev.zarrreactive.cli.demo;

import dev.zarrreactive.base.Bytes;
import dev.zarrreactive.base.StoreKey;
import dev.zarrreactive.store.Precondition;
import dev.zarrreactive.store.Store;
import dev.zarrreactive.store.memory.MemoryStore;
import java.io.IOException;
import java.net.JarURLConnection;
import java.net.URISyntaxException;
import java.net.URL;
import java.nio.file.FileSystem;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.stream.Stream;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/** The hierarchy that comes with this program, whose files are resources. */
public final class DemoHierarchy {
  private static final String RESOURCES = "/demo/earth.zarr/";

  private DemoHierarchy() {}

  /** Emits the hierarchy in a store in memory. Blocks the subscriber while it reads. */
  public static Mono<Store> inMemory() {
    return Mono.defer(
        () -> {
          Store store = MemoryStore.create();
          return copyTo(store).thenReturn(store);
        });
  }

  /** Writes the hierarchy into a store, and replaces no key. Blocks the subscriber. */
  public static Mono<Void> copyTo(Store store) {
    return Mono.fromCallable(DemoHierarchy::values)
        .flatMapMany(values -> Flux.fromIterable(values.entrySet()))
        .concatMap(value -> store.set(value.getKey(), value.getValue(), Precondition.ABSENT))
        .then();
  }

  private static Map<StoreKey, Bytes> values() throws IOException, URISyntaxException {
    URL root =
        Objects.requireNonNull(
            DemoHierarchy.class.getResource(RESOURCES + "zarr.json"), "the demo is not there");
    if (root.openConnection() instanceof JarURLConnection connection) {
      Path jar = Path.of(connection.getJarFileURL().toURI());
      try (FileSystem inJar = FileSystems.newFileSystem(jar)) {
        return valuesBelow(inJar.getPath(RESOURCES));
      }
    }
    return valuesBelow(Path.of(root.toURI()).resolveSibling(""));
  }

  private static Map<StoreKey, Bytes> valuesBelow(Path directory) throws IOException {
    Map<StoreKey, Bytes> values = new TreeMap<>();
    try (Stream<Path> files = Files.walk(directory)) {
      for (Path file : files.filter(Files::isRegularFile).toList()) {
        String key = directory.relativize(file).toString().replace('\\', '/');
        values.put(StoreKey.of(key), Bytes.wrap(Files.readAllBytes(file)));
      }
    }
    return values;
  }
}
