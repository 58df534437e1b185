package dev.zarrreactive.store;

import java.time.Duration;
import java.util.Set;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * What a cache keeps. Immutable; each {@code with} method makes a changed copy.
 *
 * @param maxBytes the most that the cache holds: the bytes of values and of ranges of values, and
 *     for each of them 256 bytes and two for each character of its key
 * @param missingKeys whether the cache also keeps that a key is missing. Whoever waits for another
 *     program to write a value does not want that
 * @param revalidation the age from which on the store is asked whether what is kept has changed;
 *     zero is each time, null is never. Age counts from when the store was last asked
 * @param keys which keys are kept; the others go past the cache. Called on readers' threads, often
 */
public record CacheOptions(
    long maxBytes, boolean missingKeys, @Nullable Duration revalidation, Predicate<StoreKey> keys) {
  private static final Set<String> DOCUMENTS =
      Set.of("zarr.json", ".zarray", ".zgroup", ".zattrs", ".zmetadata");

  /** Options; neither the number of bytes nor the age may be negative. */
  public CacheOptions {
    if (maxBytes < 0) {
      throw new IllegalArgumentException("a cache of " + maxBytes + " bytes");
    }
    if (revalidation != null && revalidation.isNegative()) {
      throw new IllegalArgumentException("values of the age " + revalidation);
    }
  }

  /** At most so many bytes of any keys; missing keys are asked for each time. */
  public static CacheOptions ofBytes(long maxBytes) {
    return new CacheOptions(maxBytes, false, null, any -> true);
  }

  /**
   * At most so many bytes, of metadata documents alone: of the keys that end in {@code zarr.json},
   * {@code .zarray}, {@code .zgroup}, {@code .zattrs} or {@code .zmetadata}. Chunks go past.
   */
  public static CacheOptions metadata(long maxBytes) {
    return ofBytes(maxBytes).withKeys(CacheOptions::isDocument);
  }

  /** With missing keys kept ({@code true}) or asked for each time ({@code false}). */
  public CacheOptions withMissingKeys(boolean keep) {
    return new CacheOptions(maxBytes, keep, revalidation, keys);
  }

  /**
   * With the store asked again for what is {@code age} old or older; zero is each time. Where the
   * store has {@link StoreCapability#VERSIONS} that costs a request, but no bytes of what has not
   * changed; where it has none, the value is read again.
   */
  public CacheOptions withRevalidation(Duration age) {
    return new CacheOptions(maxBytes, missingKeys, age, keys);
  }

  /** With only these keys kept. */
  public CacheOptions withKeys(Predicate<StoreKey> which) {
    return new CacheOptions(maxBytes, missingKeys, revalidation, which);
  }

  private static boolean isDocument(StoreKey key) {
    return DOCUMENTS.contains(key.value().substring(key.value().lastIndexOf('/') + 1));
  }
}
