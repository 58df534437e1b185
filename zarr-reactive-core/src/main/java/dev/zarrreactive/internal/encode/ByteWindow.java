package dev.zarrreactive.internal.encode;

import dev.zarrreactive.base.Bytes;

/**
 * The part of a header and bands that one subscription requests, in bytes. First it chooses the
 * bands to read, then it cuts the pieces of the header and of these bands.
 */
final class ByteWindow {
  private final long from;
  private final long end;
  private final long header;

  /** The end of the bands that {@link #needs} has seen. */
  private long planned;

  /** The beginning of the first band that is read. */
  private long firstBand;

  private long position;

  /**
   * Creates a window.
   *
   * @param from the first byte
   * @param end exclusive
   * @param header the size of the header, which is in a piece of its own
   */
  ByteWindow(long from, long end, long header) {
    this.from = from;
    this.end = end;
    this.header = header;
    this.planned = header;
    this.firstBand = header;
  }

  /** Returns a window of everything, for encodings whose bands have any size. */
  static ByteWindow all() {
    return new ByteWindow(0, Long.MAX_VALUE, 0);
  }

  /** Returns the size of the window. */
  long size() {
    return end - from;
  }

  /** Returns true if the bands so far end before the end of the window. */
  boolean isOpen() {
    return planned < end;
  }

  /** Returns true if the next band, of {@code size} bytes, has some in the window. */
  boolean needs(long size) {
    long start = planned;
    planned = start > Long.MAX_VALUE - size ? Long.MAX_VALUE : start + size;
    boolean isNeeded = planned > from || from == 0; // elements may have no bytes
    if (isNeeded && start <= from) {
      firstBand = start;
    }
    return isNeeded;
  }

  /** Returns the part of the next piece that is in the window, which may be empty. */
  Bytes cut(Bytes piece) {
    long start = position == header ? firstBand : position;
    position = start + piece.size();
    long first = Math.max(start, from);
    long last = Math.min(position, end);
    if (first == start && last == position) {
      return piece;
    }
    return first < last ? piece.slice((int) (first - start), (int) (last - first)) : Bytes.EMPTY;
  }
}
