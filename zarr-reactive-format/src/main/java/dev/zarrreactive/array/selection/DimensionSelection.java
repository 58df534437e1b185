package dev.zarrreactive.array.selection;

import dev.zarrreactive.array.Axis;

/**
 * The selection of indices of one dimension, for {@link Selection#of}. Its methods are for static
 * imports: {@code Selection.of(slice(0, 10), every(2), at(-1))}. Immutable.
 */
public sealed interface DimensionSelection
    permits SingleIndex, Slice, Ellipsis, IndexList, DimensionMask {

  /** Selects one index, and drops its dimension from the result. */
  static DimensionSelection at(long index) {
    return new SingleIndex(index);
  }

  /** Selects the indices from {@code from}, inclusive, to {@code to}, exclusive. */
  static DimensionSelection slice(long from, long to) {
    return new Slice(from, to, 1);
  }

  /**
   * Selects every {@code step}-th index from {@code from}, inclusive, to {@code to}, exclusive.
   *
   * @throws IllegalArgumentException if the step is not positive
   */
  static DimensionSelection slice(long from, long to, long step) {
    return new Slice(from, to, step);
  }

  /** Selects the indices from {@code from} to the end. */
  static DimensionSelection from(long from) {
    return new Slice(from, null, 1);
  }

  /** Selects the indices from the beginning to {@code to}, exclusive. */
  static DimensionSelection to(long to) {
    return new Slice(null, to, 1);
  }

  /**
   * Selects every {@code step}-th index from 0 on.
   *
   * @throws IllegalArgumentException if the step is not positive
   */
  static DimensionSelection every(long step) {
    return new Slice(null, null, step);
  }

  /** Selects the whole dimension. */
  static DimensionSelection full() {
    return Slice.FULL;
  }

  /** Selects all dimensions that the other entries leave out. At most one per selection. */
  static DimensionSelection ellipsis() {
    return Ellipsis.ELLIPSIS;
  }

  /** Selects the given indices in the given order. An index may repeat. */
  static DimensionSelection indices(long... indices) {
    return new IndexList(indices);
  }

  /** Selects the indices at which {@code mask} is true. The mask has one entry for every index. */
  static DimensionSelection mask(boolean... mask) {
    return new DimensionMask(mask);
  }

  /**
   * Resolves this selection for a dimension of extent {@code extent}.
   *
   * @param dimension the number of the dimension, for messages
   * @throws IllegalArgumentException if it does not fit
   */
  Axis resolve(int dimension, long extent);

  /** Returns the notation of NumPy. */
  @Override
  String toString();
}
