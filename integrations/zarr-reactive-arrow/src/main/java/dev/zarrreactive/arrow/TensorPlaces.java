package dev.zarrreactive.arrow;

import dev.zarrreactive.array.Shape;

/** The elements of a tensor in a box that may be smaller, at the end of an array. */
final class TensorPlaces implements Places {
  private final long[] shape;
  private final Shape box;
  private final int count;
  private final boolean isWhole;

  TensorPlaces(long[] shape, Shape box) {
    this.shape = shape;
    this.box = box;
    long elements = 1;
    boolean whole = true;
    for (int d = 0; d < shape.length; d++) {
      elements *= shape[d];
      whole &= shape[d] == box.extent(d);
    }
    this.count = (int) elements;
    this.isWhole = whole;
  }

  @Override
  public int count() {
    return count;
  }

  @Override
  public int contiguousFrom() {
    return isWhole ? 0 : NONE;
  }

  @Override
  public int place(int value) {
    if (isWhole) {
      return value;
    }
    long rest = value;
    long place = 0;
    long stride = 1;
    for (int d = shape.length - 1; d >= 0; d--) {
      long index = rest % shape[d];
      rest /= shape[d];
      if (index >= box.extent(d)) {
        return NONE;
      }
      place += index * stride;
      stride *= box.extent(d);
    }
    return (int) place;
  }
}
