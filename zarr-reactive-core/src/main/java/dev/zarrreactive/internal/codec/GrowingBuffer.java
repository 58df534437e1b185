package dev.zarrreactive.internal.codec;

import dev.zarrreactive.codec.DecodeTarget;
import java.util.Arrays;

/** Memory that is filled from its start on and, where it may, grows as it fills: up to a bound. */
public final class GrowingBuffer {
  /** The longest array that every JVM can make. */
  public static final int LONGEST_ARRAY = Integer.MAX_VALUE - 8;

  private final int start;
  private final int mostEnd;
  private byte[] array;
  private int end;
  private int position;

  private GrowingBuffer(byte[] array, int start, int end, int mostEnd) {
    this.array = array;
    this.start = start;
    this.position = start;
    this.end = end;
    this.mostEnd = mostEnd;
  }

  /** Memory that does not grow. */
  public static GrowingBuffer over(DecodeTarget.Region region) {
    int end = region.offset() + region.length();
    return new GrowingBuffer(region.array(), region.offset(), end, end);
  }

  /** Memory for {@code first} bytes to begin with, and for {@code most} in the end. */
  public static GrowingBuffer of(long first, long most) {
    int bound = (int) Math.min(most, LONGEST_ARRAY);
    byte[] array = new byte[(int) Math.min(first, bound)];
    return new GrowingBuffer(array, 0, array.length, bound);
  }

  /** Where to write next; ask {@link #room} first, which may move everything. */
  public byte[] array() {
    return array;
  }

  /** The index in {@link #array} to write to next. */
  public int position() {
    return position;
  }

  /** How many bytes can be written now; grows where none can. 0 at the bound. */
  public int room() {
    if (position == end && end < mostEnd) {
      end = (int) Math.min(mostEnd, Math.max(64, 2L * end));
      array = Arrays.copyOf(array, end);
    }
    return end - position;
  }

  /** So many bytes were written. */
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

  /** How many bytes were written. */
  public int size() {
    return position - start;
  }

  /** A copy of what was written. */
  public byte[] toByteArray() {
    return Arrays.copyOfRange(array, start, position);
  }

  /** Copies what was written. */
  public void copyTo(DecodeTarget.Region region) {
    System.arraycopy(array, start, region.array(), region.offset(), size());
  }
}
