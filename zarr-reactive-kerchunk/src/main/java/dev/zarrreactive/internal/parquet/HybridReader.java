package dev.zarrreactive.internal.parquet;

/**
 * Reads small numbers of one width in bits: runs of one number, and groups of eight that are packed
 * (Parquet: "RLE/Bit-Packing Hybrid").
 */
final class HybridReader {
  private final byte[] array;
  private final int end;
  private final int width;
  private final ParquetPlace place;
  private int at;

  /** How many numbers are left of the run. */
  private long left;

  private boolean isPacked;
  private int value;

  /** The bits of a packed run that were read, and how many of them are not used yet. */
  private long bits;

  private int bitCount;

  /** Reads {@code length} bytes from {@code at}. */
  HybridReader(byte[] array, int at, int length, int width, ParquetPlace place) {
    this.array = array;
    this.at = at;
    this.end = at + length;
    this.width = width;
    this.place = place;
    if (width < 0 || width > 32) {
      throw place.damaged("numbers of " + width + " bits");
    }
  }

  /** The next number. */
  int next() {
    while (left == 0) {
      begin();
    }
    left--;
    return isPacked ? packed() : value;
  }

  private void begin() {
    long head = 0;
    int shift = 0;
    int b;
    do {
      b = nextByte();
      head |= (b & 0x7fL) << shift;
      shift += 7;
    } while (b >= 0x80 && shift < 42);
    if (b >= 0x80) {
      throw place.damaged("a run whose length has more than six bytes");
    }
    isPacked = (head & 1) != 0;
    left = head >>> 1;
    if (isPacked) {
      left *= 8;
      bits = 0;
      bitCount = 0;
      return;
    }
    value = 0;
    for (int i = 0; i < width; i += 8) {
      value |= nextByte() << i;
    }
  }

  private int packed() {
    while (bitCount < width) {
      bits |= (long) nextByte() << bitCount;
      bitCount += 8;
    }
    int result = (int) (bits & ((1L << width) - 1));
    bits >>>= width;
    bitCount -= width;
    return result;
  }

  private int nextByte() {
    if (at >= end) {
      throw place.damaged("its numbers end too early");
    }
    return array[at++] & 0xff;
  }
}
