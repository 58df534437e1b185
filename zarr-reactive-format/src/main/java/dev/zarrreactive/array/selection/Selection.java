package dev.zarrreactive.array.selection;

import dev.zarrreactive.array.NdArray;
import dev.zarrreactive.array.ResolvedSelection;
import dev.zarrreactive.array.Selector;
import dev.zarrreactive.array.Shape;

/**
 * A selection of elements, independent of any array until it is {@linkplain #resolve resolved}
 * against a shape. Immutable.
 *
 * <p>Indices count from 0, negative ones from the end, so that -1 is the last. Steps are positive.
 * Unlike in NumPy, an end of a slice outside of the array is an error, as an index is, unless the
 * selection is {@link #clipped}. Empty slices are allowed, and select an empty range.
 *
 * <p>Lists and masks of single dimensions are combined orthogonally: {@code [0,2],[1,3]} selects
 * four elements, the crossings of two rows and two columns (NumPy: {@code a[np.ix_([0, 2], [1,
 * 3])]}). {@link #points} selects single elements by coordinates.
 */
public sealed interface Selection extends Selector
    permits OrthogonalSelection, BoxSelection, PointSelection, MaskSelection {

  /** Selects every element: {@code ...} in NumPy notation. */
  static Selection all() {
    return of(DimensionSelection.ellipsis());
  }

  /**
   * Selects along each dimension, slowest first. Dimensions without an entry are taken whole: in
   * place of the ellipsis, or after the last entry.
   *
   * @throws IllegalArgumentException if an entry is a second ellipsis
   */
  static Selection of(DimensionSelection... dimensions) {
    return new OrthogonalSelection(dimensions);
  }

  /**
   * Parses NumPy notation, such as {@code 0:10,::2,5}. Each dimension is an integer, a slice {@code
   * from:to:step} with optional parts, or a list {@code [1,5,7]}. The ellipsis {@code ...} stands
   * for any number of whole dimensions. White space is ignored.
   *
   * @throws IllegalArgumentException if the notation is malformed; the message says where, and what
   *     was expected
   */
  static Selection parse(String notation) {
    return new SelectionParser(notation).parse();
  }

  /**
   * Selects the box of shape {@code shape} that begins at {@code offset}.
   *
   * @param offset the absolute index of the first element, one for every dimension of the array
   * @param shape the extents, one for every dimension of the array
   * @throws IllegalArgumentException if a number is negative, or the lengths differ
   */
  static Selection box(long[] offset, long[] shape) {
    return new BoxSelection(offset, shape);
  }

  /**
   * Selects single elements in the given order. The result has one dimension. A point may repeat.
   *
   * @param coordinates the points, each with one index for every dimension of the array
   * @throws IllegalArgumentException if the points differ in length
   */
  static Selection points(long[]... coordinates) {
    return new PointSelection(coordinates);
  }

  /**
   * Selects the elements at which {@code mask} is true, in C order. The result has one dimension.
   *
   * @param mask an array of {@code bool} of the array's shape
   * @throws IllegalArgumentException if the mask has another data type
   */
  static Selection mask(NdArray mask) {
    return new MaskSelection(mask);
  }

  /**
   * Returns this selection with NumPy's clipping: an end of a slice or of a box outside of the
   * array means the array's end, so that the result may have fewer elements than were asked for.
   * Indices, lists, points and masks outside of the array stay errors, as in NumPy.
   */
  default Selection clipped() {
    return this;
  }

  /**
   * Resolves this selection for an array of shape {@code shape}.
   *
   * @throws IllegalArgumentException if it does not fit: too many dimensions, an index or slice out
   *     of bounds, a mask of another shape
   */
  @Override
  ResolvedSelection resolve(Shape shape);

  /** Returns the notation of NumPy. */
  @Override
  String toString();
}
