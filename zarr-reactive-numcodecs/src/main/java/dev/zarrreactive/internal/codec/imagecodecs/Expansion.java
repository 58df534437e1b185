package dev.zarrreactive.internal.codec.imagecodecs;

import dev.zarrreactive.base.Bytes;
import dev.zarrreactive.codec.DecodeTarget;
import dev.zarrreactive.codec.SizeBound;
import dev.zarrreactive.error.CodecException;
import dev.zarrreactive.error.Location;
import java.util.Arrays;

/** The result of a decoder that writes byte after byte, up to the bound of its target. */
final class Expansion {
  private final DecodeTarget target;
  private final SizeBound bound;
  private byte[] array;
  private int size;

  /**
   * Creates an empty result.
   *
   * @param likely the number of bytes that are allocated at first
   */
  Expansion(DecodeTarget target, long likely) {
    this.target = target;
    this.bound = target.size();
    this.array = new byte[(int) Math.min(Math.min(bound.bytes(), likely), Bytes.MAX_SIZE)];
  }

  int size() {
    return size;
  }

  /** Makes room for more bytes. */
  private void grow(int more) {
    if (more > bound.bytes() - size || more > Bytes.MAX_SIZE - size) {
      throw new CodecException("decodes to more than the expected " + bound, Location.UNKNOWN);
    }
    if (more > array.length - size) {
      long most = Math.min(bound.bytes(), Bytes.MAX_SIZE);
      long longer = Math.max(size + (long) more, Math.min(most, 2L * array.length + 64));
      array = Arrays.copyOf(array, (int) longer);
    }
  }

  void put(byte value) {
    grow(1);
    array[size++] = value;
  }

  void put(byte[] source, int from, int length) {
    grow(length);
    System.arraycopy(source, from, array, size, length);
    size += length;
  }

  void repeat(byte value, int length) {
    grow(length);
    Arrays.fill(array, size, size + length, value);
    size += length;
  }

  /** Appends bytes that were written {@code distance} bytes ago, which may overlap. */
  void copy(int distance, int length) {
    if (distance < 1 || distance > size) {
      throw new CodecException(
          "the data is damaged: it refers to " + distance + " bytes before byte " + size,
          Location.UNKNOWN);
    }
    grow(length);
    for (int i = 0; i < length; i++) {
      array[size] = array[size - distance];
      size++;
    }
  }

  /** Reserves {@code length} bytes at the end for a decoder that fills them. */
  byte[] reserve(int length) {
    grow(length);
    return array;
  }

  /** Counts reserved bytes as written. */
  void advance(int length) {
    size += length;
  }

  /** Hands the bytes over. */
  Bytes toBytes() {
    DecodeTarget.Region region = target.allocate(size);
    System.arraycopy(array, 0, region.array(), region.offset(), size);
    return region.toBytes();
  }

  /** Returns the error of bytes that end before their result does. */
  static CodecException cutOff() {
    return new CodecException("the data is damaged: it ends too early", Location.UNKNOWN);
  }
}
