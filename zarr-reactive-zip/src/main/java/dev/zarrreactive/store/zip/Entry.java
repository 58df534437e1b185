package dev.zarrreactive.store.zip;

import static java.util.Map.entry;

import dev.zarrreactive.base.Bytes;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * One entry as the central directory describes it.
 *
 * @param slot its number
 * @param offset where its local header begins, as the archive counts
 * @param isVerbatim true where the archive has the name as it is here, false where in another
 *     encoding
 * @param name in UTF-8
 */
record Entry(
    int slot,
    long offset,
    long compressedSize,
    long size,
    int crc,
    int method,
    boolean isEncrypted,
    boolean isVerbatim,
    Bytes name) {
  static final int STORED = 0;
  static final int DEFLATED = 8;

  /** Deflate makes at most 258 bytes of 2 bits. */
  private static final long LARGEST_RATIO = 1032;

  /** Stored blocks of a few bytes each are the worst that a writer has a reason for. */
  private static final long LARGEST_OVERHEAD = 1 << 16;

  /** The names of compression methods (APPNOTE 4.4.5). */
  private static final Map<Integer, String> METHODS =
      Map.ofEntries(
          entry(1, "Shrink"),
          entry(2, "Reduce"),
          entry(3, "Reduce"),
          entry(4, "Reduce"),
          entry(5, "Reduce"),
          entry(6, "Implode"),
          entry(9, "Deflate64"),
          entry(10, "PKWARE DCL Implode"),
          entry(12, "bzip2"),
          entry(14, "LZMA"),
          entry(16, "CMPSC"),
          entry(18, "TERSE"),
          entry(19, "LZ77"),
          entry(20, "Zstandard"),
          entry(93, "Zstandard"),
          entry(94, "MP3"),
          entry(95, "xz"),
          entry(96, "JPEG"),
          entry(97, "WavPack"),
          entry(98, "PPMd"),
          entry(99, "AES"));

  boolean isStored() {
    return method == STORED;
  }

  /** Why the entry cannot be read; null where it can be. Nothing has been allocated for it yet. */
  @Nullable String problem() {
    if (isEncrypted) {
      return "the entry is encrypted; write it without a password";
    }
    if (method == STORED) {
      return compressedSize == size
          ? null
          : "the entry is stored, and " + compressedSize + " bytes cannot be " + size;
    }
    if (method != DEFLATED) {
      return "the entry is compressed with "
          + nameOf(method)
          + "; only stored and deflated ones can be read";
    }
    if (size > Bytes.MAX_SIZE || compressedSize > Bytes.MAX_SIZE) {
      return "the entry is deflated and has " + size + " bytes, which do not fit into one array";
    }
    return size / LARGEST_RATIO > compressedSize || compressedSize > 2 * size + LARGEST_OVERHEAD
        ? "the entry says that it inflates from " + compressedSize + " bytes to " + size
        : null;
  }

  private static String nameOf(int method) {
    String name = METHODS.get(method);
    return name == null ? "the unknown method " + method : name + " (method " + method + ")";
  }
}
