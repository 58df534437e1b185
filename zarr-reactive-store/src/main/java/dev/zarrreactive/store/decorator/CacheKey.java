package dev.zarrreactive.store.decorator;

import dev.zarrreactive.base.ByteRange;
import dev.zarrreactive.base.Bytes;
import dev.zarrreactive.base.StoreKey;
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

  /** Returns the bytes that an entry takes: its own, its objects, and the key's characters. */
  long weight(@Nullable Bytes value) {
    return OVERHEAD + 2L * key.value().length() + (value == null ? 0 : value.size());
  }
}
