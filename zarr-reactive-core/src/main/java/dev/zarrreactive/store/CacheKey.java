package dev.zarrreactive.store;

import org.jspecify.annotations.Nullable;

/** A value, or a range of it. */
record CacheKey(StoreKey key, @Nullable ByteRange range) {
  private static final int OVERHEAD = 256;

  /** The whole value. */
  CacheKey whole() {
    return range == null ? this : new CacheKey(key, null);
  }

  /** Returns the key of the entry for this read; a bounded read is cached as the whole value. */
  CacheKey kept() {
    return range instanceof ByteRange.Whole ? whole() : this;
  }

  /** Returns the weight of an entry besides its bytes: objects, and the key's characters. */
  int overhead() {
    return OVERHEAD + 2 * key.value().length();
  }
}
