package dev.zarrreactive.store;

import org.jspecify.annotations.Nullable;

/** A value, or a range of it. */
record CacheKey(StoreKey key, @Nullable ByteRange range) {
  private static final int OVERHEAD = 256;

  /** The whole value. */
  CacheKey whole() {
    return range == null ? this : new CacheKey(key, null);
  }

  /** The key of the entry for what was read: a bounded whole value is kept as the whole value. */
  CacheKey kept() {
    return range instanceof ByteRange.Whole ? whole() : this;
  }

  /** What an entry costs beside its bytes: objects, and the key's characters. */
  int overhead() {
    return OVERHEAD + 2 * key.value().length();
  }
}
