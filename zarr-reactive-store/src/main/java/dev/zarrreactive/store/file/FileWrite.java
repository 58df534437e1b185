package dev.zarrreactive.store.file;

import dev.zarrreactive.base.Bytes;
import dev.zarrreactive.base.StoreKey;
import dev.zarrreactive.error.Location;
import dev.zarrreactive.error.PreconditionFailedException;
import dev.zarrreactive.error.StoreException;
import dev.zarrreactive.internal.partial.NameLock;
import dev.zarrreactive.internal.partial.PartialFile;
import dev.zarrreactive.internal.threads.FileThreads;
import dev.zarrreactive.store.Precondition;
import dev.zarrreactive.store.Version;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.DirectoryNotEmptyException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.FileTime;
import org.jspecify.annotations.Nullable;

/**
 * Writes one value to its file atomically: writes a hidden file next to it, which then replaces the
 * file in one step, under the lock of the name. Missing directories are created. If another thread
 * or process removes an empty directory meanwhile, the write is repeated.
 */
final class FileWrite implements FileThreads.Task {
  private static final int ROUNDS = 100;

  /** The attempts to replace a file that another program has open, with pauses of up to 50 ms. */
  private static final int ATTEMPTS_AT_OPEN = 100;

  private final FileKeys keys;
  private final StoreKey key;
  private final @Nullable Bytes value; // null for one that is appended piece by piece
  private final Precondition precondition;

  private final HardLinks links;
  private final Replacement replacement;

  private @Nullable PartialFile partial;

  private boolean isFilled; // the hidden file has all bytes, and its time

  /** The time of the replaced value if it is later than the time of the new one. */
  private @Nullable FileTime isEarlierThan;

  private boolean keepsTimes = true; // the file system

  private int refusals; // of a system that replaces no open file

  private boolean isClosed;

  /** Gives a file a second name, as {@link Files#createLink} does. */
  interface HardLinks {
    /**
     * Makes the link.
     *
     * @throws UnsupportedOperationException if the file system has no hard links
     * @throws FileAlreadyExistsException if the name is taken
     */
    void create(Path name, Path file) throws IOException;
  }

  /** Lets the hidden file take the place of a file, as {@link NameLock#replace} does. */
  interface Replacement {
    /** Replaces the file. */
    void replace(NameLock held, Path file) throws IOException;
  }

  FileWrite(FileKeys keys, StoreKey key, @Nullable Bytes value, Precondition precondition) {
    this(keys, key, value, precondition, Files::createLink, NameLock::replace);
  }

  FileWrite(
      FileKeys keys,
      StoreKey key,
      @Nullable Bytes value,
      Precondition precondition,
      HardLinks links,
      Replacement replacement) {
    this.keys = keys;
    this.key = key;
    this.value = value;
    this.precondition = precondition;
    this.links = links;
    this.replacement = replacement;
  }

  @Override
  public synchronized boolean attempt() throws IOException {
    if (isClosed) {
      return true; // cancelled
    }
    boolean isBusy = false;
    try {
      isBusy = !write(keys.file(key));
      return !isBusy;
    } finally {
      if (!isBusy) {
        close();
      }
    }
  }

  /** Appends a piece to the hidden file; for a write without a value. */
  synchronized void append(Bytes piece) throws IOException {
    if (!isClosed) {
      fill(begun(keys.file(key)).channel(), piece);
    }
  }

  @Override
  public synchronized void close() {
    isClosed = true;
    discard();
  }

  private void discard() {
    PartialFile written = partial;
    partial = null;
    isFilled = false;
    if (written != null) {
      written.close();
    }
  }

  private boolean write(Path file) throws IOException {
    if (partial == null && !precondition.equals(Precondition.NONE)) {
      check(file, existing(file)); // before a large value is written in vain
    }
    for (int round = 1; ; round++) {
      try {
        PartialFile mine = filled(file);
        isEarlierThan = null;
        int before = refusals;
        boolean wasFree =
            NameLock.whileHeld(file, mine, held -> publish(held, mine, file)) && refusals == before;
        FileTime found = isEarlierThan;
        if (found == null) {
          return wasFree;
        }
        mine.settle(() -> FileVersions.stampAfter(mine.path(), found));
        keepsTimes = FileVersions.isAfter(mine.path(), found);
      } catch (NoSuchFileException e) {
        boolean canRepeat = value != null;
        discard();
        if (round == ROUNDS || !canRepeat) {
          throw e;
        }
        makeDirectories(file);
      }
    }
  }

  private PartialFile filled(Path file) throws IOException {
    PartialFile mine = begun(file);
    if (!isFilled) {
      if (value != null) {
        fill(mine.channel(), value);
      }
      mine.settle(() -> FileVersions.stamp(mine.path()));
      isFilled = true;
    }
    return mine;
  }

  /** Returns the hidden file. It is made, and for appended pieces its directories are, too. */
  private PartialFile begun(Path file) throws IOException {
    for (int round = 1; ; round++) {
      try {
        return partial == null ? create(file) : partial;
      } catch (NoSuchFileException e) {
        if (value != null || round == ROUNDS) {
          throw e;
        }
        makeDirectories(file);
      }
    }
  }

  private PartialFile create(Path file) throws IOException {
    PartialFile made;
    try {
      made = PartialFile.create(keys.directoryOf(file));
    } catch (NoSuchFileException e) {
      throw e;
    } catch (FileSystemException e) {
      throw belowAValue(file, e);
    }
    partial = made;
    return made;
  }

  private static void fill(FileChannel channel, Bytes bytes) throws IOException {
    int from = bytes.unsafeOffset();
    ByteBuffer buffer = ByteBuffer.wrap(bytes.unsafeArray(), from, bytes.size());
    int end = buffer.limit();
    while (buffer.position() < end) {
      buffer.limit(Math.min(end, buffer.position() + FileReads.WINDOW));
      channel.write(buffer);
    }
  }

  private void publish(NameLock held, PartialFile mine, Path file) throws IOException {
    keys.refuseOtherCase(key);
    BasicFileAttributes replaced = existing(file);
    check(file, replaced);
    if (precondition.equals(Precondition.ABSENT)) {
      create(held, mine.path(), file);
      return;
    }
    if (replaced != null
        && keepsTimes
        && !FileVersions.isAfter(mine.path(), replaced.lastModifiedTime())) {
      isEarlierThan = replaced.lastModifiedTime();
      return;
    }
    try {
      replacement.replace(held, file);
    } catch (NoSuchFileException e) {
      throw e;
    } catch (FileSystemException e) {
      if (isOpenElsewhere(file, e)) {
        refusals++;
        return;
      }
      makeRoom(file, e);
      replacement.replace(held, file);
    }
  }

  /**
   * Returns true if the system may have refused to replace a file because a program has it open, as
   * Windows does. The hidden file was made in the same directory, so access to that is granted.
   */
  private boolean isOpenElsewhere(Path file, FileSystemException refusal) {
    return keys.isWindows()
        && refusal instanceof java.nio.file.AccessDeniedException
        && refusals < ATTEMPTS_AT_OPEN
        && Files.isRegularFile(file, LinkOption.NOFOLLOW_LINKS);
  }

  private void check(Path file, @Nullable BasicFileAttributes existing) throws IOException {
    Version wanted = precondition.version();
    if (wanted != null) {
      Version now = existing == null ? null : FileVersions.fresh(keys, key, file, wanted);
      if (!wanted.equals(now)) {
        throw wanted.mismatch(key, now);
      }
    } else if (precondition.equals(Precondition.ABSENT)
        && existing != null
        && !existing.isDirectory()) {
      throw exists();
    }
  }

  /** Returns the attributes of a file or of a link itself, which a write replaces. */
  private static @Nullable BasicFileAttributes existing(Path file) throws IOException {
    try {
      return Files.readAttributes(file, BasicFileAttributes.class, LinkOption.NOFOLLOW_LINKS);
    } catch (java.nio.file.AccessDeniedException e) {
      throw e;
    } catch (FileSystemException e) {
      return null; // if a parent is a file, the write signals the error
    }
  }

  /**
   * Gives the hidden file its final name in one step, which fails if the name is taken, even by a
   * program that ignores locks.
   */
  private void create(NameLock held, Path mine, Path file) throws IOException {
    try {
      link(held, mine, file);
    } catch (FileAlreadyExistsException e) {
      if (!Files.isDirectory(file, LinkOption.NOFOLLOW_LINKS)) {
        throw exists();
      }
      makeRoom(file, e);
      link(held, mine, file);
    }
  }

  private void link(NameLock held, Path mine, Path file) throws IOException {
    try {
      links.create(file, mine);
    } catch (FileAlreadyExistsException | NoSuchFileException e) {
      throw e;
    } catch (UnsupportedOperationException | FileSystemException e) {
      claim(held, file);
    }
  }

  /**
   * Takes the name with an empty file, as only one program can, and replaces that file: for file
   * systems without hard links. For an instant the value is empty.
   */
  private static void claim(NameLock held, Path file) throws IOException {
    Files.createFile(file);
    try {
      held.replace(file);
    } catch (IOException e) {
      Files.deleteIfExists(file); // no value is better than an empty one
      throw e;
    }
  }

  /** Removes a directory without values that is in the way of the file; one with values stays. */
  private void makeRoom(Path file, FileSystemException cause) throws IOException {
    if (!Files.isDirectory(file)) {
      throw cause;
    }
    if (Files.isDirectory(file, LinkOption.NOFOLLOW_LINKS)) {
      try {
        Files.delete(file);
        return;
      } catch (DirectoryNotEmptyException e) {
        cause.addSuppressed(e);
      }
    }
    throw new StoreException(
        "a file system cannot hold a value at the key and others below it: "
            + file
            + " is a directory",
        Location.ofKey(key.value()),
        cause);
  }

  private void makeDirectories(Path file) throws IOException {
    try {
      Files.createDirectories(keys.directoryOf(file));
    } catch (NoSuchFileException e) {
      // removed again while they were made: the next round makes them again
    } catch (FileSystemException e) {
      IOException obstacle = belowAValue(file, e);
      if (!(e instanceof FileAlreadyExistsException)) {
        throw obstacle;
      }
      // a directory was there, and was removed before the JDK looked what it was: as above
    }
  }

  private IOException belowAValue(Path file, FileSystemException cause) {
    for (Path above = file.getParent(); above != null; above = above.getParent()) {
      if (Files.exists(above)) {
        if (Files.isDirectory(above)) {
          return cause;
        }
        throw new StoreException(
            "a file system cannot hold a value below another: " + above + " is a file",
            Location.ofKey(key.value()),
            cause);
      }
    }
    return cause;
  }

  private PreconditionFailedException exists() {
    return new PreconditionFailedException(
        "there is a value at the key already", Location.ofKey(key.value()));
  }
}
