package dev.zarrreactive.store;

/**
 * What a cache keeps. Immutable; each {@code with} method makes a changed copy.
 *
 * @param maxBytes the most that the cache holds: the bytes of values and of ranges of values, and
 *     for each of them 256 bytes and two for each character of its key
 * @param missingKeys whether the cache also keeps that a key is missing. Whoever waits for another
 *     program to write a value does not want that
 */
public record CacheOptions(long maxBytes, boolean missingKeys) {
  /** Options; the number of bytes may not be negative. */
  public CacheOptions {
    if (maxBytes < 0) {
      throw new IllegalArgumentException("a cache of " + maxBytes + " bytes");
    }
  }

  /** At most so many bytes; missing keys are asked for each time. */
  public static CacheOptions ofBytes(long maxBytes) {
    return new CacheOptions(maxBytes, false);
  }

  /** With missing keys kept ({@code true}) or asked for each time ({@code false}). */
  public CacheOptions withMissingKeys(boolean keep) {
    return new CacheOptions(maxBytes, keep);
  }
}
