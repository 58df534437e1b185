package dev.zarrreactive.array.selection;

import dev.zarrreactive.array.NdArray;
import dev.zarrreactive.array.ResolvedSelection;
import dev.zarrreactive.array.Shape;
import dev.zarrreactive.base.Bytes;
import dev.zarrreactive.datatype.BoolType;
import dev.zarrreactive.error.InvalidInputException;

/** The elements at which an array of the same shape is true, in C order. */
record MaskSelection(NdArray mask) implements Selection {
  MaskSelection {
    if (!(mask.dataType() instanceof BoolType)) {
      throw new InvalidInputException("a mask is an array of bool, not of " + mask.dataType());
    }
    mask = mask.toContiguous();
  }

  @Override
  public ResolvedSelection resolve(Shape shape) {
    if (!mask.shape().equals(shape)) {
      throw new InvalidInputException(
          "a mask of shape " + mask.shape() + " does not fit an array of shape " + shape);
    }
    Bytes truth = mask.bytes();
    int count = count();
    long[][] coordinates = new long[shape.rank()][count];
    long[] index = new long[shape.rank()];
    int point = 0;
    for (int element = 0; point < count; element++) {
      if (truth.get(element) != 0) {
        for (int dimension = 0; dimension < index.length; dimension++) {
          coordinates[dimension][point] = index[dimension];
        }
        point++;
      }
      next(index, shape);
    }
    return new ResolvedSelection.Points(count, coordinates);
  }

  private int count() {
    Bytes truth = mask.bytes();
    int count = 0;
    for (int element = 0; element < truth.size(); element++) {
      count += truth.get(element) == 0 ? 0 : 1;
    }
    return count;
  }

  /** Advances {@code index} in C order. */
  private static void next(long[] index, Shape shape) {
    for (int dimension = index.length - 1; dimension >= 0; dimension--) {
      if (++index[dimension] < shape.extent(dimension)) {
        return;
      }
      index[dimension] = 0;
    }
  }

  @Override
  public String toString() {
    return "mask(" + count() + " of " + mask.bytes().size() + ")";
  }
}
