package dev.zarrreactive.store.zip;

import static dev.zarrreactive.store.zip.Fields.SEE_ZIP64_32;
import static dev.zarrreactive.store.zip.Fields.u16;
import static dev.zarrreactive.store.zip.Fields.u32;

import dev.zarrreactive.base.Bytes;
import org.jspecify.annotations.Nullable;

/**
 * One record of the central directory (APPNOTE 4.3.12), sizes and offset as zip64 has them.
 *
 * @param host the number of the system that it was made on
 * @param length the bytes of the record itself
 */
record CentralRecord(
    int host,
    int flags,
    int method,
    int crc,
    long compressedSize,
    long size,
    long offset,
    int disk,
    Bytes name,
    Bytes extras,
    int length) {
  static final int SIGNATURE = 0x02014b50;
  static final int SIZE = 46;

  private static final int ZIP64 = 1;

  /** The record at {@code at}; null where none is whole there. */
  static @Nullable CentralRecord read(Bytes directory, int at) {
    int left = directory.size() - at;
    if (left < SIZE || directory.getInt(at) != SIGNATURE) {
      return null;
    }
    int name = u16(directory, at + 28);
    int extras = u16(directory, at + 30);
    int length = SIZE + name + extras + u16(directory, at + 32);
    return length > left
        ? null
        : new CentralRecord(
                directory.get(at + 5) & 0xff,
                u16(directory, at + 8),
                u16(directory, at + 10),
                directory.getInt(at + 16),
                u32(directory, at + 20),
                u32(directory, at + 24),
                u32(directory, at + 42),
                u16(directory, at + 34),
                directory.slice(at + SIZE, name),
                directory.slice(at + SIZE + name, extras),
                length)
            .withZip64();
  }

  /**
   * Fields that are full stand in the extra field, in this order; without one they are meant so.
   */
  private @Nullable CentralRecord withZip64() {
    boolean any = size == SEE_ZIP64_32 || compressedSize == SEE_ZIP64_32 || offset == SEE_ZIP64_32;
    Bytes wide = any ? Fields.extra(extras, ZIP64) : null;
    if (wide == null) {
      return this;
    }
    long[] fields = {size, compressedSize, offset};
    int at = 0;
    for (int i = 0; i < fields.length; i++) {
      if (fields[i] == SEE_ZIP64_32) {
        if (wide.size() - at < Long.BYTES) {
          return null;
        }
        fields[i] = wide.getLong(at);
        at += Long.BYTES;
      }
    }
    return new CentralRecord(
        host, flags, method, crc, fields[1], fields[0], fields[2], disk, name, extras, length);
  }

  /** True where all of the entry, but for what its local header adds, is before {@code end}. */
  boolean isBefore(long end) {
    long room = end - LocalHeader.SIZE - name.size();
    return offset >= 0
        && compressedSize >= 0
        && size >= 0
        && offset <= room
        && compressedSize <= room - offset;
  }
}
