package dev.zarrreactive.internal.transfer;

import dev.zarrreactive.error.Location;
import dev.zarrreactive.error.MemoryExhaustedException;
import dev.zarrreactive.store.Bytes;
import java.nio.ByteBuffer;

/**
 * Bytes as they arrive, in one array. It is made in its final size where that is known and sane;
 * where not, it grows with what has arrived: no number in a header makes it large.
 */
final class Gathering {
  /** The largest array of the JVM, as far as one can be sure of it. */
  static final int MOST = Integer.MAX_VALUE - 8;

  private static final int SANE = 16 << 20;
  private static final int UNKNOWN = 64 << 10;

  private final long most;
  private byte[] array;
  private int size;

  /**
   * Room for bytes.
   *
   * @param expected how many there will be at most; -1 where that is not known
   * @param bound how many there may be
   */
  Gathering(long expected, long bound) {
    this.most = Math.min(Math.min(expected < 0 ? MOST : expected, bound), MOST);
    this.array = room(Math.min(expected < 0 ? UNKNOWN : SANE, most));
  }

  /**
   * An array.
   *
   * @throws MemoryExhaustedException where the heap has no room for it
   */
  static byte[] room(long size) {
    try {
      return new byte[(int) size];
    } catch (OutOfMemoryError e) {
      throw new MemoryExhaustedException("to collect a value", size, Location.UNKNOWN, e);
    }
  }

  private static byte[] copy(byte[] array, int size, long room) {
    byte[] copy = room(room);
    System.arraycopy(array, 0, copy, 0, size);
    return copy;
  }

  /** False where there is no room for so many more. */
  boolean hasRoomFor(int count) {
    return count <= most - size;
  }

  /** Takes {@code count} bytes of {@code part}, {@code skipped} behind its position. */
  void add(ByteBuffer part, int skipped, int count) {
    if (count > array.length - size) {
      long doubled = Math.max(2L * array.length, (long) size + count);
      array = copy(array, size, Math.min(doubled, most));
    }
    part.get(part.position() + skipped, array, size, count);
    size += count;
  }

  /** Forgets all but the last {@code count} bytes. */
  void keepLast(int count) {
    System.arraycopy(array, size - count, array, 0, count);
    size = count;
  }

  int size() {
    return size;
  }

  /** The bytes; nothing may be added any more. */
  Bytes bytes() {
    return size < array.length / 2
        ? Bytes.wrap(copy(array, size, size))
        : Bytes.wrap(array, 0, size);
  }
}
