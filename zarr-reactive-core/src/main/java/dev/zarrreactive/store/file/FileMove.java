package dev.zarrreactive.store.file;

import dev.zarrreactive.error.Location;
import dev.zarrreactive.error.PreconditionFailedException;
import dev.zarrreactive.store.StorePrefix;
import java.io.IOException;
import java.nio.file.AtomicMoveNotSupportedException;
import java.nio.file.DirectoryNotEmptyException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NotDirectoryException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Objects;

/** Renames the directory of a prefix. */
final class FileMove {
  private FileMove() {}

  /** Renames, and returns false if that takes more than one step. */
  static boolean move(FileKeys keys, StorePrefix from, StorePrefix to) throws IOException {
    if (from.value().isEmpty() || to.value().isEmpty()) {
      throw new IllegalArgumentException("the root is no directory of the store");
    }
    Path source = keys.directory(from);
    Path target = keys.directory(to);
    if (!Files.isDirectory(source)) {
      throw new NotDirectoryException(source.toString());
    }
    Files.createDirectories(Objects.requireNonNull(target.getParent()));
    if (Files.exists(target, LinkOption.NOFOLLOW_LINKS)) {
      makeRoom(target, to);
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
