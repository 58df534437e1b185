package dev.zarrreactive.store.file;

import dev.zarrreactive.error.AccessDeniedException;
import dev.zarrreactive.error.Location;
import dev.zarrreactive.error.MemoryExhaustedException;
import dev.zarrreactive.error.StoreException;
import dev.zarrreactive.error.TransientStoreException;
import dev.zarrreactive.error.UnsupportedFeatureException;
import dev.zarrreactive.error.ZarrException;
import dev.zarrreactive.internal.partial.PartialNames;
import dev.zarrreactive.internal.text.ForeignFile;
import dev.zarrreactive.internal.threads.FileThreads;
import java.io.IOException;
import java.io.InputStream;
import java.nio.channels.ClosedByInterruptException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/** Translates errors of the file system into errors of a store. */
final class FileErrors {
  private FileErrors() {}

  /**
   * Returns a translation of errors during {@code doing}, such as {@code read}, into located ones.
   */
  static FileThreads.Errors during(String doing, String key) {
    return new During(doing, key.isEmpty() ? Location.UNKNOWN : Location.ofKey(key));
  }

  private record During(String doing, Location place) implements FileThreads.Errors {
    @Override
    public StoreException of(IOException error) {
      String file = error instanceof FileSystemException at ? at.getFile() : null;
      String what = "cannot " + doing + (file == null ? "" : " " + file) + ": ";
      if (error instanceof ClosedByInterruptException) {
        return new StoreException(
            what + "the thread was interrupted by something other than a cancel", place, error);
      }
      if (error instanceof java.nio.file.AccessDeniedException) {
        return new AccessDeniedException(what + "the file system denies access", place, error);
      }
      return new StoreException(what + reason(error), place, error);
    }

    @Override
    public ZarrException of(OutOfMemoryError error) {
      return new MemoryExhaustedException(
          "to " + doing + " files", MemoryExhaustedException.UNKNOWN_SIZE, place, error);
    }
  }

  /** Returns the error of a change for which another process has held the lock for too long. */
  static StoreException held(String doing, String key) {
    return new TransientStoreException(
        "cannot "
            + doing
            + ": other processes have held the lock of the file for many seconds. The lock is a"
            + " hidden file "
            + PartialNames.START
            + "lock-* next to it. If no process is writing, a process of another machine may have"
            + " died: remove that file",
        Location.ofKey(key));
  }

  /**
   * Returns true if {@code error} says that {@code file} does not exist, or that its path leads
   * through a file. A base that is itself a file is an error.
   */
  static boolean isMissing(IOException error, Path file, Path base) throws IOException {
    if (!(error instanceof FileSystemException)) {
      return false;
    }
    refuseFile(base); // which Java 25 calls "no such file"
    if (error instanceof NoSuchFileException || FileKeys.isTooLong(file)) {
      return true;
    }
    for (Path above = file.getParent();
        above != null && !above.equals(base);
        above = above.getParent()) {
      if (Files.exists(above)) {
        return !Files.isDirectory(above);
      }
    }
    return false;
  }

  /** Fails if the base of a store is a file. */
  static void refuseFile(Path base) throws IOException {
    if (Files.exists(base) && !Files.isDirectory(base)) {
      ForeignFile kind = Files.isRegularFile(base) ? kind(base) : null;
      if (kind == ForeignFile.ZIP) {
        throw new UnsupportedFeatureException(
            base + " is a zip archive, not a directory; open it with ZipStore", Location.UNKNOWN);
      }
      throw new FileSystemException(
          base.toString(),
          null,
          "a file-system store needs a directory, and "
              + (kind == null ? "this is a file" : kind.sentence()));
    }
  }

  private static @Nullable ForeignFile kind(Path file) throws IOException {
    try (InputStream in = Files.newInputStream(file)) {
      return ForeignFile.of(in.readNBytes(ForeignFile.START));
    }
  }

  private static String reason(IOException error) {
    if (error instanceof FileSystemException at && at.getReason() != null) {
      return at.getReason();
    }
    return error instanceof NoSuchFileException ? "there is no such file" : String.valueOf(error);
  }
}
