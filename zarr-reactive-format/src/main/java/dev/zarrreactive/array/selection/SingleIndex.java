package dev.zarrreactive.array.selection;

import dev.zarrreactive.array.Axis;

/** One index, whose dimension the result does not have. */
record SingleIndex(long index) implements DimensionSelection {
  @Override
  public Axis resolve(int dimension, long extent) {
    return new Axis.Range(Bounds.index(index, dimension, extent), 1, 1, true);
  }

  @Override
  public String toString() {
    return Long.toString(index);
  }
}
