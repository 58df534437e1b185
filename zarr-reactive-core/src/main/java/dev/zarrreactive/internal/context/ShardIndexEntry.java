package dev.zarrreactive.internal.context;

import dev.zarrreactive.base.Bytes;
import dev.zarrreactive.codec.ShardIndex;
import dev.zarrreactive.store.Version;
import org.jspecify.annotations.Nullable;

/**
 * The index of a shard, with the state of the value that it was read from.
 *
 * @param version the version of the value; null if the store has no versions
 * @param asked when it was requested, in nanoseconds
 * @param generation the generation of the value at that time
 * @param whole the bytes of the shard if they were fetched with the index; not cached
 */
public record ShardIndexEntry(
    ShardIndex index,
    @Nullable Version version,
    long asked,
    long generation,
    @Nullable Bytes whole) {
  /** The bytes of an entry besides the ranges of the inner chunks. */
  private static final long OVERHEAD = 256;

  /** Returns the same index without the bytes of the shard. */
  ShardIndexEntry alone() {
    return whole == null ? this : new ShardIndexEntry(index, version, asked, generation, null);
  }

  long weight() {
    return index.byteSize() + OVERHEAD;
  }
}
