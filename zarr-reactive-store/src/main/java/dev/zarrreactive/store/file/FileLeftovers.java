package dev.zarrreactive.store.file;

import dev.zarrreactive.internal.partial.DeadWriters;
import dev.zarrreactive.internal.threads.FileThreads;
import dev.zarrreactive.store.LeftoverStore.Leftover;
import java.io.IOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.List;

/**
 * Finds and removes the hidden files of dead writers below the base of a store, without following
 * links.
 */
final class FileLeftovers {
  private FileLeftovers() {}

  /** The hidden files of dead writers. */
  static List<Leftover> find(Path base) throws IOException {
    List<Leftover> found = new ArrayList<>();
    forEachDirectory(
        base,
        directory -> {
          for (Path file : DeadWriters.find(directory)) {
            String path = base.relativize(file).toString();
            String separator = base.getFileSystem().getSeparator();
            found.add(new Leftover(path.replace(separator, "/"), size(file)));
          }
        });
    return found;
  }

  /** Removes the hidden files of dead writers, and counts them. */
  static long clean(Path base) throws IOException {
    long[] removed = {0};
    forEachDirectory(base, directory -> removed[0] += DeadWriters.clean(directory));
    return removed[0];
  }

  private interface Visit {
    void of(Path directory) throws IOException;
  }

  private static void forEachDirectory(Path base, Visit visit) throws IOException {
    if (!Files.exists(base)) {
      return;
    }
    FileErrors.refuseFile(base);
    Path top = base.toRealPath();
    Files.walkFileTree(
        top,
        new LiveTreeVisitor() {
          @Override
          public FileVisitResult preVisitDirectory(Path directory, BasicFileAttributes attributes)
              throws IOException {
            FileThreads.checkInterrupt();
            visit.of(base.resolve(top.relativize(directory)));
            return FileVisitResult.CONTINUE;
          }
        });
  }

  private static long size(Path file) throws IOException {
    try {
      return Files.size(file);
    } catch (NoSuchFileException e) {
      return 0; // removed since
    }
  }
}
