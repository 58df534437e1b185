package dev.zarrreactive.kerchunk;

import dev.zarrreactive.base.Bytes;
import org.jspecify.annotations.Nullable;

/**
 * Options of references: what they mean where they leave something open, and how large they may be.
 * Immutable; each {@code with} method returns a changed copy.
 */
public final class KerchunkOptions {
  private static final KerchunkOptions DEFAULTS =
      new KerchunkOptions(null, null, 256L << 20, 4_000_000, 32L << 20);

  private final @Nullable String base;
  private final @Nullable String target;
  private final long maxBytes;
  private final int maxReferences;
  private final long cacheBytes;

  private KerchunkOptions(
      @Nullable String base,
      @Nullable String target,
      long maxBytes,
      int maxReferences,
      long cacheBytes) {
    this.base = base;
    this.target = target;
    this.maxBytes = maxBytes;
    this.maxReferences = maxReferences;
    this.cacheBytes = cacheBytes;
  }

  /**
   * The options that are used where none are given: no default target, relative URLs beside the
   * references, a file of at most 256 MiB with at most 4,000,000 references, and at most 32 MiB of
   * record files in memory.
   */
  public static KerchunkOptions defaults() {
    return DEFAULTS;
  }

  /**
   * With the URL that relative URLs of the references are below, such as {@code s3://bucket/data/}.
   * Without it they are keys of the store that the references are in, beside the references.
   *
   * @throws IllegalArgumentException for a URL of HTTP with a query, which is not shown: each
   *     relative URL has its own
   */
  public KerchunkOptions withBase(String url) {
    if (KerchunkUrl.hasQuery(url)) {
      throw new IllegalArgumentException(
          "a base has no query; one signature for all URLs belongs to the store of their prefix");
    }
    return new KerchunkOptions(
        url.endsWith("/") ? url : url + "/", target, maxBytes, maxReferences, cacheBytes);
  }

  /** With the URL of the file that references without a URL mean. */
  public KerchunkOptions withTarget(String url) {
    return new KerchunkOptions(base, url, maxBytes, maxReferences, cacheBytes);
  }

  /**
   * With this bound of a file of references in bytes, as it is stored and uncompressed, and of the
   * keys, URLs and data that it makes. It also bounds a record file of Parquet.
   *
   * @throws IllegalArgumentException where it is below 1 or above 2,147,483,639
   */
  public KerchunkOptions withMaxBytes(long bytes) {
    if (bytes < 1 || bytes > Bytes.MAX_SIZE) {
      throw new IllegalArgumentException(
          "the bound of a file of references is 1 to " + Bytes.MAX_SIZE + " bytes, not " + bytes);
    }
    return new KerchunkOptions(base, target, bytes, maxReferences, cacheBytes);
  }

  /**
   * With this bound of the references in one file of JSON, those of generators too, and of one
   * record file of Parquet.
   *
   * @throws IllegalArgumentException where it is below 1
   */
  public KerchunkOptions withMaxReferences(int count) {
    if (count < 1) {
      throw new IllegalArgumentException("at least one reference is needed, not " + count);
    }
    return new KerchunkOptions(base, target, maxBytes, count, cacheBytes);
  }

  /**
   * With this bound of the record files of Parquet that are kept in memory, in bytes; 0 keeps none.
   *
   * @throws IllegalArgumentException where it is negative
   */
  public KerchunkOptions withCacheBytes(long bytes) {
    if (bytes < 0) {
      throw new IllegalArgumentException("a cache has at least 0 bytes, not " + bytes);
    }
    return new KerchunkOptions(base, target, maxBytes, maxReferences, bytes);
  }

  /** The URL that relative URLs are below; null for the place of the references. */
  public @Nullable String base() {
    return base;
  }

  /** The URL of the default target; null where there is none. */
  public @Nullable String target() {
    return target;
  }

  /** The bound of a file of references. */
  public long maxBytes() {
    return maxBytes;
  }

  /** The bound of references in one file. */
  public int maxReferences() {
    return maxReferences;
  }

  /** The bound of record files in memory. */
  public long cacheBytes() {
    return cacheBytes;
  }
}
