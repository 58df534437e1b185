package dev.zarrreactive.store;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.FileTime;
import java.time.Instant;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * Versions of files: which file it is, when it was changed, how long it is. The clock of a file
 * system may stand still for some milliseconds, in which the number of a file that was replaced may
 * be given to the next one, of the same length; so what is written here gets a time that no other
 * file of this process has.
 */
final class FileVersions {
  private static final long NANOS = 1_000_000_000;

  /** As fine as most file systems keep. */
  private static final long STEP_NANOS = 1_000;

  private static final AtomicLong LAST_STAMP = new AtomicLong();

  private FileVersions() {}

  static Version of(BasicFileAttributes file) {
    Instant changed = file.lastModifiedTime().toInstant();
    String which = file.fileKey() == null ? "" : file.fileKey() + "-";
    return new Version(
        which
            + Long.toHexString(changed.getEpochSecond())
            + "."
            + Integer.toHexString(changed.getNano())
            + "-"
            + Long.toHexString(file.size()));
  }

  /** The version of the value that is at {@code file} now; null where there is none. */
  static @Nullable Version now(FileKeys keys, Path file) throws IOException {
    try {
      BasicFileAttributes attributes = Files.readAttributes(file, BasicFileAttributes.class);
      return attributes.isRegularFile() ? of(attributes) : null;
    } catch (IOException e) {
      if (FileErrors.isMissing(e, file, keys.base())) {
        return null;
      }
      throw e;
    }
  }

  /** Gives a file that is being written a time of its own. */
  static void stamp(Path temporary) {
    Instant now = Instant.now();
    long stamp =
        LAST_STAMP.accumulateAndGet(
            now.getEpochSecond() * NANOS + now.getNano(),
            (last, current) -> Math.max(last + STEP_NANOS, current));
    try {
      Files.setLastModifiedTime(
          temporary, FileTime.from(Instant.ofEpochSecond(stamp / NANOS, stamp % NANOS)));
    } catch (IOException e) {
      // the file system's own time stays, which is less exact
    }
  }
}
