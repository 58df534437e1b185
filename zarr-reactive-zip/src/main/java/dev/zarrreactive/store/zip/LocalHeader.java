package dev.zarrreactive.store.zip;

import static dev.zarrreactive.store.zip.Fields.u16;

import dev.zarrreactive.base.Bytes;
import org.jspecify.annotations.Nullable;

/** The header in front of an entry's data (APPNOTE 4.3.7), which alone knows where they begin. */
final class LocalHeader {
  static final int SIGNATURE = 0x04034b50;
  static final int SIZE = 30;

  private LocalHeader() {}

  /** True where a header may begin with these bytes. */
  static boolean begins(Bytes bytes) {
    return bytes.size() >= SIZE && bytes.getInt(0) == SIGNATURE;
  }

  /** How many bytes after the header's first one the data begin. */
  static int dataStart(Bytes header) {
    return SIZE + u16(header, 26) + u16(header, 28);
  }

  /** Why this cannot be the header of {@code entry}; null where it can be. */
  static @Nullable String problem(Bytes header, Entry entry) {
    if (u16(header, 8) != entry.method() || (u16(header, 6) & 1) != 0) {
      return "the local header has another method than the central directory";
    }
    if (!entry.isVerbatim()) {
      return null;
    }
    int length = entry.name().size();
    boolean isSame =
        u16(header, 26) == length
            && header.size() >= SIZE + length
            && header.slice(SIZE, length).equals(entry.name());
    return isSame ? null : "the local header has another name than the central directory";
  }
}
