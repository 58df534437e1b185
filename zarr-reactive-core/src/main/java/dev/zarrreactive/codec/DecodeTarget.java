package dev.zarrreactive.codec;

import dev.zarrreactive.error.CodecException;
import dev.zarrreactive.error.Location;
import dev.zarrreactive.store.Bytes;
import java.util.Objects;
import java.util.function.IntFunction;
import org.jspecify.annotations.Nullable;

/**
 * What a bytes→bytes codec may decode to, and where it puts it. A codec that knows how much it will
 * produce asks for {@link #allocate} once, after it has checked that against {@link #size()}.
 */
public final class DecodeTarget {
  /** Memory to fill. */
  public static final class Region {
    private final byte[] array;
    private final int offset;
    private final int length;

    private Region(byte[] array, int offset, int length) {
      this.array = array;
      this.offset = offset;
      this.length = length;
    }

    /** The array to write to. */
    public byte[] array() {
      return array;
    }

    /** Where the region begins in the array. */
    public int offset() {
      return offset;
    }

    /** How many bytes there are to fill. */
    public int length() {
      return length;
    }

    /** The region as bytes; nobody may write to it any more. */
    public Bytes toBytes() {
      return Bytes.wrap(array, offset, length);
    }
  }

  private final SizeBound size;
  private final @Nullable Region region;
  private final IntFunction<byte[]> allocator;

  private DecodeTarget(SizeBound size, @Nullable Region region, IntFunction<byte[]> allocator) {
    this.size = size;
    this.region = region;
    this.allocator = allocator;
  }

  /** New memory for each result. */
  public static DecodeTarget fresh(SizeBound size) {
    return new DecodeTarget(size, null, byte[]::new);
  }

  /**
   * Memory from {@code allocator}, which may return an array that is longer than asked for, of any
   * content.
   */
  public static DecodeTarget from(IntFunction<byte[]> allocator, SizeBound size) {
    return new DecodeTarget(size, null, allocator);
  }

  /** Exactly {@code length} bytes, into {@code array} at {@code offset}. */
  public static DecodeTarget into(byte[] array, int offset, int length) {
    Objects.checkFromIndexSize(offset, length, array.length);
    return new DecodeTarget(
        SizeBound.exactly(length), new Region(array, offset, length), byte[]::new);
  }

  /** How many bytes the result must have, or may have at the most. */
  public SizeBound size() {
    return size;
  }

  /**
   * Memory for a result of {@code length} bytes, of any content.
   *
   * @throws CodecException where the result may not have this size
   */
  public Region allocate(long length) {
    check(length);
    return region != null ? region : new Region(allocator.apply((int) length), 0, (int) length);
  }

  /**
   * Checks the size of a result.
   *
   * @throws CodecException where the result may not have {@code length} bytes
   */
  public void check(long length) {
    if (length < 0 || length > Integer.MAX_VALUE - 8 || !size.allows(length)) {
      throw new CodecException(
          "decodes to " + length + " bytes, expected " + size, Location.UNKNOWN);
    }
  }
}
