package dev.zarrreactive.internal.context;

import dev.zarrreactive.base.ByteRange;
import dev.zarrreactive.base.Bytes;
import dev.zarrreactive.codec.ShardIndex;
import dev.zarrreactive.codec.ShardLayout;
import dev.zarrreactive.error.CodecException;
import dev.zarrreactive.error.Location;
import dev.zarrreactive.internal.context.ShardIndexCache.ShardIndexEntry;
import dev.zarrreactive.store.Version;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * The index of one version of a shard, and the indexes of its nested shards that were needed so
 * far.
 */
public final class ShardSnapshot {
  /** The most attempts to read a shard that other programs keep replacing. */
  public static final int LOOKS = 8;

  /** The most indexes of nested shards in one snapshot; the hierarchy's cache has its own bound. */
  private static final int MOST_NESTED = 1024;

  private final ShardLevels levels;
  private final @Nullable ShardIndexEntry outermost;
  private final Map<List<Long>, ShardIndex> nested = new ConcurrentHashMap<>();

  /**
   * Creates a snapshot.
   *
   * @param outermost the index of the shard; null if the shard is missing
   */
  public ShardSnapshot(ShardLevels levels, @Nullable ShardIndexEntry outermost) {
    this.levels = levels;
    this.outermost = outermost;
  }

  /**
   * A nested shard whose index is needed.
   *
   * @param level the depth of nesting: 1 for a shard in the outermost one
   * @param id the identity of the nested shard within the outermost one
   * @param range its range in the stored value
   */
  public record NestedShard(int level, List<Long> id, ByteRange.Slice range) {
    /** Returns its location, for errors. */
    public Location location(Location shard) {
      return shard.innerChunk(id.stream().skip(1).mapToLong(Long::longValue).toArray());
    }
  }

  /** Returns this snapshot with its index revalidated, which has not changed. */
  public ShardSnapshot confirm(ShardIndexEntry newer) {
    ShardSnapshot confirmed = new ShardSnapshot(levels, newer);
    confirmed.nested.putAll(nested);
    return confirmed;
  }

  /** Returns the index of the shard; null if the shard is missing. */
  public @Nullable ShardIndexEntry outermost() {
    return outermost;
  }

  /** Returns the version of the stored value; null if the store has no versions. */
  public @Nullable Version version() {
    return outermost == null ? null : outermost.version();
  }

  /** Adds the index of a nested shard. */
  public void add(NestedShard shard, ShardIndex index) {
    nested.put(shard.id(), index);
  }

  /** Drops the indexes of nested shards when they exceed the bound. */
  public void trim() {
    if (nested.size() > MOST_NESTED) {
      nested.clear();
    }
  }

  /**
   * Returns the range of an innermost chunk in a shard that is in memory; null if it is missing.
   */
  public ByteRange.@Nullable Slice find(long[] unitIndex, Bytes shard) {
    Found found = find(unitIndex);
    for (NestedShard needed = found.needed(); needed != null; needed = found.needed()) {
      ByteRange.Slice range = ShardIndexCache.within(needed.range(), shard.size());
      ShardLayout layout = levels.layouts().get(needed.level());
      Bytes bytes = shard.slice((int) range.offset(), (int) range.length());
      trim();
      add(needed, ShardIndexCache.decode(layout, bytes));
      found = find(unitIndex);
    }
    ByteRange.Slice range = found.range();
    return range == null ? null : ShardIndexCache.within(range, shard.size());
  }

  /**
   * What the known indexes tell of an innermost chunk.
   *
   * @param needed the nested shard whose index is needed first; null if none is
   * @param range the range of the chunk; null if it is missing, or not known yet
   */
  public record Found(@Nullable NestedShard needed, ByteRange.@Nullable Slice range) {}

  /** Finds an innermost chunk by the indexes that are there. */
  public Found find(long[] unitIndex) {
    ShardIndexEntry outer = outermost;
    if (levels.layouts().size() == 1) {
      return new Found(null, outer == null ? null : outer.index().find(unitIndex));
    }
    ByteRange.Slice range = outer == null ? null : outer.index().find(levels.indexAt(0, unitIndex));
    for (int level = 1; range != null && level < levels.layouts().size(); level++) {
      List<Long> id = levels.shardAt(level, unitIndex);
      ShardIndex index = nested.get(id);
      if (index == null) {
        return new Found(new NestedShard(level, id, range), null);
      }
      range = within(range, index.find(levels.indexAt(level, unitIndex)));
    }
    return new Found(null, range);
  }

  private static ByteRange.@Nullable Slice within(
      ByteRange.Slice shard, ByteRange.@Nullable Slice inner) {
    if (inner == null) {
      return null;
    }
    if (inner.offset() + inner.length() > shard.length()) {
      throw new CodecException(
          "the shard's index points outside of it: "
              + inner
              + " of a value of "
              + shard.length()
              + " bytes",
          Location.UNKNOWN);
    }
    return new ByteRange.Slice(shard.offset() + inner.offset(), inner.length());
  }
}
