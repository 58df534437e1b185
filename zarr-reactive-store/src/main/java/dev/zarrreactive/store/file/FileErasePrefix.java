package dev.zarrreactive.store.file;

import dev.zarrreactive.base.StorePrefix;
import dev.zarrreactive.internal.partial.DeadWriters;
import dev.zarrreactive.internal.partial.PartialNames;
import dev.zarrreactive.internal.threads.FileThreads;
import java.io.IOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayDeque;
import java.util.Deque;
import org.jspecify.annotations.Nullable;

/**
 * Erases all values below a prefix, the hidden files of dead writers there, and the directories
 * that became empty, but not the base. Symbolic links are removed, and their targets are not
 * touched. The files of live writers stay, and so do their directories.
 */
final class FileErasePrefix implements FileThreads.Task {
  private final FileKeys keys;
  private final StorePrefix prefix;

  private boolean isClosed;

  FileErasePrefix(FileKeys keys, StorePrefix prefix) {
    this.keys = keys;
    this.prefix = prefix;
  }

  @Override
  public synchronized boolean attempt() throws IOException {
    Path directory = keys.directory(prefix);
    if (isClosed || !(Files.isDirectory(directory) || isDangling(directory))) {
      return true;
    }
    boolean isAll = directory.equals(keys.base());
    Path top = isAll ? directory.toRealPath() : directory; // a base may be a link, and stays one
    Visit visit = new Visit(isAll ? top : keys.base());
    try {
      Files.walkFileTree(top, visit);
    } finally {
      visit.close();
      keys.forgetNames();
    }
    if (!isAll) {
      FileEraser.removeEmpty(directory.getParent(), keys.base());
    }
    return !visit.isBusy;
  }

  @Override
  public synchronized void close() {
    isClosed = true;
  }

  /** Returns true for a link that leads nowhere: it may stand for a directory. */
  private static boolean isDangling(Path path) {
    return Files.isSymbolicLink(path) && !Files.exists(path);
  }

  private static final class Visit extends LiveTreeVisitor {
    private final Path base;
    private final Deque<FileEraser> erasers = new ArrayDeque<>();
    private boolean isBusy;

    Visit(Path base) {
      this.base = base;
    }

    @Override
    public FileVisitResult preVisitDirectory(Path directory, BasicFileAttributes attributes)
        throws IOException {
      erasers.push(new FileEraser());
      DeadWriters.clean(directory);
      return FileVisitResult.CONTINUE;
    }

    @Override
    public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) throws IOException {
      FileThreads.checkInterrupt();
      if (!PartialNames.isHidden(String.valueOf(file.getFileName()))) {
        FileEraser eraser = erasers.peek();
        if (eraser == null) { // the prefix is a link to a directory
          eraser = new FileEraser();
          erasers.push(eraser);
        }
        isBusy |= !eraser.erase(file, () -> {});
      }
      return FileVisitResult.CONTINUE;
    }

    @Override
    public FileVisitResult postVisitDirectory(Path directory, @Nullable IOException error)
        throws IOException {
      erasers.pop().close();
      if (error != null && !(error instanceof NoSuchFileException)) {
        throw error;
      }
      if (!directory.equals(base)) {
        FileEraser.removeIfEmpty(directory);
      }
      return FileVisitResult.CONTINUE;
    }

    /** Removes the erasers' own files, even after an error. */
    void close() {
      erasers.forEach(FileEraser::close);
    }
  }
}
