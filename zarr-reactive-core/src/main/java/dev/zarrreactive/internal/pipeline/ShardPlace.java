package dev.zarrreactive.internal.pipeline;

import dev.zarrreactive.array.Shape;
import dev.zarrreactive.codec.ShardLayout;
import dev.zarrreactive.store.ByteRange;
import dev.zarrreactive.store.StoreKey;
import org.jspecify.annotations.Nullable;

/**
 * Where a shard is in a store, and how it is laid out: what its index is known by.
 *
 * @param key the key of the value that is the shard, or that the shard is nested in
 * @param offset where the shard begins in that value
 * @param length its bytes; negative where it is the whole value
 * @param index where the index is in the shard
 * @param grid how many inner chunks it has
 */
record ShardPlace(StoreKey key, long offset, long length, ByteRange index, Shape grid) {

  /** The place of a shard; null where its bytes are here already. */
  static @Nullable ShardPlace of(ByteSource source, ShardLayout layout) {
    ByteRange index = layout.indexRange();
    Shape grid = layout.innerGrid().gridShape();
    if (source instanceof ByteSource.Stored stored) {
      return new ShardPlace(stored.key(), 0, -1, index, grid);
    }
    if (source instanceof ByteSource.Part part) {
      ShardPlace around = of(part.whole(), layout);
      return around == null
          ? null
          : new ShardPlace(
              around.key, around.offset + part.part().offset(), part.part().length(), index, grid);
    }
    return null;
  }

  /** True where the shard is a value of its own. */
  boolean isWholeValue() {
    return length < 0;
  }
}
