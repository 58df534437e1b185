package dev.zarrreactive.store.file;

import java.io.IOException;
import java.nio.file.FileVisitResult;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;

/** Visits a tree of files that other programs change meanwhile: a file that is gone is no error. */
abstract class LiveTreeVisitor extends SimpleFileVisitor<Path> {
  @Override
  public final FileVisitResult visitFileFailed(Path file, IOException error) throws IOException {
    if (error instanceof NoSuchFileException) {
      return FileVisitResult.CONTINUE;
    }
    throw error;
  }
}
