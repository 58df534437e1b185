package dev.zarrreactive.store;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Locale;
import java.util.concurrent.locks.ReentrantLock;

/**
 * One change of a file at a time, in this process: so that nothing comes between looking at a
 * file's version and replacing it. Files of the same name share a lock, whatever way leads to them,
 * for the same directory may be open as two stores, or under two names. Only file threads wait
 * here, for a few calls to the file system.
 */
final class FileLocks {
  private static final ReentrantLock[] LOCKS = new ReentrantLock[256];

  static {
    for (int i = 0; i < LOCKS.length; i++) {
      LOCKS[i] = new ReentrantLock();
    }
  }

  private FileLocks() {}

  /** A change of a file. */
  interface Change {
    /** True where anything changed. */
    boolean make() throws IOException;
  }

  /** Makes the change, and says whether it did, when no other one of the file is being made. */
  static boolean alone(Path file, Change change) throws IOException {
    String name = String.valueOf(file.getFileName()).toLowerCase(Locale.ROOT);
    ReentrantLock lock = LOCKS[Math.floorMod(name.hashCode(), LOCKS.length)];
    lock.lock();
    try {
      return change.make();
    } finally {
      lock.unlock();
    }
  }
}
