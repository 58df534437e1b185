package dev.zarrreactive.store.file;

import dev.zarrreactive.base.StoreKey;
import dev.zarrreactive.internal.threads.FileThreads;
import dev.zarrreactive.store.Version;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * Erases the value of one key, and the directories that became empty. Has no effect if the key is
 * missing or is a directory. A symbolic link is removed, and its target is not touched.
 */
final class FileErase implements FileThreads.Task {
  private final FileKeys keys;
  private final StoreKey key;
  private final @Nullable Version version;
  private final FileEraser eraser = new FileEraser();

  private boolean isClosed;

  /** Erases the value where it has the version, if there is one. */
  FileErase(FileKeys keys, StoreKey key, @Nullable Version version) {
    this.keys = keys;
    this.key = key;
    this.version = version;
  }

  @Override
  public synchronized boolean attempt() throws IOException {
    Path file = keys.file(key);
    boolean isErased = false;
    if (!isClosed && Files.exists(file, LinkOption.NOFOLLOW_LINKS) && !Files.isDirectory(file)) {
      try {
        if (!eraser.erase(file, () -> check(file))) {
          return false;
        }
        isErased = true;
      } finally {
        eraser.close();
      }
    }
    if (isErased) {
      FileEraser.removeEmpty(file.getParent(), keys.base());
      keys.forgetNames();
    }
    return true;
  }

  @Override
  public synchronized void close() {
    isClosed = true;
    eraser.close();
  }

  private void check(Path file) throws IOException {
    if (version != null) {
      Version now = FileVersions.fresh(keys, key, file, version);
      if (now != null && !version.equals(now)) {
        throw version.mismatch(key, now);
      }
    }
  }
}
