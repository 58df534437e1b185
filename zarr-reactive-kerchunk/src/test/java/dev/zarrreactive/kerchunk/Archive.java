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
  static final Path DIRECTORY = directory();

  /** The files that the references lead to. */
  static final Store DATA = FileSystemStore.open(DIRECTORY.resolve("data"));

  /** The reference sets, in {@code sets/}. */
  static final Store SETS = FileSystemStore.open(DIRECTORY);

  private Archive() {}

  private static Path directory() {
    try {
      return Path.of(
              Objects.requireNonNull(Archive.class.getResource("references/values.tsv")).toURI())
          .getParent();
    } catch (URISyntaxException e) {
      throw new IllegalStateException(e);
    }
  }

  /** The values of an array, as Python reads them. */
  record Values(String set, String path, String dtype, String shape, String sha256) {}

  static Stream<Values> values() {
    try {
      return Files.readAllLines(DIRECTORY.resolve("values.tsv")).stream()
          .map(line -> line.split("\t", -1))
          .map(part -> new Values(part[0], part[1], part[2], part[3], part[4]));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  static List<String> sets() {
    return values().map(Values::set).distinct().toList();
  }

  /** What the reader allows: the archive, by every name that the references give it. */
  static VirtualContainers containers() {
    return VirtualContainers.builder()
        .allow("s3://archive/", DATA)
        .allow("file:///archive/", DATA)
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
  static Mono<Store> open(String set) {
    return set.endsWith(".parq")
        ? Kerchunk.open(SETS, StorePrefix.of("sets/" + set + "/"), containers(), options(set))
        : Kerchunk.open(SETS, StoreKey.of("sets/" + set), containers(), options(set));
  }
}
