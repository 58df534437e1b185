package dev.zarrreactive.internal.context;

import dev.zarrreactive.codec.ShardIndex;
import dev.zarrreactive.store.Bytes;
import dev.zarrreactive.store.Version;
import org.jspecify.annotations.Nullable;

/**
 * The index of a shard as it was read.
 *
 * @param version of the value that it was read from; null where the store knows none
 * @param asked when it was asked for, in nanoseconds
 * @param generation of the value then
 * @param whole the bytes of the shard, where they came with the index; not cached
 */
public record ShardIndexEntry(
    ShardIndex index,
    @Nullable Version version,
    long asked,
    long generation,
    @Nullable Bytes whole) {
  /** What an entry takes besides the places of the inner chunks. */
  private static final long OVERHEAD = 256;

  /** Returns the same index without the bytes of the shard. */
  ShardIndexEntry alone() {
    return whole == null ? this : new ShardIndexEntry(index, version, asked, generation, null);
  }

  long weight() {
    return index.byteSize() + OVERHEAD;
  }
}
