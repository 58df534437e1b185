package dev.zarrreactive.internal.write;

import dev.zarrreactive.array.ElementMemory;
import dev.zarrreactive.array.NdArray;
import dev.zarrreactive.array.Shape;
import dev.zarrreactive.base.Bytes;
import dev.zarrreactive.codec.ChunkCodec;
import dev.zarrreactive.codec.ShardLayout;
import dev.zarrreactive.internal.planning.ChunkPlan;
import dev.zarrreactive.internal.planning.ChunkProjection;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** The elements of one chunk among the data of a selection. */
final class SelectedElements implements NewElements {
  private final ChunkProjection part;
  private final NdArray data;
  private final long[] start;

  /**
   * Some of the data.
   *
   * @param start the first element of the chunk in the array; not copied
   */
  SelectedElements(ChunkProjection part, NdArray data, long[] start) {
    this.part = part;
    this.data = data;
    this.start = start;
  }

  @Override
  public long[] chunkIndex() {
    return part.chunkIndex();
  }

  @Override
  public boolean isWhole(Shape shape) {
    return part.region().coversChunk(start, shape);
  }

  @Override
  public int copies() {
    return data.isContiguous() ? 1 : 2; // a view needs a second one
  }

  @Override
  public ElementMemory among(@Nullable Bytes old, ChunkCodec codec) {
    return ChunkElements.gathered(part, data, codec, old);
  }

  @Override
  public ChunkPlan inner(ShardLayout layout) {
    return ChunkPlan.inside(part, start, layout.innerGrid());
  }

  @Override
  public boolean isWhole(ChunkProjection inner) {
    return inner.region().coversChunk(new long[start.length], endless(start.length));
  }

  @Override
  public ElementMemory among(@Nullable Bytes old, ChunkProjection inner, ChunkCodec codec) {
    return ChunkElements.gathered(inner, data, codec, old);
  }

  /** Returns a shape that every chunk is inside of. */
  static Shape endless(int rank) {
    long[] endless = new long[rank];
    Arrays.fill(endless, Long.MAX_VALUE);
    return Shape.of(endless);
  }
}
