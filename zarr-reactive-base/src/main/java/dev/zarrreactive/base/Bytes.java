package dev.zarrreactive.base;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * An immutable sequence of bytes on the heap. Threads and subscribers share it freely and need not
 * release it. Multi-byte reads are little-endian.
 */
public final class Bytes {
  /** The largest size: that of the largest array on every JVM. */
  public static final int MAX_SIZE = Integer.MAX_VALUE - 8;

  /** No bytes. */
  public static final Bytes EMPTY = new Bytes(new byte[0], 0, 0);

  private static final VarHandle INT =
      MethodHandles.byteArrayViewVarHandle(int[].class, ByteOrder.LITTLE_ENDIAN);
  private static final VarHandle LONG =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);

  private final byte[] array;
  private final int offset;
  private final int size;

  private Bytes(byte[] array, int offset, int size) {
    this.array = array;
    this.offset = offset;
    this.size = size;
  }

  /** All of {@code array}, which passes into the ownership of the result: do not change it. */
  public static Bytes wrap(byte[] array) {
    return new Bytes(array, 0, array.length);
  }

  /** A part of {@code array}, which passes into the ownership of the result: do not change it. */
  public static Bytes wrap(byte[] array, int offset, int size) {
    Objects.checkFromIndexSize(offset, size, array.length);
    return new Bytes(array, offset, size);
  }

  /** A copy of what remains in {@code buffer}, whose position does not move. */
  public static Bytes copyOf(ByteBuffer buffer) {
    byte[] copy = new byte[buffer.remaining()];
    buffer.get(buffer.position(), copy);
    return wrap(copy);
  }

  /** The UTF-8 form of {@code text}. */
  public static Bytes utf8(String text) {
    return wrap(text.getBytes(StandardCharsets.UTF_8));
  }

  /**
   * All of {@code parts}, one after the other, copied into one array.
   *
   * @throws IllegalArgumentException if they are more than {@link #MAX_SIZE} bytes
   */
  public static Bytes join(List<Bytes> parts) {
    if (parts.size() == 1) {
      return parts.get(0);
    }
    long size = parts.stream().mapToLong(Bytes::size).sum();
    if (size > MAX_SIZE) {
      throw new IllegalArgumentException(size + " bytes are more than one array holds");
    }
    byte[] all = new byte[(int) size];
    int at = 0;
    for (Bytes part : parts) {
      part.copyTo(0, all, at, part.size());
      at += part.size();
    }
    return wrap(all);
  }

  /** The number of bytes. */
  public int size() {
    return size;
  }

  /** The byte at {@code index}. */
  public byte get(int index) {
    return array[offset + Objects.checkIndex(index, size)];
  }

  /** The little-endian 32-bit integer that begins at {@code index}. */
  public int getInt(int index) {
    return (int) INT.get(array, offset + Objects.checkFromIndexSize(index, Integer.BYTES, size));
  }

  /** The little-endian 64-bit integer that begins at {@code index}. */
  public long getLong(int index) {
    return (long) LONG.get(array, offset + Objects.checkFromIndexSize(index, Long.BYTES, size));
  }

  /** A part of these bytes; nothing is copied. */
  public Bytes slice(int from, int count) {
    Objects.checkFromIndexSize(from, count, size);
    return new Bytes(array, offset + from, count);
  }

  /** Copies {@code count} bytes from {@code from} into {@code target} at {@code targetOffset}. */
  public void copyTo(int from, byte[] target, int targetOffset, int count) {
    Objects.checkFromIndexSize(from, count, size);
    System.arraycopy(array, offset + from, target, targetOffset, count);
  }

  /** A copy as an array. */
  public byte[] toByteArray() {
    return Arrays.copyOfRange(array, offset, offset + size);
  }

  /** A read-only little-endian view. */
  public ByteBuffer asByteBuffer() {
    return ByteBuffer.wrap(array, offset, size)
        .slice()
        .asReadOnlyBuffer()
        .order(ByteOrder.LITTLE_ENDIAN);
  }

  /**
   * The array that holds the bytes, not a copy, for codecs that pass it to a library. A write into
   * it would corrupt the bytes for all of their holders.
   */
  public byte[] unsafeArray() {
    return array;
  }

  /** Where these bytes begin in {@link #unsafeArray()}. */
  public int unsafeOffset() {
    return offset;
  }

  /** Compares the bytes. */
  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof Bytes that
        && Arrays.equals(
            array, offset, offset + size, that.array, that.offset, that.offset + that.size);
  }

  @Override
  public int hashCode() {
    int hash = 1;
    for (int i = offset; i < offset + size; i++) {
      hash = 31 * hash + array[i];
    }
    return hash;
  }

  /** Returns the size, without the content. */
  @Override
  public String toString() {
    return "Bytes[" + size + "]";
  }
}
