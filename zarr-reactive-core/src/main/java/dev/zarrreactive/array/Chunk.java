package dev.zarrreactive.array;

import java.util.Arrays;

/** The selected part of one chunk of an array, decoded. Immutable. */
public final class Chunk {
  private final long[] index;
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
    if (!data.shape().equals(selection.shape())) {
      throw new IllegalArgumentException(
          "data of shape " + data.shape() + " for a selection of shape " + selection.shape());
    }
    this.index = index.clone();
    this.selection = selection;
    this.data = data;
  }

  /** The chunk's index in the chunk grid. */
  public long[] index() {
    return index.clone();
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
    return "chunk " + Arrays.toString(index) + " [" + selection + "]";
  }
}
