package dev.zarrreactive.store.zip;

import dev.zarrreactive.base.Bytes;
import org.jspecify.annotations.Nullable;

/** Unsigned little-endian fields, as all records of a zip have them (APPNOTE 4.1 and 4.5). */
final class Fields {
  /** A 16-bit field that says: see the zip64 record. */
  static final int SEE_ZIP64_16 = 0xffff;

  /** A 32-bit field that says: see the zip64 record. */
  static final long SEE_ZIP64_32 = 0xffffffffL;

  private Fields() {}

  static int u16(Bytes bytes, int at) {
    return (bytes.get(at) & 0xff) | (bytes.get(at + 1) & 0xff) << 8;
  }

  static long u32(Bytes bytes, int at) {
    return bytes.getInt(at) & 0xffffffffL;
  }

  /** The data of the extra field {@code id}; null where there is none that is whole. */
  static @Nullable Bytes extra(Bytes extras, int id) {
    int at = 0;
    while (at + 4 <= extras.size()) {
      int size = u16(extras, at + 2);
      if (size > extras.size() - at - 4) {
        return null;
      }
      if (u16(extras, at) == id) {
        return extras.slice(at + 4, size);
      }
      at += 4 + size;
    }
    return null;
  }
}
