package dev.zarrreactive.internal.pipeline;

import dev.zarrreactive.codec.ShardIndex;
import dev.zarrreactive.store.Bytes;
import dev.zarrreactive.store.Version;
import org.jspecify.annotations.Nullable;

/** A shard's index, as long as the shard is known to be the same. */
final class KnownIndex {
  private final ShardIndex index;
  private final @Nullable Version version;
  private volatile boolean stale;

  /**
   * An index.
   *
   * @param version of the value that it was read from; null where the store knows none
   */
  KnownIndex(ShardIndex index, @Nullable Version version) {
    this.index = index;
    this.version = version;
  }

  ShardIndex index() {
    return index;
  }

  @Nullable Version version() {
    return version;
  }

  /** True where the shard has changed since. */
  boolean isStale() {
    return stale;
  }

  void expire() {
    stale = true;
  }

  /**
   * An index that was looked up.
   *
   * @param known the index
   * @param whole the shard, where it came with the index
   */
  record Found(KnownIndex known, @Nullable Bytes whole) {}
}
