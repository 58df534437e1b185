package dev.zarrreactive.array.selection;

import dev.zarrreactive.array.Axis;

/** As many whole dimensions as have no entry of their own. */
enum Ellipsis implements DimensionSelection {
  ELLIPSIS;

  @Override
  public Axis resolve(int dimension, long extent) {
    return Slice.FULL.resolve(dimension, extent);
  }

  @Override
  public String toString() {
    return "...";
  }
}
