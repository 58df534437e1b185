package dev.zarrreactive.array;

/** One index, which takes its dimension out of the result. */
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
