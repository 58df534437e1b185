package dev.zarrreactive.store.file;

import dev.zarrreactive.base.StorePrefix;
import dev.zarrreactive.internal.threads.FileThreads;
import dev.zarrreactive.store.ListEntry;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/** The entries directly below a prefix. */
final class FileEntries implements FileThreads.Pull<ListEntry> {
  private final FileKeys keys;
  private final StorePrefix prefix;
  private boolean started;
  private boolean isBehindLink;
  private @Nullable FileDirectory directory;

  FileEntries(FileKeys keys, StorePrefix prefix) {
    this.keys = keys;
    this.prefix = prefix;
  }

  @Override
  public @Nullable ListEntry next() throws IOException {
    if (!started) {
      started = true;
      directory = FileDirectory.open(keys, keys.directory(prefix));
      isBehindLink = keys.isLink(prefix);
    }
    FileDirectory.Child child = directory == null ? null : directory.next();
    if (child == null) {
      close();
      return null;
    }
    return child.isDirectory() && !keys.leadsOut(child.path())
        ? new ListEntry.Prefix(StorePrefix.of(prefix.value() + child.name() + "/"))
        : new ListEntry.Key(prefix.key(child.name()), child.size(), isBehindLink, child.modified());
  }

  @Override
  public void close() throws IOException {
    if (directory != null) {
      directory.close();
    }
  }
}
