package dev.zarrreactive.internal.context;

import dev.zarrreactive.array.Shape;
import dev.zarrreactive.chunkgrid.ChunkGrid;
import dev.zarrreactive.codec.ChunkCodec;
import dev.zarrreactive.codec.ShardLayout;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The layouts of a shard and of the shards nested in it, from the outside in. Shards nest in a
 * regular way, so the innermost chunks form one grid over the outermost shard. Reads are planned on
 * that grid, and an inner chunk has its index in it.
 */
public final class ShardLevels {
  private final List<ShardLayout> layouts;
  private final ChunkCodec unit;
  private final ChunkGrid grid;
  private final long[] gridShape;

  private ShardLevels(Shape shard, List<ShardLayout> layouts, ChunkCodec unit) {
    this.layouts = layouts;
    this.unit = unit;
    this.grid = ChunkGrid.regular(shard, unit.representation().shape());
    this.gridShape = grid.gridShape().toArray();
  }

  /** Returns the levels of a chunk's codec; null if the chunk is plain. */
  static @Nullable ShardLevels of(ChunkCodec codec) {
    List<ShardLayout> layouts = new ArrayList<>();
    ChunkCodec unit = codec;
    for (ShardLayout shard = unit.shardLayout(); shard != null; shard = unit.shardLayout()) {
      layouts.add(shard);
      unit = shard.innerCodec();
    }
    return layouts.isEmpty()
        ? null
        : new ShardLevels(codec.representation().shape(), List.copyOf(layouts), unit);
  }

  /** Returns the layout of the outermost shard. */
  public ShardLayout outermost() {
    return layouts.get(0);
  }

  /** Returns the layouts from the outside in. */
  public List<ShardLayout> layouts() {
    return layouts;
  }

  /** Returns the codec of the innermost chunks. */
  public ChunkCodec unit() {
    return unit;
  }

  /** Returns the grid of the innermost chunks over the outermost shard. */
  public ChunkGrid grid() {
    return grid;
  }

  /** Returns the number of an innermost chunk in C order over the outermost shard. */
  public long number(long[] unitIndex) {
    long number = 0;
    for (int d = 0; d < unitIndex.length; d++) {
      number = number * gridShape[d] + unitIndex[d];
    }
    return number;
  }

  /** Returns the index of the innermost chunk of a number. */
  public long[] index(long number) {
    long[] index = new long[gridShape.length];
    long rest = number;
    for (int d = index.length - 1; d >= 0; d--) {
      index[d] = rest % gridShape[d];
      rest /= gridShape[d];
    }
    return index;
  }

  /**
   * Returns the index of an innermost chunk, or of the shard that holds it, in the shard of a
   * level.
   */
  public long[] indexAt(int level, long[] unitIndex) {
    if (layouts.size() == 1) {
      return unitIndex;
    }
    Shape unitShape = unit.representation().shape();
    Shape outer = level == 0 ? null : innerShape(level - 1);
    Shape inner = innerShape(level);
    long[] index = new long[unitIndex.length];
    for (int d = 0; d < index.length; d++) {
      long element = unitIndex[d] * unitShape.extent(d);
      long within = outer == null ? element : element % outer.extent(d);
      index[d] = within / inner.extent(d);
    }
    return index;
  }

  private Shape innerShape(int level) {
    return layouts.get(level).innerCodec().representation().shape();
  }

  /** Returns a key for the shard of a level, at least 1, that holds an innermost chunk. */
  public List<Long> shardAt(int level, long[] unitIndex) {
    Shape unitShape = unit.representation().shape();
    Shape shard = innerShape(level - 1);
    List<Long> key = new ArrayList<>(unitIndex.length + 1);
    key.add((long) level);
    for (int d = 0; d < unitIndex.length; d++) {
      key.add(unitIndex[d] * unitShape.extent(d) / shard.extent(d));
    }
    return key;
  }

  @Override
  public String toString() {
    return "shards of " + Arrays.toString(gridShape) + " inner chunks";
  }
}
