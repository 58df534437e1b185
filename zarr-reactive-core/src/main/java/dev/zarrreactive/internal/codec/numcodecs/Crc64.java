package dev.zarrreactive.internal.codec.numcodecs;

import java.util.zip.Checksum;

/** The CRC of 64 bits that xz uses (ECMA-182, reflected). */
final class Crc64 implements Checksum {
  private static final long POLYNOMIAL = 0xc96c5795d7870f42L;
  private static final long[] TABLE = new long[256];

  static {
    for (int i = 0; i < TABLE.length; i++) {
      long crc = i;
      for (int bit = 0; bit < Byte.SIZE; bit++) {
        crc = crc >>> 1 ^ ((crc & 1) == 0 ? 0 : POLYNOMIAL);
      }
      TABLE[i] = crc;
    }
  }

  private long state = -1;

  @Override
  public void update(int b) {
    state = TABLE[(int) (state ^ b) & 0xff] ^ state >>> Byte.SIZE;
  }

  @Override
  public void update(byte[] array, int offset, int length) {
    for (int i = offset; i < offset + length; i++) {
      update(array[i]);
    }
  }

  @Override
  public long getValue() {
    return ~state;
  }

  @Override
  public void reset() {
    state = -1;
  }
}
