package dev.zarrreactive.array;

/**
 * What to take along one dimension, for {@link Selection#of}. Made to be imported statically:
 * {@code Selection.of(slice(0, 10), every(2), at(-1))}. Immutable.
 */
public sealed interface DimensionSelection
    permits SingleIndex, Slice, Ellipsis, IndexList, DimensionMask {

  /** One index; its dimension is not in the result. */
  static DimensionSelection at(long index) {
    return new SingleIndex(index);
  }

  /** The indices from {@code from}, inclusive, to {@code to}, exclusive. */
  static DimensionSelection slice(long from, long to) {
    return new Slice(from, to, 1);
  }

  /**
   * Every {@code step}-th index from {@code from}, inclusive, to {@code to}, exclusive.
   *
   * @throws IllegalArgumentException where the step is not positive
   */
  static DimensionSelection slice(long from, long to, long step) {
    return new Slice(from, to, step);
  }

  /** The indices from {@code from} to the end. */
  static DimensionSelection from(long from) {
    return new Slice(from, null, 1);
  }

  /** The indices from the beginning to {@code to}, exclusive. */
  static DimensionSelection to(long to) {
    return new Slice(null, to, 1);
  }

  /**
   * Every {@code step}-th index from 0 on.
   *
   * @throws IllegalArgumentException where the step is not positive
   */
  static DimensionSelection every(long step) {
    return new Slice(null, null, step);
  }

  /** The whole dimension. */
  static DimensionSelection full() {
    return Slice.FULL;
  }

  /** As many whole dimensions as have no entry of their own; at most once in a selection. */
  static DimensionSelection ellipsis() {
    return Ellipsis.ELLIPSIS;
  }

  /** The given indices in the given order; one may repeat. */
  static DimensionSelection indices(long... indices) {
    return new IndexList(indices);
  }

  /** The indices where {@code mask} is true; it has one entry for every index. */
  static DimensionSelection mask(boolean... mask) {
    return new DimensionMask(mask);
  }

  /**
   * This selection of a dimension of extent {@code extent}.
   *
   * @param dimension the number of the dimension, for messages
   * @throws IllegalArgumentException where it does not fit
   */
  Axis resolve(int dimension, long extent);

  /** In NumPy notation. */
  @Override
  String toString();
}
