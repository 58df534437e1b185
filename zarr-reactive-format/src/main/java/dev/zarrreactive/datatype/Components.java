package dev.zarrreactive.datatype;

import dev.zarrreactive.spi.Spi;

/**
 * A run of components of one size in an element's image. A component is the unit whose bytes the
 * {@code endian} of a codec orders: a number, one part of a complex number, one code point of a
 * text.
 *
 * @param size the bytes of one component: 1, 2, 4 or 8
 * @param count the number of components
 */
@Spi
public record Components(int size, int count) {
  /** Reverses the bytes of each component in place. */
  public void swap(byte[] bytes, int offset) {
    if (size == 1) {
      return;
    }
    for (int first = offset; first < offset + byteSize(); first += size) {
      for (int i = 0; i < size / 2; i++) {
        byte b = bytes[first + i];
        bytes[first + i] = bytes[first + size - 1 - i];
        bytes[first + size - 1 - i] = b;
      }
    }
  }

  /** The size of all components in bytes. */
  public int byteSize() {
    return size * count;
  }
}
