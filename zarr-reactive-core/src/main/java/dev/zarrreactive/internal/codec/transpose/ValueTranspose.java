package dev.zarrreactive.internal.codec.transpose;

import dev.zarrreactive.array.ElementMemory;
import dev.zarrreactive.array.NdArray;
import dev.zarrreactive.array.Shape;

/** Permutes the dimensions of arrays whose elements are objects. */
final class ValueTranspose {
  private ValueTranspose() {}

  /**
   * Returns an array of shape {@code to} whose dimension {@code i} is dimension {@code order[i]} of
   * the source.
   */
  static NdArray apply(NdArray source, int[] order, Shape to) {
    int[] strides = new int[order.length];
    int stride = 1;
    for (int d = order.length - 1; d >= 0; d--) {
      strides[d] = stride;
      stride *= (int) source.shape().extent(d);
    }
    ElementMemory result = ElementMemory.allocate(source.dataType(), to);
    Object[] from = (Object[]) ElementMemory.of(source).array();
    Object[] values = (Object[]) result.array();
    int[] index = new int[order.length];
    int at = 0;
    for (int i = 0; i < values.length; i++) {
      values[i] = from[at];
      for (int d = index.length - 1; d >= 0; d--) {
        at += strides[order[d]];
        if (++index[d] < to.extent(d)) {
          break;
        }
        at -= index[d] * strides[order[d]];
        index[d] = 0;
      }
    }
    return result.toNdArray(to);
  }
}
