package dev.zarrreactive.store;

import org.jspecify.annotations.Nullable;

/**
 * An entry of a cache.
 *
 * @param key the value, or the range of it
 * @param value the bytes; null where the key is missing
 * @param version the version of the whole value; null if it is unknown
 * @param askedAt when the store was asked, in nanoseconds of the cache's clock
 */
record CacheEntry(CacheKey key, @Nullable Bytes value, @Nullable Version version, long askedAt) {
  static long weight(CacheKey key, @Nullable Bytes value) {
    return key.overhead() + (value == null ? 0L : value.size());
  }

  long weight() {
    return weight(key, value);
  }

  /** Returns the answer for the same key, or for a range of it; null if the key is missing. */
  @Nullable VersionedBytes answer(@Nullable ByteRange range) {
    if (value == null) {
      return null;
    }
    boolean isWhole = key.range() == null;
    return new VersionedBytes(
        range != null && isWhole ? Fallbacks.slice(key.key(), value, range) : value, version);
  }
}
