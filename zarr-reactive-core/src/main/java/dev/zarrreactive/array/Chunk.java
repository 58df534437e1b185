package dev.zarrreactive.array;

import java.util.Arrays;

/** What a selection takes of one chunk of an array, decoded. Immutable. */
public final class Chunk {
  private final long[] index;
  private final ResolvedSelection selection;
  private final NdArray data;

  /**
   * A chunk's part of a selection.
   *
   * @param index the chunk's index in the chunk grid
   * @param selection the elements, as a selection of the whole array
   * @param data the elements; its shape is the selection's
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

  /** Which elements of the whole array these are. */
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
