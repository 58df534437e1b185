package dev.zarrreactive.internal.pipeline;

import dev.zarrreactive.codec.ShardIndex;
import dev.zarrreactive.store.Bytes;
import org.jspecify.annotations.Nullable;

/** A shard's index, as long as the shard is known to be the same. */
final class KnownIndex {
  private final ShardIndex index;
  private volatile boolean stale;

  KnownIndex(ShardIndex index) {
    this.index = index;
  }

  ShardIndex index() {
    return index;
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
