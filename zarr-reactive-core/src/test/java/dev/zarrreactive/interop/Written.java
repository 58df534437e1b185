package dev.zarrreactive.interop;

import dev.zarrreactive.array.NdArray;
import dev.zarrreactive.array.Shape;
import dev.zarrreactive.datatype.BoolType;
import dev.zarrreactive.datatype.DataType;
import dev.zarrreactive.metadata.ArrayMetadata;
import dev.zarrreactive.store.Bytes;
import java.util.Arrays;
import java.util.Random;

/**
 * An array to be written here and read by others.
 *
 * @param name a name that may stand in a path
 * @param content all its elements
 * @param from the first row (index of the first dimension) that is written
 * @param to the row behind the last one; what is not written is fill value in {@code content}
 */
record Written(String name, ArrayMetadata metadata, NdArray content, long from, long to) {

  /** An array that is written whole. */
  static Written whole(String name, ArrayMetadata metadata) {
    long rows = metadata.shape().rank() == 0 ? 1 : metadata.shape().extent(0);
    return rows(name, metadata, 0, rows);
  }

  /** An array of which some rows are written. */
  static Written rows(String name, ArrayMetadata metadata, long from, long to) {
    DataType type = metadata.dataType();
    Shape shape = metadata.shape();
    byte[] bytes = elements(type, shape.elementCount().intValueExact(), name.hashCode());
    int row = rowSize(metadata);
    fill(metadata, bytes, 0, Math.toIntExact(from * row));
    int end = Math.toIntExact(to * row);
    fill(metadata, bytes, end, bytes.length - end);
    return new Written(name, metadata, NdArray.wrap(type, shape, Bytes.wrap(bytes)), from, to);
  }

  private static void fill(ArrayMetadata metadata, byte[] bytes, int offset, int length) {
    metadata.fillValue().fill(bytes, offset, length);
  }

  private static int rowSize(ArrayMetadata metadata) {
    long[] extents = metadata.shape().toArray();
    int size = metadata.dataType().itemSize();
    for (int d = 1; d < extents.length; d++) {
      size *= Math.toIntExact(extents[d]);
    }
    return size;
  }

  boolean isWhole() {
    return metadata.shape().rank() == 0 || (from == 0 && to == metadata.shape().extent(0));
  }

  /** The rows to write. */
  NdArray part() {
    if (isWhole()) {
      return content;
    }
    long[] extents = metadata.shape().toArray();
    extents[0] = to - from;
    int row = rowSize(metadata);
    return NdArray.wrap(
        metadata.dataType(),
        Shape.of(extents),
        content.bytes().slice((int) from * row, (int) (to - from) * row));
  }

  /**
   * Elements of any bits: all ones, the sign alone, all but the sign; then runs, which compress,
   * and noise, which does not and has NaNs of many payloads.
   */
  private static byte[] elements(DataType type, int count, long seed) {
    int size = type.itemSize();
    byte[] bytes = new byte[count * size];
    new Random(seed).nextBytes(bytes);
    for (int element = 0; element < count; element++) {
      int start = element * size;
      int end = start + size;
      switch (element) {
        case 0 -> Arrays.fill(bytes, start, end, (byte) 0xff);
        case 1 -> {
          Arrays.fill(bytes, start, end, (byte) 0);
          bytes[end - 1] = (byte) 0x80;
        }
        case 2 -> {
          Arrays.fill(bytes, start, end, (byte) 0xff);
          bytes[end - 1] = 0x7f;
        }
        default -> {
          if (element / 64 % 2 == 0) {
            Arrays.fill(bytes, start, end, (byte) (element / 16));
          }
        }
      }
      if (type instanceof BoolType) {
        bytes[start] &= 1;
      }
    }
    return bytes;
  }

  @Override
  public String toString() {
    return name;
  }
}
