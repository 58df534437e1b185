package dev.zarrreactive.store;

import dev.zarrreactive.error.Location;
import dev.zarrreactive.error.StoreException;
import java.io.IOException;
import java.nio.file.Files;
import java.util.ArrayDeque;
import java.util.Deque;
import org.jspecify.annotations.Nullable;

/**
 * The keys below a prefix, depth first. Open at a time are the directories from the prefix down to
 * where the walk is, and nothing else is held.
 */
final class FileWalk implements FileThreads.Pull<StoreKey> {
  private final FileKeys keys;
  private final StorePrefix prefix;
  private final Deque<Level> levels = new ArrayDeque<>();
  private boolean started;

  FileWalk(FileKeys keys, StorePrefix prefix) {
    this.keys = keys;
    this.prefix = prefix;
  }

  private record Level(FileDirectory directory, String prefix) {}

  @Override
  public @Nullable StoreKey next() throws IOException {
    if (!started) {
      started = true;
      enter(FileDirectory.open(keys.directory(prefix), keys.base()), prefix.value());
    }
    while (!levels.isEmpty() && !Thread.currentThread().isInterrupted()) {
      Level level = levels.getLast();
      FileDirectory.Child child = level.directory().next();
      if (child == null) {
        levels.removeLast().directory().close();
      } else if (!child.isDirectory()) {
        return StoreKey.of(level.prefix() + child.name());
      } else {
        String below = level.prefix() + child.name() + "/";
        if (child.isLink()) {
          refuseLoop(child, below);
        }
        enter(FileDirectory.open(child.path(), keys.base()), below);
      }
    }
    return null;
  }

  @Override
  public void close() throws IOException {
    for (Level level : levels) {
      level.directory().close();
    }
    levels.clear();
  }

  private void enter(@Nullable FileDirectory directory, String below) {
    if (directory != null) {
      levels.addLast(new Level(directory, below));
    }
  }

  /** A link to a directory that the walk is in would never end. */
  private void refuseLoop(FileDirectory.Child link, String below) throws IOException {
    for (Level level : levels) {
      if (Files.isSameFile(level.directory().path(), link.path())) {
        throw new StoreException(
            "the symbolic link "
                + link.path()
                + " leads back to a directory that it stands in; the keys below have no end",
            Location.ofKey(below));
      }
    }
  }
}
