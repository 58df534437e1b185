package dev.zarrreactive.interop;

import dev.zarrreactive.array.Axis;
import dev.zarrreactive.array.Chunk;
import dev.zarrreactive.array.ElementMemory;
import dev.zarrreactive.array.NdArray;
import dev.zarrreactive.array.ResolvedSelection;
import dev.zarrreactive.array.Shape;
import dev.zarrreactive.base.Bytes;
import dev.zarrreactive.datatype.DataType;
import dev.zarrreactive.datatype.VariableLengthType;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * An array as a list of elements in C order: slow and simple, one element at a time. What the
 * pipeline does is compared with it.
 *
 * @param elements one image for each element, or where they are of any length the elements
 */
record NaiveModel(Shape shape, List<?> elements) {

  /** The array whose elements' images are {@code bytes}. */
  static NaiveModel of(Shape shape, DataType type, byte[] bytes) {
    int size = type.itemSize();
    List<Bytes> elements = new ArrayList<>();
    for (int offset = 0; offset < bytes.length; offset += size) {
      elements.add(Bytes.wrap(bytes, offset, size));
    }
    if (elements.size() != shape.elementCount().intValueExact()) {
      throw new IllegalArgumentException(bytes.length + " bytes for " + type + shape);
    }
    return new NaiveModel(shape, elements);
  }

  /** What an array holds, as the model has it. */
  static List<?> elements(NdArray array) {
    return array.dataType() instanceof VariableLengthType
        ? Arrays.asList((Object[]) ElementMemory.of(array).array())
        : of(array.shape(), array.dataType(), array.bytes().toByteArray()).elements();
  }

  /** The position of the element at {@code index} in C order. */
  int position(long... index) {
    long position = 0;
    for (int d = 0; d < index.length; d++) {
      position = position * shape.extent(d) + index[d];
    }
    return Math.toIntExact(position);
  }

  /** The elements at the crossings of the indices, last dimension fastest. */
  List<Object> crossings(List<long[]> indices) {
    List<Object> taken = new ArrayList<>();
    for (long[] index : product(indices)) {
      taken.add(elements.get(position(index)));
    }
    return taken;
  }

  /** The elements at the points. */
  List<Object> points(List<long[]> points) {
    return points.stream().<Object>map(point -> elements.get(position(point))).toList();
  }

  /** Puts chunks together; each element must come exactly once. */
  static List<?> assemble(Shape shape, List<Chunk> chunks) {
    Object[] result = new Object[shape.elementCount().intValueExact()];
    NaiveModel whole = new NaiveModel(shape, List.of());
    for (Chunk chunk : chunks) {
      List<?> part = elements(chunk.data());
      List<long[]> indices = indices(chunk.selection());
      int next = 0;
      for (long[] index : product(indices)) {
        int position = whole.position(index);
        if (result[position] != null) {
          throw new AssertionError("the element " + Arrays.toString(index) + " came twice");
        }
        result[position] = part.get(next++);
      }
      if (next != part.size()) {
        throw new AssertionError(chunk + " has " + part.size() + " elements, not " + next);
      }
    }
    int missing = Arrays.asList(result).indexOf(null);
    if (missing >= 0) {
      throw new AssertionError("the element at position " + missing + " never came");
    }
    return Arrays.asList(result);
  }

  private static List<long[]> indices(ResolvedSelection selection) {
    return ((ResolvedSelection.Orthogonal) selection)
        .axes().stream().map(NaiveModel::indices).toList();
  }

  private static long[] indices(Axis axis) {
    if (axis instanceof Axis.Range range) {
      long[] indices = new long[Math.toIntExact(range.count())];
      Arrays.setAll(indices, i -> range.start() + i * range.step());
      return indices;
    }
    return ((Axis.Indices) axis).toArray();
  }

  /** Every combination, the last one running fastest. */
  private static List<long[]> product(List<long[]> indices) {
    List<long[]> combinations = List.of(new long[0]);
    for (long[] dimension : indices) {
      List<long[]> longer = new ArrayList<>();
      for (long[] combination : combinations) {
        for (long index : dimension) {
          long[] more = Arrays.copyOf(combination, combination.length + 1);
          more[combination.length] = index;
          longer.add(more);
        }
      }
      combinations = longer;
    }
    return combinations;
  }
}
