package dev.zarrreactive.array;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** The selected part of one chunk of an array, decoded. Immutable. */
public final class Chunk {
  private final long[] index;
  private final long @Nullable [] innerIndex;
  private final ResolvedSelection selection;
  private final NdArray data;

  /**
   * Creates a chunk's part of a selection.
   *
   * @param index the chunk's index in the chunk grid
   * @param selection the elements, as a selection of the whole array
   * @param data the elements, in the shape of the selection
   */
  public Chunk(long[] index, ResolvedSelection selection, NdArray data) {
    this(index, null, selection, data);
  }

  /**
   * An inner chunk's part of a selection.
   *
   * @param index the shard's index in the chunk grid
   * @param innerIndex the inner chunk's index in the shard; null for a chunk that is no shard's
   * @param selection the elements, as a selection of the whole array
   * @param data the elements, in the shape of the selection
   */
  public Chunk(
      long[] index, long @Nullable [] innerIndex, ResolvedSelection selection, NdArray data) {
    if (!data.shape().equals(selection.shape())) {
      throw new IllegalArgumentException(
          "data of shape " + data.shape() + " for a selection of shape " + selection.shape());
    }
    this.index = index.clone();
    this.innerIndex = innerIndex == null ? null : innerIndex.clone();
    this.selection = selection;
    this.data = data;
  }

  /** Returns the index in the array's chunk grid, of the chunk or of the shard that it is in. */
  public long[] index() {
    return index.clone();
  }

  /**
   * Returns the index of an inner chunk in the grid of inner chunks of its shard, the innermost
   * ones where shards nest; null for a chunk that is not in a shard.
   */
  public long @Nullable [] innerIndex() {
    return innerIndex == null ? null : innerIndex.clone();
  }

  /** The place of the elements in the whole array. */
  public ResolvedSelection selection() {
    return selection;
  }

  /** The elements. */
  public NdArray data() {
    return data;
  }

  @Override
  public String toString() {
    String inner = innerIndex == null ? "" : ", inner chunk " + Arrays.toString(innerIndex);
    return "chunk " + Arrays.toString(index) + inner + " [" + selection + "]";
  }
}
