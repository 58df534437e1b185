package dev.zarrreactive.array;

/**
 * A choice of elements that is the same for arrays of any shape, such as {@code
 * array.selection.Selection}. It stands here because selections import arrays.
 */
@FunctionalInterface
public interface Selector {
  /**
   * Returns the selected elements of an array of shape {@code shape}.
   *
   * @throws IllegalArgumentException if the selection does not fit the shape
   */
  ResolvedSelection resolve(Shape shape);
}
