package dev.zarrreactive.datatype;

/**
 * Components of one size that follow each other in an element's image. A component is the unit
 * whose bytes the {@code endian} of a codec orders: a number, one part of a complex number, one
 * code unit of a text.
 *
 * @param size the bytes of one component: 1, 2, 4 or 8
 * @param count how many there are
 */
public record Components(int size, int count) {
  /** Turns the bytes of each of these components back to front, in place. */
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

  /** The bytes of all of them. */
  public int byteSize() {
    return size * count;
  }
}
