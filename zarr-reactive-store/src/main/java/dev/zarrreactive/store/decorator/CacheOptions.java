package dev.zarrreactive.store.decorator;

import dev.zarrreactive.base.StoreKey;
import dev.zarrreactive.store.StoreCapability;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** Options of a cache of values. Immutable; each {@code with} method returns a changed copy. */
public final class CacheOptions {
  private static final Set<String> DOCUMENTS =
      Set.of("zarr.json", ".zarray", ".zgroup", ".zattrs", ".zmetadata");

  private final long maxBytes;
  private final boolean missingKeys;
  private final @Nullable Duration revalidation;
  private final Predicate<StoreKey> keys;

  private CacheOptions(
      long maxBytes,
      boolean missingKeys,
      @Nullable Duration revalidation,
      Predicate<StoreKey> keys) {
    if (maxBytes < 0) {
      throw new IllegalArgumentException(
          "the bytes of a cache must be at least 0, not " + maxBytes);
    }
    if (revalidation != null && revalidation.isNegative()) {
      throw new IllegalArgumentException("an age must be at least zero, not " + revalidation);
    }
    this.maxBytes = maxBytes;
    this.missingKeys = missingKeys;
    this.revalidation = revalidation;
    this.keys = keys;
  }

  /** Options to cache at most {@code maxBytes} of any keys, without missing keys. */
  public static CacheOptions ofBytes(long maxBytes) {
    return new CacheOptions(maxBytes, false, null, any -> true);
  }

  /**
   * Options to cache at most {@code maxBytes} of metadata documents: of the keys that end in {@code
   * zarr.json}, {@code .zarray}, {@code .zgroup}, {@code .zattrs} or {@code .zmetadata}. Chunks
   * bypass the cache.
   */
  public static CacheOptions metadata(long maxBytes) {
    return ofBytes(maxBytes).withKeys(CacheOptions::isDocument);
  }

  /** With missing keys cached ({@code true}) or requested each time ({@code false}). */
  public CacheOptions withMissingKeys(boolean keep) {
    return new CacheOptions(maxBytes, keep, revalidation, keys);
  }

  /**
   * With entries of this age or older revalidated; zero for each time. In a store with {@link
   * StoreCapability#VERSIONS} an unchanged value costs a request without a body. In any other store
   * the value is read again.
   */
  public CacheOptions withRevalidation(Duration age) {
    return new CacheOptions(maxBytes, missingKeys, age, keys);
  }

  /** With only these keys cached. */
  public CacheOptions withKeys(Predicate<StoreKey> which) {
    return new CacheOptions(maxBytes, missingKeys, revalidation, which);
  }

  private static boolean isDocument(StoreKey key) {
    return DOCUMENTS.contains(key.value().substring(key.value().lastIndexOf('/') + 1));
  }

  /**
   * Returns the most weight of the cache: the bytes of values and ranges, and for each entry 256
   * bytes and two for each character of its key.
   */
  public long maxBytes() {
    return maxBytes;
  }

  /**
   * Returns true if missing keys are cached, too; a reader that polls for a value of another
   * program needs false.
   */
  public boolean missingKeys() {
    return missingKeys;
  }

  /**
   * Returns the age from which on an entry is revalidated; zero for each time, null for never. The
   * age counts from the last request about the entry.
   */
  public @Nullable Duration revalidation() {
    return revalidation;
  }

  /**
   * Returns the test of the keys to cache; other keys bypass the cache. Called often, on the
   * threads of readers.
   */
  public Predicate<StoreKey> keys() {
    return keys;
  }

  private List<@Nullable Object> values() {
    return Arrays.asList(maxBytes, missingKeys, revalidation, keys);
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof CacheOptions that && values().equals(that.values());
  }

  @Override
  public int hashCode() {
    return values().hashCode();
  }

  @Override
  public String toString() {
    return "CacheOptions" + values();
  }
}
