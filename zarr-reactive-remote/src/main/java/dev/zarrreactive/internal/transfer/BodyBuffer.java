package dev.zarrreactive.internal.transfer;

import dev.zarrreactive.base.Bytes;
import dev.zarrreactive.error.Location;
import dev.zarrreactive.error.MemoryExhaustedException;
import java.nio.ByteBuffer;

/**
 * Bytes as they arrive, in one array. The array has its final size at once where that is known and
 * moderate; else it grows with the bytes: no number in a header makes it large.
 */
final class BodyBuffer {
  /** The largest array that every JVM has. */
  static final int MAX_SIZE = Bytes.MAX_SIZE;

  private static final int MAX_FIRST_SIZE = 16 << 20;
  private static final int FIRST_SIZE = 64 << 10;

  private final long maxSize;
  private byte[] array;
  private int size;

  /**
   * Room for bytes.
   *
   * @param expected how many there will be at maxSize; -1 where that is not known
   * @param bound how many there may be
   */
  BodyBuffer(long expected, long bound) {
    this.maxSize = Math.min(Math.min(expected < 0 ? MAX_SIZE : expected, bound), MAX_SIZE);
    this.array = room(Math.min(expected < 0 ? FIRST_SIZE : MAX_FIRST_SIZE, maxSize));
  }

  /**
   * Allocates an array.
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

  /** Returns true where {@code count} more bytes fit. */
  boolean hasRoomFor(int count) {
    return count <= maxSize - size;
  }

  /** Copies {@code count} bytes of {@code part}, from {@code skipped} behind its position. */
  void add(ByteBuffer part, int skipped, int count) {
    if (count > array.length - size) {
      long doubled = Math.max(2L * array.length, (long) size + count);
      array = copy(array, size, Math.min(doubled, maxSize));
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

  /** Returns the bytes; no more may be added. */
  Bytes bytes() {
    return size < array.length / 2
        ? Bytes.wrap(copy(array, size, size))
        : Bytes.wrap(array, 0, size);
  }
}
