package dev.zarrreactive.array;

import dev.zarrreactive.datatype.DataType;
import dev.zarrreactive.datatype.FillValue;
import dev.zarrreactive.datatype.VariableLengthType;
import dev.zarrreactive.store.Bytes;
import java.util.Arrays;

/**
 * Where the elements of arrays are, in C order, for codecs and for whoever puts arrays together: in
 * a {@code byte[]} their images, or in an {@code Object[]} elements of variable length. An element
 * takes one slot of an {@code Object[]}, and of a {@code byte[]} as many as its image has bytes.
 *
 * <p>Not safe for more than one thread at the same places. Whoever writes to the memory of an
 * {@link NdArray} breaks it.
 */
public final class ElementMemory {
  private final DataType dataType;
  private final Object array;
  private final int offset;
  private final int count;

  private ElementMemory(DataType dataType, Object array, int offset, int count) {
    this.dataType = dataType;
    this.array = array;
    this.offset = offset;
    this.count = count;
  }

  /**
   * New memory; every element is zero, or empty.
   *
   * @throws IllegalArgumentException where the shape is larger than a Java array
   */
  public static ElementMemory allocate(DataType dataType, Shape shape) {
    int slots = slots(dataType, shape);
    if (dataType instanceof VariableLengthType variable) {
      Object[] values = new Object[slots];
      Arrays.fill(values, variable.emptyValue());
      return new ElementMemory(dataType, values, 0, slots);
    }
    return new ElementMemory(dataType, new byte[slots], 0, slots / dataType.itemSize());
  }

  /**
   * How many slots of an array so many elements take.
   *
   * @throws IllegalArgumentException where that is more than a Java array has
   */
  public static int slots(DataType dataType, Shape shape) {
    return shape.byteSize(dataType instanceof VariableLengthType ? 1 : dataType.itemSize());
  }

  /**
   * New memory; every element is the fill value.
   *
   * @throws IllegalArgumentException where the shape is larger than a Java array
   */
  public static ElementMemory filled(Shape shape, FillValue fillValue) {
    ElementMemory memory = allocate(fillValue.dataType(), shape);
    if (!fillValue.isZero()) {
      memory.fill(fillValue, 0, memory.count);
    }
    return memory;
  }

  /** The memory of an array; nothing is copied. */
  public static ElementMemory of(NdArray elements) {
    if (elements.elements() instanceof VariableLengthElements variable) {
      Object[] values = variable.values();
      return new ElementMemory(elements.dataType(), values, 0, values.length);
    }
    Bytes images = elements.bytes();
    return new ElementMemory(
        elements.dataType(),
        images.unsafeArray(),
        images.unsafeOffset(),
        elements.elements().count());
  }

  /** All elements as an array; nothing is copied, and nobody may write to them any more. */
  public NdArray toNdArray(Shape shape) {
    if (array instanceof byte[] bytes) {
      return NdArray.wrap(
          dataType, shape, Bytes.wrap(bytes, offset, shape.byteSize(dataType.itemSize())));
    }
    return VariableLengthElements.wrap((VariableLengthType) dataType, shape, (Object[]) array);
  }

  /** A {@code byte[]} or an {@code Object[]}. */
  public Object array() {
    return array;
  }

  /** How many slots of the array an element takes. */
  public int slotsPerElement() {
    return array instanceof byte[] ? dataType.itemSize() : 1;
  }

  /** The first slot of an element. */
  public int slot(int element) {
    return offset + element * slotsPerElement();
  }

  /** How many elements there are. */
  public int count() {
    return count;
  }

  /** Makes {@code length} elements from {@code element} the fill value. */
  public void fill(FillValue fillValue, int element, int length) {
    int from = slot(element);
    int slots = length * slotsPerElement();
    if (array instanceof byte[] bytes) {
      fillValue.fill(bytes, from, slots);
    } else {
      Arrays.fill((Object[]) array, from, from + slots, fillValue.value());
    }
  }

  /** Copies all elements of {@code other} to here, from {@code element}. */
  public void copyFrom(ElementMemory other, int element) {
    System.arraycopy(
        other.array, other.offset, array, slot(element), other.count * slotsPerElement());
  }

  /** True where every element is the fill value. */
  public boolean isAll(FillValue fillValue) {
    if (array instanceof byte[] bytes) {
      return fillValue.isAll(bytes, offset, count * dataType.itemSize());
    }
    return Arrays.stream((Object[]) array).allMatch(fillValue.value()::equals);
  }
}
