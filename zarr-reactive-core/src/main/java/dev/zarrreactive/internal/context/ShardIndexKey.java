package dev.zarrreactive.internal.context;

import dev.zarrreactive.array.Shape;
import dev.zarrreactive.base.ByteRange;
import dev.zarrreactive.base.StoreKey;
import dev.zarrreactive.codec.ShardLayout;
import dev.zarrreactive.store.Version;
import org.jspecify.annotations.Nullable;

/**
 * The key of a shard's index in the cache: the place of the shard in a store, and its layout.
 *
 * @param key the key of the value that is the shard or contains it
 * @param offset where the shard begins in that value
 * @param length its bytes; negative if it is the whole value
 * @param version the version of the value that contains the nested shard at this place; null if the
 *     store has no versions, and for a shard that is a value of its own
 * @param index the range of the index in the shard
 * @param grid the number of inner chunks in each dimension
 */
public record ShardIndexKey(
    StoreKey key,
    long offset,
    long length,
    @Nullable Version version,
    ByteRange index,
    Shape grid) {

  /** Returns the key of a shard that is a value of its own. */
  public static ShardIndexKey ofValue(StoreKey key, ShardLayout layout) {
    return new ShardIndexKey(key, 0, -1, null, layout.indexRange(), layout.innerGrid().gridShape());
  }

  /** Returns the key of a shard that is nested in the value at {@code key}. */
  public static ShardIndexKey nested(
      StoreKey key, ByteRange.Slice place, @Nullable Version version, ShardLayout layout) {
    return new ShardIndexKey(
        key,
        place.offset(),
        place.length(),
        version,
        layout.indexRange(),
        layout.innerGrid().gridShape());
  }

  /** Returns true if the shard is a value of its own. */
  public boolean isWholeValue() {
    return length < 0;
  }
}
