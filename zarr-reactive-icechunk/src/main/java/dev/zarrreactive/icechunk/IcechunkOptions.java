package dev.zarrreactive.icechunk;

import dev.zarrreactive.virtual.VirtualContainers;

/** Options of a repository. Immutable; each {@code with} method returns a changed copy. */
public final class IcechunkOptions {
  /** An eighth of the heap, at most 256 MiB. */
  private static final long CACHE_BYTES =
      Math.min(256L << 20, Runtime.getRuntime().maxMemory() / 8);

  private static final long MAX_FILE_BYTES = 512L << 20;

  private static final IcechunkOptions DEFAULTS =
      new IcechunkOptions(VirtualContainers.none(), CACHE_BYTES, MAX_FILE_BYTES, false, false);

  private final VirtualContainers containers;
  private final long cacheBytes;
  private final long maxFileBytes;
  private final boolean preloadsCoordinates;
  private final boolean expectsVersion1;

  private IcechunkOptions(
      VirtualContainers containers,
      long cacheBytes,
      long maxFileBytes,
      boolean preloadsCoordinates,
      boolean expectsVersion1) {
    if (cacheBytes < 0 || maxFileBytes < 0) {
      throw new IllegalArgumentException(
          "a number of bytes must be at least 0, not " + Math.min(cacheBytes, maxFileBytes));
    }
    this.containers = containers;
    this.cacheBytes = cacheBytes;
    this.maxFileBytes = maxFileBytes;
    this.preloadsCoordinates = preloadsCoordinates;
    this.expectsVersion1 = expectsVersion1;
  }

  /** No container is allowed, the cache is an eighth of the heap and at most 256 MiB. */
  public static IcechunkOptions defaults() {
    return DEFAULTS;
  }

  /**
   * With the places that virtual chunks may lie in. What a repository says of its containers allows
   * nothing; its names {@code vcc://NAME/} are understood.
   *
   * @param allowed which {@link VirtualContainers#close} closes, never the repository
   */
  public IcechunkOptions withContainers(VirtualContainers allowed) {
    return new IcechunkOptions(
        allowed, cacheBytes, maxFileBytes, preloadsCoordinates, expectsVersion1);
  }

  /**
   * With a cache of snapshots and manifests of this size, as they are in memory. A file that is
   * larger takes the place of all others: the file that was read last is always kept.
   */
  public IcechunkOptions withCacheBytes(long bytes) {
    return new IcechunkOptions(
        containers, bytes, maxFileBytes, preloadsCoordinates, expectsVersion1);
  }

  /**
   * With larger files refused, as they are stored and as they are decompressed; 512 MiB by default.
   * A reference to a chunk takes some 60 bytes.
   */
  public IcechunkOptions withMaxFileBytes(long bytes) {
    return new IcechunkOptions(containers, cacheBytes, bytes, preloadsCoordinates, expectsVersion1);
  }

  /**
   * With the manifests of coordinates read before a store is emitted, all at once. A coordinate is
   * an array with a name that icechunk takes for one, such as {@code time}, {@code lat} or {@code
   * x}, or of one dimension that has its name. Manifests of at most 1,000 references are read,
   * 10,000 references in all, of 50 arrays. This costs a round trip where there are any, and the
   * first reads of coordinates cost one less. Off by default.
   */
  public IcechunkOptions withPreloadedCoordinates(boolean preloads) {
    return new IcechunkOptions(containers, cacheBytes, maxFileBytes, preloads, expectsVersion1);
  }

  /**
   * With a repository that is probably of version 1: the files that tell the version are both asked
   * for at once. Opening one of version 1 takes one round trip then instead of two, and opening one
   * of version 2 a request more.
   */
  public IcechunkOptions withVersion1Expected(boolean expects) {
    return new IcechunkOptions(containers, cacheBytes, maxFileBytes, preloadsCoordinates, expects);
  }

  /** Returns the places that virtual chunks may lie in. */
  public VirtualContainers containers() {
    return containers;
  }

  /** Returns the size of the cache of snapshots and manifests. */
  public long cacheBytes() {
    return cacheBytes;
  }

  /** Returns the most bytes of a file. */
  public long maxFileBytes() {
    return maxFileBytes;
  }

  /** Returns true if the manifests of coordinates are read before a store is emitted. */
  public boolean preloadsCoordinates() {
    return preloadsCoordinates;
  }

  /** Returns true if the repository is probably of version 1. */
  public boolean expectsVersion1() {
    return expectsVersion1;
  }

  @Override
  public String toString() {
    return "IcechunkOptions["
        + containers
        + ", cacheBytes="
        + cacheBytes
        + ", maxFileBytes="
        + maxFileBytes
        + ", preloadsCoordinates="
        + preloadsCoordinates
        + ", expectsVersion1="
        + expectsVersion1
        + "]";
  }
}
