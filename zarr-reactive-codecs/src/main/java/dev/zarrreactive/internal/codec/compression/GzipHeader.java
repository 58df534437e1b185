package dev.zarrreactive.internal.codec.compression;

import java.util.zip.CRC32;
import java.util.zip.DataFormatException;

/** The header of a gzip member, with all its optional fields (RFC 1952, section 2.3). */
final class GzipHeader {
  static final int MAGIC_1 = 0x1f;
  static final int MAGIC_2 = 0x8b;
  static final int DEFLATE = 8;

  private static final int FIXED_SIZE = 10;
  private static final int HAS_CHECKSUM = 0x02;
  private static final int HAS_EXTRA = 0x04;
  private static final int HAS_NAME = 0x08;
  private static final int HAS_COMMENT = 0x10;
  private static final int RESERVED = 0xe0;

  private final byte[] array;
  private final int start;
  private final int end;
  private int position;

  private GzipHeader(byte[] array, int start, int end) {
    this.array = array;
    this.start = start;
    this.end = end;
    this.position = start;
  }

  /**
   * Returns the index behind the header that begins at {@code start}.
   *
   * @throws DataFormatException for a damaged header; its message is part of the codec's error
   */
  static int skip(byte[] array, int start, int end) throws DataFormatException {
    return new GzipHeader(array, start, end).skip();
  }

  private int skip() throws DataFormatException {
    if (end - start < 2 || at(start) != MAGIC_1 || at(start + 1) != MAGIC_2) {
      throw new DataFormatException("no gzip member begins here");
    }
    advance(FIXED_SIZE);
    if (at(start + 2) != DEFLATE) {
      throw new DataFormatException("unknown compression method " + at(start + 2));
    }
    int flags = at(start + 3);
    if ((flags & RESERVED) != 0) {
      throw new DataFormatException("reserved header flags are set");
    }
    if ((flags & HAS_EXTRA) != 0) {
      advance(shortHere());
    }
    if ((flags & HAS_NAME) != 0) {
      skipText();
    }
    if ((flags & HAS_COMMENT) != 0) {
      skipText();
    }
    if ((flags & HAS_CHECKSUM) != 0) {
      CRC32 crc = new CRC32();
      crc.update(array, start, position - start);
      if (shortHere() != (crc.getValue() & 0xffff)) {
        throw new DataFormatException("the checksum of the header does not match");
      }
    }
    return position;
  }

  private int at(int index) {
    return array[index] & 0xff;
  }

  private void advance(int length) throws DataFormatException {
    if (length > end - position) {
      throw new DataFormatException("the header is cut off");
    }
    position += length;
  }

  private int shortHere() throws DataFormatException {
    advance(Short.BYTES);
    return at(position - 2) | at(position - 1) << Byte.SIZE;
  }

  private void skipText() throws DataFormatException {
    do {
      advance(1);
    } while (array[position - 1] != 0);
  }
}
