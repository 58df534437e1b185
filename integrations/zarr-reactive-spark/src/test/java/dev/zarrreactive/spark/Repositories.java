package dev.zarrreactive.spark;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Objects;
import java.util.stream.Stream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipInputStream;

/**
 * A repository that Python's icechunk has written. Its branch {@code main} has three days of a
 * dataset; after {@link #commit} it has five.
 */
final class Repositories {
  /** The snapshot with three days. */
  static final String THREE_DAYS = "VQYWSJFAKXVAW0EVNJE0";

  /** The snapshot with five days. */
  static final String FIVE_DAYS = "BE2ZBAMZBGY44SC4K2WG";

  private static final String ARCHIVE = "/dev/zarrreactive/icechunk/repositories.zip";

  private Repositories() {}

  /** Unpacks one of the repositories into a directory. */
  static void unpack(String name, Path target) {
    try (InputStream file =
            Objects.requireNonNull(Repositories.class.getResourceAsStream(ARCHIVE));
        ZipInputStream archive = new ZipInputStream(file)) {
      for (ZipEntry entry = archive.getNextEntry(); entry != null; entry = archive.getNextEntry()) {
        if (entry.getName().startsWith(name + "/") && !entry.isDirectory()) {
          Path to = target.resolve(entry.getName().substring(name.length() + 1));
          Files.createDirectories(to.getParent());
          Files.write(to, archive.readAllBytes());
        }
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Makes the repository with three days in it; the state after the next commit lies beside it. */
  static void write(Path target) {
    unpack("dataset-v2", target);
    try (Stream<Path> states = Files.list(target.resolve("overwritten"))) {
      Files.move(target.resolve("repo"), newer(target));
      // numbers of states count down
      Files.copy(states.sorted().findFirst().orElseThrow(), target.resolve("repo"));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static Path newer(Path target) {
    return target.resolveSibling(target.getFileName() + ".newer");
  }

  /** Moves the branch to five days. */
  static void commit(Path target) {
    try {
      Files.copy(newer(target), target.resolve("repo"), StandardCopyOption.REPLACE_EXISTING);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
