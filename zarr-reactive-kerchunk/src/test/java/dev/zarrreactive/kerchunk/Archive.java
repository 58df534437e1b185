package dev.zarrreactive.kerchunk;

import dev.zarrreactive.base.StoreKey;
import dev.zarrreactive.base.StorePrefix;
import dev.zarrreactive.store.Store;
import dev.zarrreactive.store.file.FileSystemStore;
import dev.zarrreactive.virtual.VirtualContainers;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;
import reactor.core.publisher.Mono;

/** The files, references and values that references.py has made. */
final class Archive {
  /** Those that are kept with the tests. */
  static final Archive KEPT = new Archive(kept());

  private final Path directory;

  Archive(Path directory) {
    this.directory = directory;
  }

  private static Path kept() {
    try {
      return Path.of(
              Objects.requireNonNull(Archive.class.getResource("references/values.tsv")).toURI())
          .getParent();
    } catch (URISyntaxException e) {
      throw new IllegalStateException(e);
    }
  }

  Path directory() {
    return directory;
  }

  /** The files that the references lead to. */
  Store data() {
    return FileSystemStore.open(directory.resolve("data"));
  }

  /** The values of an array, as Python reads them. */
  record Values(String set, String path, String dtype, String shape, String sha256) {}

  Stream<Values> values() {
    try {
      return Files.readAllLines(directory.resolve("values.tsv")).stream()
          .map(line -> line.split("\t", -1))
          .map(part -> new Values(part[0], part[1], part[2], part[3], part[4]));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  List<String> sets() {
    return values().map(Values::set).distinct().toList();
  }

  /** What the reader allows: the archive, by every name that the references give it. */
  VirtualContainers containers() {
    Store data = data();
    return VirtualContainers.builder()
        .allow("s3://archive/", data)
        .allow("file:///archive/", data)
        .build();
  }

  static KerchunkOptions options(String set) {
    KerchunkOptions options = KerchunkOptions.defaults();
    return switch (set) {
      case "null-url.json" -> options.withTarget("s3://archive/rows.bin");
      case "relative-base.json" -> options.withBase("s3://archive");
      default -> options;
    };
  }

  /** Opens a set. */
  Mono<Store> open(String set) {
    return open(set, containers());
  }

  /** Opens a set whose references may lead to other places. */
  Mono<Store> open(String set, VirtualContainers containers) {
    Store sets = FileSystemStore.open(directory);
    return set.endsWith(".parq")
        ? Kerchunk.open(sets, StorePrefix.of("sets/" + set + "/"), containers, options(set))
        : Kerchunk.open(sets, StoreKey.of("sets/" + set), containers, options(set));
  }
}
