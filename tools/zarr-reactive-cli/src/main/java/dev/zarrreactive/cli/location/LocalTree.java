package dev.zarrreactive.cli.location;

import dev.zarrreactive.internal.partial.PartialNames;
import java.io.IOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;

/**
 * The files of a directory, counted without following symbolic links. Hidden files of writers do
 * not count.
 *
 * @param files the number of files that are no links
 * @param bytes the size of these files
 * @param links the number of symbolic links, to files, to directories and to nothing
 */
public record LocalTree(long files, long bytes, long links) {
  /** Counts what is at {@code top} and below it. Blocks. */
  public static LocalTree at(Path top) throws IOException {
    Count count = new Count();
    Files.walkFileTree(top, count);
    return new LocalTree(count.files, count.bytes, count.links);
  }

  private static final class Count extends SimpleFileVisitor<Path> {
    private long files;
    private long bytes;
    private long links;

    @Override
    public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) {
      if (attributes.isSymbolicLink()) {
        links++;
      } else if (!PartialNames.isHidden(String.valueOf(file.getFileName()))) {
        files++;
        bytes += attributes.isRegularFile() ? attributes.size() : 0;
      }
      return FileVisitResult.CONTINUE;
    }

    @Override
    public FileVisitResult visitFileFailed(Path file, IOException error) throws IOException {
      if (error instanceof NoSuchFileException) {
        return FileVisitResult.CONTINUE; // removed meanwhile
      }
      throw error;
    }
  }
}
