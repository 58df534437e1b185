package dev.zarrreactive.store.file;

import dev.zarrreactive.base.StoreKey;
import dev.zarrreactive.base.StorePrefix;
import dev.zarrreactive.internal.threads.FileThreads;
import dev.zarrreactive.store.ListEntry;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.Deque;
import org.jspecify.annotations.Nullable;

/**
 * Walks the values below a prefix, depth first. It holds only the open directories from the prefix
 * down to the current one. It omits a link back to one of these directories.
 */
final class FileWalk implements FileThreads.Pull<ListEntry.Key> {
  private final FileKeys keys;
  private final StorePrefix prefix;
  private final Deque<Level> levels = new ArrayDeque<>();
  private final boolean followsLinks;
  private boolean started;

  /** Walks below {@code prefix}; enters symbolic links to directories, or none. */
  FileWalk(FileKeys keys, StorePrefix prefix, boolean followsLinks) {
    this.keys = keys;
    this.prefix = prefix;
    this.followsLinks = followsLinks;
  }

  private record Level(FileDirectory directory, String prefix, boolean isBehindLink) {}

  @Override
  public ListEntry.@Nullable Key next() throws IOException {
    if (!started) {
      started = true;
      boolean isLink = keys.isLink(prefix);
      if (followsLinks || !isLink) {
        enter(FileDirectory.open(keys, keys.directory(prefix)), prefix.value(), isLink);
      }
    }
    while (!levels.isEmpty()) {
      FileThreads.checkInterrupt();
      Level level = levels.getLast();
      FileDirectory.Child child = level.directory().next();
      if (child == null) {
        levels.removeLast().directory().close();
      } else if (!child.isDirectory() || keys.leadsOut(child.path())) {
        return new ListEntry.Key(
            StoreKey.of(level.prefix() + child.name()),
            child.size(),
            level.isBehindLink(),
            child.modified());
      } else if (followsLinks || !child.isLinked()) {
        String below = level.prefix() + child.name() + "/";
        enter(
            FileDirectory.open(keys, child.path()),
            below,
            level.isBehindLink() || child.isLinked());
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

  private void enter(@Nullable FileDirectory directory, String below, boolean isBehindLink) {
    if (directory != null) {
      levels.addLast(new Level(directory, below, isBehindLink));
    }
  }
}
