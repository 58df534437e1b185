package dev.zarrreactive.internal.pipeline;

import dev.zarrreactive.array.Shape;
import dev.zarrreactive.codec.ShardLayout;
import dev.zarrreactive.store.ByteRange;
import dev.zarrreactive.store.StoreKey;
import dev.zarrreactive.store.Version;
import org.jspecify.annotations.Nullable;

/**
 * Where a shard is in a store, and how it is laid out: what its index is known by.
 *
 * @param key the key of the value that is the shard, or that the shard is nested in
 * @param offset where the shard begins in that value
 * @param length its bytes; negative where it is the whole value
 * @param version of the value that it is nested in, of which its place is known; null where that is
 *     not known, and for a shard that is a value of its own
 * @param index where the index is in the shard
 * @param grid how many inner chunks it has
 */
record ShardPlace(
    StoreKey key,
    long offset,
    long length,
    @Nullable Version version,
    ByteRange index,
    Shape grid) {

  /**
   * The place of a shard in a store.
   *
   * @throws IllegalArgumentException where its bytes are not in a store
   */
  static ShardPlace of(ByteSource source, ShardLayout layout) {
    ByteRange index = layout.indexRange();
    Shape grid = layout.innerGrid().gridShape();
    if (source instanceof ByteSource.Stored stored) {
      return new ShardPlace(stored.key(), 0, -1, null, index, grid);
    }
    if (source instanceof ByteSource.Part part) {
      return of(part, part.part().offset(), part.part().length(), index, grid);
    }
    throw new IllegalArgumentException("not in a store: " + source);
  }

  private static ShardPlace of(
      ByteSource.Part part, long offset, long length, ByteRange index, Shape grid) {
    ByteSource whole = part.whole();
    if (whole instanceof ByteSource.Part around) {
      return of(around, around.part().offset() + offset, length, index, grid);
    }
    if (whole instanceof ByteSource.Stored stored) {
      return new ShardPlace(stored.key(), offset, length, stored.version(), index, grid);
    }
    throw new IllegalArgumentException("not in a store: " + whole);
  }

  /** True where the shard is a value of its own. */
  boolean isWholeValue() {
    return length < 0;
  }
}
