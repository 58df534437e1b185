package dev.zarrreactive.store.zip;

import static dev.zarrreactive.store.zip.Fields.SEE_ZIP64_16;
import static dev.zarrreactive.store.zip.Fields.SEE_ZIP64_32;
import static dev.zarrreactive.store.zip.Fields.u16;
import static dev.zarrreactive.store.zip.Fields.u32;

import dev.zarrreactive.base.Bytes;
import dev.zarrreactive.error.Location;
import dev.zarrreactive.error.StoreException;
import org.jspecify.annotations.Nullable;

/**
 * The description of the central directory at the end of an archive (APPNOTE 4.3.14 to 4.3.16).
 *
 * @param count how many entries it has
 * @param size its length in bytes
 * @param offset where it begins, as the archive counts
 * @param endInTail where it ends in the bytes that were searched
 * @param trailer how many bytes follow it
 * @param isSplit true where the archive says that it has several disks
 */
record DirectoryEnd(
    long count, long size, long offset, int endInTail, int trailer, boolean isSplit) {
  /** Enough for the longest comment, the records of the end, and a small directory. */
  static final int TAIL = (1 << 16) + 1024;

  /** How large a directory may be: about seven million chunks. */
  static final int LARGEST_DIRECTORY = 1 << 29;

  static final int SIGNATURE = 0x06054b50;
  private static final int SIZE = 22;
  static final int LOCATOR_SIGNATURE = 0x07064b50;
  private static final int LOCATOR_SIZE = 20;
  static final int ZIP64_SIGNATURE = 0x06064b50;
  private static final int ZIP64_SIZE = 56;

  /**
   * Searches the last bytes of a value, backwards. A comment may hold anything, also what looks
   * like an end: only one counts that reaches to the last byte and has its directory where it says.
   * Zeros and white space behind it do not count. The end of an empty archive counts only if there
   * is no other.
   *
   * @param isWhole true where {@code tail} is the whole value
   */
  static DirectoryEnd find(Bytes tail, boolean isWhole, Location place) {
    String problem = null;
    DirectoryEnd empty = null;
    int last = tail.size();
    while (last > 0 && isPadding(tail.get(last - 1))) {
      last--;
    }
    for (int at = tail.size() - SIZE; at >= 0; at--) {
      int behind = tail.getInt(at) == SIGNATURE ? at + SIZE + u16(tail, at + 20) : -1;
      if (behind < 0) {
        continue;
      }
      String found;
      if (behind > tail.size()) {
        found = "it is cut off in its comment, " + (behind - tail.size()) + " bytes before its end";
      } else if (behind < last) {
        found =
            "other bytes stand behind it, "
                + (tail.size() - behind)
                + " at the end of the file; cut them off, or pack it again";
      } else {
        DirectoryEnd end = read(tail, at);
        found = end == null ? "its zip64 record is not there" : end.problem(tail, isWhole);
        if (end != null && found == null) {
          if (end.count > 0) {
            return end;
          }
          empty = empty == null ? end : empty;
        }
      }
      problem = problem == null ? found : problem;
    }
    if (empty != null) {
      return empty;
    }
    throw new StoreException(
        problem == null
            ? "no end of a zip in the last "
                + tail.size()
                + " bytes: this is no zip, or its end is missing"
            : "not a zip that can be read: " + problem,
        place);
  }

  private static boolean isPadding(byte unit) {
    return unit == 0 || unit == ' ' || unit == '\n' || unit == '\r' || unit == '\t';
  }

  private static @Nullable DirectoryEnd read(Bytes tail, int at) {
    int count = u16(tail, at + 10);
    long size = u32(tail, at + 12);
    long offset = u32(tail, at + 16);
    boolean isSplit =
        u16(tail, at + 4) != 0 || u16(tail, at + 6) != 0 || u16(tail, at + 8) != count;
    boolean seeZip64 = count == SEE_ZIP64_16 || size == SEE_ZIP64_32 || offset == SEE_ZIP64_32;
    int locator = at - LOCATOR_SIZE;
    if (locator >= 0 && tail.getInt(locator) == LOCATOR_SIGNATURE) {
      int record = zip64(tail, locator);
      if (record >= 0) {
        DirectoryEnd end = readZip64(tail, record);
        boolean agrees =
            (count == SEE_ZIP64_16 || count == end.count)
                && (size == SEE_ZIP64_32 || size == end.size)
                && (offset == SEE_ZIP64_32 || offset == end.offset);
        return agrees ? end : null;
      }
      if (seeZip64) {
        return null;
      }
    }
    return new DirectoryEnd(count, size, offset, at, tail.size() - at, isSplit);
  }

  /** Where the zip64 record stands that ends at {@code locator}; negative where none does. */
  private static int zip64(Bytes tail, int locator) {
    int at = locator - ZIP64_SIZE;
    while (at >= 0
        && (tail.getInt(at) != ZIP64_SIGNATURE || tail.getLong(at + 4) != locator - at - 12)) {
      at--;
    }
    return at;
  }

  private static DirectoryEnd readZip64(Bytes tail, int at) {
    long count = tail.getLong(at + 32);
    boolean isSplit =
        tail.getInt(at + 16) != 0 || tail.getInt(at + 20) != 0 || tail.getLong(at + 24) != count;
    return new DirectoryEnd(
        count, tail.getLong(at + 40), tail.getLong(at + 48), at, tail.size() - at, isSplit);
  }

  private @Nullable String problem(Bytes tail, boolean isWhole) {
    if (isSplit) {
      return "it is split over several disks; join it first";
    }
    if (count < 0 || size < 0 || offset < 0 || offset > 1L << 62) {
      return "its central directory has " + count + " entries, " + size + " bytes at " + offset;
    }
    if (size > LARGEST_DIRECTORY) {
      return "its central directory has " + size + " bytes, the most is " + LARGEST_DIRECTORY;
    }
    if (count > size / CentralRecord.SIZE || (count == 0 && size > 0)) {
      return "its central directory of " + size + " bytes cannot have " + count + " entries";
    }
    long start = endInTail - size;
    if (isWhole && start < offset) {
      return "its central directory would begin at byte "
          + offset
          + ", which is "
          + (offset - start)
          + " too late: bytes are missing";
    }
    if (isWhole && count == 0 && start != offset) {
      return "it has no entries, but other bytes before it";
    }
    if (start >= 0 && count > 0 && tail.getInt((int) start) != CentralRecord.SIGNATURE) {
      return "its central directory is not where its end says";
    }
    return null;
  }

  /** The central directory, where the tail has all of it; null otherwise. */
  @Nullable Bytes directoryIn(Bytes tail) {
    return size > endInTail ? null : tail.slice((int) (endInTail - size), (int) size);
  }
}
