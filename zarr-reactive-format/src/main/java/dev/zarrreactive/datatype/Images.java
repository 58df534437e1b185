package dev.zarrreactive.datatype;

/** Reads and writes little-endian integers of one to eight bytes. */
final class Images {
  private Images() {}

  static long get(byte[] image, int offset, int size) {
    long value = 0;
    for (int i = size - 1; i >= 0; i--) {
      value = value << Byte.SIZE | (image[offset + i] & 0xff);
    }
    return value;
  }

  static void put(byte[] image, int offset, int size, long value) {
    for (int i = 0; i < size; i++) {
      image[offset + i] = (byte) (value >>> (Byte.SIZE * i));
    }
  }
}
