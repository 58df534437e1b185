package dev.zarrreactive.store;

import dev.zarrreactive.base.StoreKey;
import dev.zarrreactive.base.StorePrefix;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** An entry directly below a prefix: a key, or a longer prefix of other keys. */
public sealed interface ListEntry {
  /** The last segment, without slashes. */
  String name();

  /**
   * A value directly below the prefix. Two of one key are equal, also where one listing tells the
   * size and another one does not.
   *
   * @param size of the value in bytes, as the listing tells it, or {@link #UNKNOWN_SIZE}
   * @param isBehindLink whether a symbolic link below the listed prefix, or at it, leads to the
   *     value. {@link Store#erase(StoreKey)} would remove it where the link leads to; {@link
   *     Store#erasePrefix} removes the link
   * @param modified when the value was written, by the clock of the store; null in a listing that
   *     does not tell it
   */
  record Key(StoreKey key, long size, boolean isBehindLink, @Nullable Instant modified)
      implements ListEntry {
    /** The size in a listing that tells none. */
    public static final long UNKNOWN_SIZE = -1;

    /** A value of unknown size. */
    public Key(StoreKey key) {
      this(key, UNKNOWN_SIZE);
    }

    /** A value to which no symbolic link leads. */
    public Key(StoreKey key, long size) {
      this(key, size, false, null);
    }

    /** The same value, written at a time. */
    public Key modifiedAt(@Nullable Instant time) {
      return new Key(key, size, isBehindLink, time);
    }

    /** Returns true if the listing told the size. */
    public boolean isSizeKnown() {
      return size != UNKNOWN_SIZE;
    }

    @Override
    public boolean equals(@Nullable Object other) {
      return other instanceof Key that && key.equals(that.key);
    }

    @Override
    public int hashCode() {
      return key.hashCode();
    }

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
