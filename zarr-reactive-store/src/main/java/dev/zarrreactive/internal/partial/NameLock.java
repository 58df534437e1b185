package dev.zarrreactive.internal.partial;

import java.io.IOException;
import java.nio.file.AtomicMoveNotSupportedException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.text.Normalizer;
import java.util.Locale;
import java.util.concurrent.locks.ReentrantLock;

/**
 * The lock of a file's name, which is needed to change the file: among the threads of this process,
 * and among all processes that use this library. So nothing comes between looking at the version of
 * a file and replacing it.
 *
 * <p>Among processes the lock is a hidden file next to the file, which exists for a few calls to
 * the file system. It is a second name (a hard link) of the new file that the writer has written.
 * To make the link takes the lock, in one step that fails where the name is taken. To rename the
 * link to the file's own name publishes the value and releases the lock, in one step too. A lock
 * whose writer has died is removed, see {@link DeadWriters}. On a file system without hard links,
 * the lock is an empty file.
 *
 * <p>Names that differ in case or in Unicode normalisation share a lock, for they may be one file.
 * A thread waits only for other threads of this process, for a few calls to the file system.
 */
public final class NameLock {
  private static final ReentrantLock[] THREADS = new ReentrantLock[256];

  static {
    for (int i = 0; i < THREADS.length; i++) {
      THREADS[i] = new ReentrantLock();
    }
  }

  /** The state of the hidden file. */
  private enum State {
    LINKED,
    EMPTY,
    UNKNOWN,
    RELEASED
  }

  private final Path path;
  private final PartialFile mine;
  private State state;

  private NameLock(Path path, PartialFile mine, State state) {
    this.path = path;
    this.mine = mine;
    this.state = state;
  }

  /** A change of a file, made by the thread that holds the lock of its name. */
  public interface Change {
    /** Makes the change. */
    void make(NameLock held) throws IOException;
  }

  /** A look at a file. */
  interface Look {
    boolean take() throws IOException;
  }

  /**
   * Makes a change of {@code file} under the lock of its name.
   *
   * @param mine the writer's own file, in the same directory
   * @return false where another process holds the lock; then nothing was changed
   * @throws NoSuchFileException where the directory, or {@code mine}, is not there any more
   */
  public static boolean whileHeld(Path file, PartialFile mine, Change change) throws IOException {
    int hash = hash(file);
    ReentrantLock threads = threads(hash);
    threads.lock();
    try {
      Path path = file.resolveSibling(PartialNames.lock(hash));
      State state = take(path, mine);
      if (state == State.RELEASED && DeadWriters.isDead(path, true)) {
        state = take(path, mine);
      }
      if (state == State.RELEASED) {
        return false;
      }
      NameLock held = new NameLock(path, mine, state);
      try {
        change.make(held);
      } finally {
        held.release();
      }
      return true;
    } finally {
      threads.unlock();
    }
  }

  /** A look at a hidden file; at a lock only while no thread of this process uses it. */
  static boolean ofHidden(Path hidden, Look look) throws IOException {
    String name = String.valueOf(hidden.getFileName());
    if (!PartialNames.isLock(name)) {
      return look.take();
    }
    ReentrantLock threads = threads(PartialNames.hash(name));
    threads.lock();
    try {
      return look.take();
    } finally {
      threads.unlock();
    }
  }

  /** The hidden file that is the lock of a file's name. */
  public static Path of(Path file) {
    return file.resolveSibling(PartialNames.lock(hash(file)));
  }

  /** Lets the writer's own file take the place of {@code file}, whatever is there. */
  public void replace(Path file) throws IOException {
    if (state == State.EMPTY) {
      move(mine.path(), file);
      return;
    }
    try {
      move(path, file);
      state = State.RELEASED;
    } catch (NoSuchFileException e) {
      state = State.UNKNOWN;
      if (!isMine(file)) { // a network file system may repeat a rename that has succeeded
        throw e;
      }
    }
  }

  /** One step; two on a system that cannot replace a file in one. */
  public static void move(Path from, Path to) throws IOException {
    try {
      Files.move(from, to, StandardCopyOption.ATOMIC_MOVE);
    } catch (AtomicMoveNotSupportedException e) {
      Files.move(from, to, StandardCopyOption.REPLACE_EXISTING);
    }
  }

  private static State take(Path path, PartialFile mine) throws IOException {
    try {
      Files.createLink(path, mine.path());
      return State.LINKED;
    } catch (FileAlreadyExistsException e) {
      return isSame(path, mine.path()) ? State.LINKED : State.RELEASED;
    } catch (NoSuchFileException e) {
      throw e;
    } catch (UnsupportedOperationException | FileSystemException e) {
      return claim(path);
    }
  }

  private static State claim(Path path) throws IOException {
    try {
      Files.createFile(path);
      return State.EMPTY;
    } catch (FileAlreadyExistsException e) {
      return State.RELEASED;
    }
  }

  private void release() throws IOException {
    boolean isHeld =
        state == State.LINKED || state == State.EMPTY || (state == State.UNKNOWN && isMine(path));
    if (isHeld) {
      Files.deleteIfExists(path);
    }
    state = State.RELEASED;
  }

  private boolean isMine(Path file) throws IOException {
    return isSame(file, mine.path());
  }

  private static boolean isSame(Path one, Path other) throws IOException {
    try {
      return Files.isSameFile(one, other);
    } catch (NoSuchFileException e) {
      return false;
    }
  }

  private static ReentrantLock threads(int hash) {
    return THREADS[Math.floorMod(hash, THREADS.length)];
  }

  private static int hash(Path file) {
    String name = String.valueOf(file.getFileName());
    String same = Normalizer.normalize(name, Normalizer.Form.NFC).toLowerCase(Locale.ROOT);
    return same.hashCode();
  }
}
