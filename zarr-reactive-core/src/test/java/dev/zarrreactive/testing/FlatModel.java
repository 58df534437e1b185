package dev.zarrreactive.testing;

import static org.assertj.core.api.Assertions.assertThat;

import dev.zarrreactive.array.ElementMemory;
import dev.zarrreactive.array.NdArray;
import dev.zarrreactive.array.Shape;
import dev.zarrreactive.base.Bytes;
import dev.zarrreactive.chunkgrid.ShrinkMode;
import dev.zarrreactive.datatype.DataType;
import dev.zarrreactive.datatype.DataTypes;
import dev.zarrreactive.datatype.FillValue;
import dev.zarrreactive.datatype.VariableLengthType;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.function.Function;
import java.util.function.Predicate;

/**
 * An array as a flat list of elements in C order, with NumPy's semantics of selections and
 * broadcasts. It goes element by element, and knows neither chunks nor codecs.
 *
 * <p>An element of a fixed size is its image, one of any length the object itself.
 */
final class FlatModel {
  private final DataType dataType;
  private final Object fill;
  private Shape shape;
  private List<Object> elements;

  /** What a shrink may have left stored outside of the shape; a growth may show it. */
  private final Map<List<Long>, Object> left = new HashMap<>();

  /** An array of fill values. */
  FlatModel(DataType dataType, FillValue fillValue, Shape shape) {
    this.dataType = dataType;
    this.shape = shape;
    this.fill = elements(NdArray.filled(Shape.SCALAR, fillValue)).get(0);
    this.elements = new ArrayList<>();
    for (int i = 0; i < count(shape); i++) {
      elements.add(fill);
    }
  }

  Shape shape() {
    return shape;
  }

  private static int count(Shape shape) {
    return shape.elementCount().intValueExact();
  }

  /** The elements of an array in memory. */
  static List<Object> elements(NdArray array) {
    if (array.dataType() instanceof VariableLengthType) {
      return Arrays.asList((Object[]) ElementMemory.of(array).array());
    }
    Bytes bytes = array.bytes();
    int size = array.dataType().itemSize();
    List<Object> elements = new ArrayList<>();
    for (int offset = 0; offset < bytes.size(); offset += size) {
      elements.add(bytes.slice(offset, size));
    }
    return elements;
  }

  /** Random elements of the array's data type; sometimes all are fill value. */
  NdArray data(Shape of, Random random) {
    boolean isFill = random.nextInt(4) == 0;
    if (dataType instanceof VariableLengthType) {
      String[] texts = new String[count(of)];
      Arrays.setAll(texts, i -> isFill ? (String) fill : "s" + random.nextInt(1000));
      return NdArray.ofStrings(dataType, of, texts);
    }
    int size = dataType.itemSize();
    byte[] images = new byte[count(of) * size];
    random.nextBytes(images);
    for (int i = 0; isFill && i < images.length; i++) {
      images[i] = ((Bytes) fill).get(i % size);
    }
    if (dataType == DataTypes.BOOL) {
      for (int i = 0; i < images.length; i++) {
        images[i] &= 1;
      }
    }
    return NdArray.wrap(dataType, of, Bytes.wrap(images));
  }

  /** The array of all fill values. */
  NdArray fills(Shape of) {
    return NdArray.filled(of, fillValue());
  }

  FillValue fillValue() {
    return dataType instanceof VariableLengthType variable
        ? FillValue.ofValue(variable, fill)
        : FillValue.of(dataType, ((Bytes) fill).toByteArray());
  }

  private int place(long[] index) {
    long place = 0;
    for (int d = 0; d < index.length; d++) {
      place = place * shape.extent(d) + index[d];
    }
    return (int) place;
  }

  /** Takes the elements at these indices. */
  List<Object> at(List<long[]> indices) {
    return indices.stream().map(index -> elements.get(place(index))).toList();
  }

  /**
   * Sets elements; data of another shape are broadcast, and of a repeated index the last counts.
   */
  void set(List<long[]> indices, Shape selected, NdArray data) {
    assertThat(indices).as("elements of a selection").hasSize(count(selected));
    List<Object> values = elements(data);
    List<long[]> places = RandomSelection.all(selected);
    for (int i = 0; i < indices.size(); i++) {
      elements.set(place(indices.get(i)), values.get(source(places.get(i), data.shape())));
    }
  }

  /** The place, in data that are broadcast, of the element at {@code index} of the result. */
  private static int source(long[] index, Shape of) {
    int missing = index.length - of.rank();
    long place = 0;
    for (int d = 0; d < of.rank(); d++) {
      place = place * of.extent(d) + (of.extent(d) == 1 ? 0 : index[missing + d]);
    }
    return (int) place;
  }

  /**
   * Gives the array another shape.
   *
   * @param isKept true for elements of a chunk that {@link ShrinkMode#ERASE} keeps
   * @param stored reads an element of the array as it is now
   */
  void resize(
      Shape other, ShrinkMode outside, Predicate<long[]> isKept, Function<long[], Object> stored) {
    Map<List<Long>, Object> old = new HashMap<>();
    List<long[]> indices = RandomSelection.all(shape);
    for (int i = 0; i < indices.size(); i++) {
      long[] index = indices.get(i);
      if (isInside(index, other)) {
        old.put(key(index), elements.get(i));
      } else if (outside == ShrinkMode.KEEP
          || (outside == ShrinkMode.ERASE && isKept.test(index))) {
        left.put(key(index), elements.get(i));
      } else {
        left.remove(key(index));
      }
    }
    List<Object> all = new ArrayList<>();
    for (long[] index : RandomSelection.all(other)) {
      Object before = old.get(key(index));
      if (before == null) {
        Object rest = left.remove(key(index));
        before = rest != null && rest.equals(stored.apply(index)) ? rest : fill;
      }
      all.add(before);
    }
    shape = other;
    elements = all;
  }

  static boolean isInside(long[] index, Shape shape) {
    boolean inside = true;
    for (int d = 0; d < index.length; d++) {
      inside &= index[d] < shape.extent(d);
    }
    return inside;
  }

  private static List<Long> key(long[] index) {
    return Arrays.stream(index).boxed().toList();
  }
}
