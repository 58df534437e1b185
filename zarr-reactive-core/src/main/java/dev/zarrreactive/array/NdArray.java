package dev.zarrreactive.array;

import dev.zarrreactive.datatype.DataType;
import dev.zarrreactive.datatype.FillValue;
import dev.zarrreactive.store.Bytes;

/**
 * An immutable n-dimensional array in memory: a data type, a shape, and the elements' images in C
 * order (last dimension fastest), little-endian. Freely shared between threads. At most 2 GiB.
 */
public final class NdArray {
  private final DataType dataType;
  private final Shape shape;
  private final Bytes bytes;

  private NdArray(DataType dataType, Shape shape, Bytes bytes) {
    this.dataType = dataType;
    this.shape = shape;
    this.bytes = bytes;
  }

  /**
   * An array of elements that are there already.
   *
   * @param bytes the elements' images in C order, little-endian; not copied
   * @throws IllegalArgumentException where the size is not that of the shape
   */
  public static NdArray wrap(DataType dataType, Shape shape, Bytes bytes) {
    int size = shape.byteSize(dataType.itemSize());
    if (bytes.size() != size) {
      throw new IllegalArgumentException(
          dataType + " of shape " + shape + " has " + size + " bytes, not " + bytes.size());
    }
    return new NdArray(dataType, shape, bytes);
  }

  /** An array whose elements all are the fill value. */
  public static NdArray filled(Shape shape, FillValue fillValue) {
    byte[] image = new byte[shape.byteSize(fillValue.dataType().itemSize())];
    if (!fillValue.isZero()) {
      fillValue.fill(image, 0, image.length);
    }
    return new NdArray(fillValue.dataType(), shape, Bytes.wrap(image));
  }

  /** The type of the elements. */
  public DataType dataType() {
    return dataType;
  }

  /** The extents. */
  public Shape shape() {
    return shape;
  }

  /** The elements' images in C order, little-endian. */
  public Bytes bytes() {
    return bytes;
  }
}
