package dev.zarrreactive.array;

import dev.zarrreactive.base.Bytes;
import dev.zarrreactive.datatype.DataType;
import dev.zarrreactive.datatype.FillValue;
import dev.zarrreactive.datatype.VariableLengthType;
import dev.zarrreactive.internal.element.Elements;
import dev.zarrreactive.spi.Spi;
import java.util.Arrays;
import java.util.Objects;

/**
 * The writable memory of an array's elements in C order, for codecs and the assembly of arrays: a
 * {@code byte[]} with their images, or an {@code Object[]} with elements of variable length. A slot
 * is a byte of the one, or an object of the other.
 *
 * <p>Several threads may write to different elements at once. The memory of an {@link NdArray} is
 * read-only.
 */
@Spi
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
   * Allocates memory. Every element is zero or empty.
   *
   * @throws IllegalArgumentException if the shape is larger than a Java array
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
   * Returns the number of slots of an array of this shape.
   *
   * @throws IllegalArgumentException if they exceed a Java array
   */
  public static int slots(DataType dataType, Shape shape) {
    return shape.byteSize(slotsPerElement(dataType));
  }

  /** Returns the number of slots that an element of the data type takes. */
  public static int slotsPerElement(DataType dataType) {
    return dataType instanceof VariableLengthType ? 1 : dataType.itemSize();
  }

  /**
   * Allocates memory. Every element is the fill value.
   *
   * @throws IllegalArgumentException if the shape is larger than a Java array
   */
  public static ElementMemory filled(Shape shape, FillValue fillValue) {
    ElementMemory memory = allocate(fillValue.dataType(), shape);
    if (!fillValue.isZero()) {
      memory.fill(fillValue, 0, memory.count);
    }
    return memory;
  }

  /** Returns the memory of an array, without a copy if the array is contiguous. */
  public static ElementMemory of(NdArray array) {
    Elements elements = array.packed();
    if (array.dataType() instanceof VariableLengthType) {
      return new ElementMemory(array.dataType(), elements.values(), 0, elements.count());
    }
    Bytes images = elements.bytes();
    return new ElementMemory(
        array.dataType(), images.unsafeArray(), images.unsafeOffset(), elements.count());
  }

  /**
   * Returns memory in a part of an array, for elements of fixed length.
   *
   * @param offset the index of the first byte
   * @param count the number of elements
   */
  public static ElementMemory wrap(DataType dataType, byte[] array, int offset, int count) {
    Objects.checkFromIndexSize(offset, count * dataType.itemSize(), array.length);
    return new ElementMemory(dataType, array, offset, count);
  }

  /** Returns all elements as an array, without a copy. From now on the memory is read-only. */
  public NdArray toNdArray(Shape shape) {
    if (array instanceof byte[] bytes) {
      return NdArray.wrap(
          dataType, shape, Bytes.wrap(bytes, offset, shape.byteSize(dataType.itemSize())));
    }
    return NdArray.ofObjects((VariableLengthType) dataType, shape, (Object[]) array);
  }

  /** The Java array that has the slots: a {@code byte[]} or an {@code Object[]}. */
  public Object array() {
    return array;
  }

  /** The number of slots that an element takes. */
  public int slotsPerElement() {
    return slotsPerElement(dataType);
  }

  /** The first slot of an element. */
  public int slot(int element) {
    return offset + element * slotsPerElement();
  }

  /** The number of elements. */
  public int count() {
    return count;
  }

  /** Sets {@code length} elements from {@code element} on to the fill value. */
  public void fill(FillValue fillValue, int element, int length) {
    int from = slot(element);
    int slots = length * slotsPerElement();
    if (array instanceof byte[] bytes) {
      fillValue.fill(bytes, from, slots);
    } else {
      Arrays.fill((Object[]) array, from, from + slots, fillValue.value());
    }
  }

  /** Copies all elements of {@code other} to the place of {@code element}. */
  public void copyFrom(ElementMemory other, int element) {
    System.arraycopy(
        other.array, other.offset, array, slot(element), other.count * slotsPerElement());
  }

  /** Returns true if every element is the fill value. */
  public boolean isAll(FillValue fillValue) {
    if (array instanceof byte[] bytes) {
      return fillValue.isAll(bytes, offset, count * dataType.itemSize());
    }
    return Arrays.stream((Object[]) array).allMatch(fillValue.value()::equals);
  }
}
