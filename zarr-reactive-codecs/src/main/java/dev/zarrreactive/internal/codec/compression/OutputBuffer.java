package dev.zarrreactive.internal.codec.compression;

import dev.zarrreactive.base.Bytes;
import dev.zarrreactive.codec.DecodeTarget;
import java.util.Arrays;

/** A buffer that is filled from its start, and grows up to a bound. */
public final class OutputBuffer {
  private final int start;
  private final int mostEnd;
  private byte[] array;
  private int end;
  private int position;

  private OutputBuffer(byte[] array, int start, int end, int mostEnd) {
    this.array = array;
    this.start = start;
    this.position = start;
    this.end = end;
    this.mostEnd = mostEnd;
  }

  /** Returns a buffer over the memory of a region, which does not grow. */
  public static OutputBuffer over(DecodeTarget.Region region) {
    int end = region.offset() + region.length();
    return new OutputBuffer(region.array(), region.offset(), end, end);
  }

  /** Returns a buffer of {@code first} bytes that grows up to {@code most} bytes. */
  public static OutputBuffer of(long first, long most) {
    int bound = (int) Math.min(most, Bytes.MAX_SIZE);
    byte[] array = new byte[(int) Math.min(first, bound)];
    return new OutputBuffer(array, 0, array.length, bound);
  }

  /** Returns a buffer that begins with this memory, and grows to other memory. */
  static OutputBuffer in(byte[] memory) {
    return new OutputBuffer(memory, 0, memory.length, Bytes.MAX_SIZE);
  }

  /** Returns the array to write into. Call {@link #room} first: it may replace the array. */
  public byte[] array() {
    return array;
  }

  /** Returns the index in {@link #array} of the next byte to write. */
  public int position() {
    return position;
  }

  /** Returns the number of bytes that can be written now, 0 at the bound. A full buffer grows. */
  public int room() {
    if (position == end && end < mostEnd) {
      end = (int) Math.min(mostEnd, Math.max(64, 2L * end));
      array = Arrays.copyOf(array, end);
    }
    return end - position;
  }

  /** Counts {@code written} more bytes as written. */
  public void advance(int written) {
    position += written;
  }

  /** Writes one byte. */
  void put(int value) {
    if (room() == 0) {
      throw new IllegalStateException("more than " + (mostEnd - start) + " bytes");
    }
    array[position++] = (byte) value;
  }

  /** Writes a little-endian 32-bit integer. */
  void putInt(int value) {
    for (int i = 0; i < Integer.BYTES; i++) {
      put(value >>> (Byte.SIZE * i));
    }
  }

  /** Returns the number of bytes written. */
  public int size() {
    return position - start;
  }

  /** Returns a copy of the bytes written. */
  public byte[] toByteArray() {
    return Arrays.copyOfRange(array, start, position);
  }

  /** Copies the bytes written into a region. */
  public void copyTo(DecodeTarget.Region region) {
    System.arraycopy(array, start, region.array(), region.offset(), size());
  }
}
