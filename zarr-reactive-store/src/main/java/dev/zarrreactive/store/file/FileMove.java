package dev.zarrreactive.store.file;

import dev.zarrreactive.base.StorePrefix;
import dev.zarrreactive.error.Location;
import dev.zarrreactive.error.PreconditionFailedException;
import java.io.IOException;
import java.nio.file.AtomicMoveNotSupportedException;
import java.nio.file.DirectoryNotEmptyException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NotDirectoryException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Objects;

/**
 * Renames the directory of a prefix. A symbolic link is renamed itself, and leads to where it led.
 */
final class FileMove {
  private FileMove() {}

  /** Renames, and returns false if that takes more than one step. */
  static boolean move(FileKeys keys, StorePrefix from, StorePrefix to) throws IOException {
    if (from.value().isEmpty() || to.value().isEmpty()) {
      throw new IllegalArgumentException("the root is no directory of the store");
    }
    Path source = keys.directory(from);
    Path target = keys.directory(to);
    keys.forgetNames();
    if (!Files.isDirectory(source)) {
      throw new NotDirectoryException(source.toString());
    }
    Files.createDirectories(Objects.requireNonNull(target.getParent()));
    if (Files.exists(target, LinkOption.NOFOLLOW_LINKS)) {
      makeRoom(target, to);
    }
    if (Files.isSymbolicLink(source) && !Files.readSymbolicLink(source).isAbsolute()) {
      moveLink(source, target, to);
      FileEraser.removeEmpty(source.getParent(), keys.base());
      return true;
    }
    try {
      Files.move(source, target, StandardCopyOption.ATOMIC_MOVE);
    } catch (DirectoryNotEmptyException e) {
      throw taken(to);
    } catch (AtomicMoveNotSupportedException e) {
      return false;
    }
    FileEraser.removeEmpty(source.getParent(), keys.base());
    return true;
  }

  /** Makes the link anew: the text of a relative one would lead elsewhere from its new place. */
  private static void moveLink(Path source, Path target, StorePrefix to) throws IOException {
    Path from = Objects.requireNonNull(target.getParent()).toRealPath();
    try {
      Files.createSymbolicLink(target, from.relativize(source.toRealPath()));
    } catch (FileAlreadyExistsException e) {
      throw taken(to);
    }
    Files.delete(source);
  }

  /** Removes an empty directory. */
  private static void makeRoom(Path target, StorePrefix to) throws IOException {
    if (!Files.isDirectory(target, LinkOption.NOFOLLOW_LINKS)
        || !FileEraser.removeIfEmpty(target)) {
      throw taken(to);
    }
  }

  private static PreconditionFailedException taken(StorePrefix to) {
    return new PreconditionFailedException(
        "there are files at the new prefix already", Location.ofKey(to.value()));
  }
}
