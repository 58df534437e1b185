package dev.zarrreactive.store;

/** An entry directly below a prefix: a key, or a longer prefix of other keys. */
public sealed interface ListEntry {
  /** The last segment, without slashes. */
  String name();

  /** A value directly below the prefix. */
  record Key(StoreKey key) implements ListEntry {
    @Override
    public String name() {
      return key.value().substring(key.value().lastIndexOf('/') + 1);
    }
  }

  /** A prefix one level down, which at least one key begins with. */
  record Prefix(StorePrefix prefix) implements ListEntry {
    @Override
    public String name() {
      String path = prefix.value().substring(0, prefix.value().length() - 1);
      return path.substring(path.lastIndexOf('/') + 1);
    }
  }
}
