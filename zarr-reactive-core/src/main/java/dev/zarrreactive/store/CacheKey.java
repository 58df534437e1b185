package dev.zarrreactive.store;

import org.jspecify.annotations.Nullable;

/** A value, or a range of it. */
record CacheKey(StoreKey key, @Nullable ByteRange range) {
  private static final int OVERHEAD = 256;

  /** The whole value. */
  CacheKey whole() {
    return range == null ? this : new CacheKey(key, null);
  }

  /** What an entry costs beside its bytes: objects, and the key's characters. */
  int overhead() {
    return OVERHEAD + 2 * key.value().length();
  }
}
