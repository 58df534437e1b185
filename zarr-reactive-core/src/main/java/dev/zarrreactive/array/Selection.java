package dev.zarrreactive.array;

/**
 * What to take of an array: independent of any array until it is {@linkplain #resolve resolved}
 * against a shape. Immutable.
 *
 * <p>Indices count from 0; negative ones from the end, so that -1 is the last. Steps are positive.
 * Nothing is clipped: an index, and either end of a slice, that lies outside the array is an error,
 * where NumPy would quietly return fewer elements. Empty slices are allowed and select nothing.
 *
 * <p>Lists and masks of single dimensions are combined orthogonally: {@code [0,2],[1,3]} selects
 * four elements, the crossings of two rows and two columns (NumPy: {@code a[np.ix_([0, 2], [1,
 * 3])]}). For single elements by coordinates there is {@link #points}.
 */
public sealed interface Selection
    permits OrthogonalSelection, BoxSelection, PointSelection, MaskSelection {

  /** Every element: {@code ...} in NumPy notation. */
  static Selection all() {
    return of(DimensionSelection.ellipsis());
  }

  /**
   * What is taken along each dimension, slowest first. Dimensions without an entry are taken whole:
   * where the ellipsis stands, or else after the last entry.
   *
   * @throws IllegalArgumentException where there is more than one ellipsis
   */
  static Selection of(DimensionSelection... dimensions) {
    return new OrthogonalSelection(dimensions);
  }

  /**
   * A selection in NumPy notation, such as {@code 0:10,::2,5}: for each dimension an integer, a
   * slice {@code from:to:step} whose parts may be missing, or a list {@code [1,5,7]}; {@code ...}
   * stands for any number of whole dimensions. White space counts for nothing.
   *
   * @throws IllegalArgumentException where it is not that; the message says where and what was
   *     expected
   */
  static Selection parse(String notation) {
    return new SelectionParser(notation).parse();
  }

  /**
   * The elements from {@code offset} on, {@code shape} of them in each dimension.
   *
   * @param offset the absolute index of the first element, one for every dimension of the array
   * @param shape the extents, as many
   * @throws IllegalArgumentException where one is negative or the lengths differ
   */
  static Selection box(long[] offset, long[] shape) {
    return new BoxSelection(offset, shape);
  }

  /**
   * Single elements in the order given; the result has one dimension. A point may repeat.
   *
   * @param coordinates the points, each with one index for every dimension of the array
   * @throws IllegalArgumentException where the points differ in length
   */
  static Selection points(long[]... coordinates) {
    return new PointSelection(coordinates);
  }

  /**
   * The elements where {@code mask} is true, in C order; the result has one dimension.
   *
   * @param mask an array of {@code bool} of the array's own shape
   * @throws IllegalArgumentException where the mask has another data type
   */
  static Selection mask(NdArray mask) {
    return new MaskSelection(mask);
  }

  /**
   * This selection of an array of shape {@code shape}.
   *
   * @throws IllegalArgumentException where it does not fit: too many dimensions, an index or slice
   *     out of bounds, a mask of another shape
   */
  ResolvedSelection resolve(Shape shape);

  /** In NumPy notation. */
  @Override
  String toString();
}
