package dev.zarrreactive.codec;

import dev.zarrreactive.base.Bytes;
import dev.zarrreactive.error.CodecException;
import dev.zarrreactive.error.Location;
import dev.zarrreactive.spi.Spi;
import java.util.Objects;
import java.util.function.IntFunction;
import org.jspecify.annotations.Nullable;

/**
 * The memory for the result of a bytes→bytes codec, and the bound of its size. A codec that knows
 * the size of its result calls {@link #allocate} once, after a check against {@link #size()}.
 */
@Spi
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

    /** The index of the region's first byte in the array. */
    public int offset() {
      return offset;
    }

    /** The number of bytes to fill. */
    public int length() {
      return length;
    }

    /** Returns the region as bytes. The codec may not write to it any more. */
    public Bytes toBytes() {
      return Bytes.wrap(array, offset, length);
    }
  }

  private final SizeBound size;
  private final @Nullable Region region;
  private final IntFunction<byte[]> allocator;
  private final int wantedFrom;
  private final int wantedTo;

  private DecodeTarget(SizeBound size, @Nullable Region region, IntFunction<byte[]> allocator) {
    this(size, region, allocator, 0, Integer.MAX_VALUE);
  }

  private DecodeTarget(
      SizeBound size,
      @Nullable Region region,
      IntFunction<byte[]> allocator,
      int wantedFrom,
      int wantedTo) {
    this.size = size;
    this.region = region;
    this.allocator = allocator;
    this.wantedFrom = wantedFrom;
    this.wantedTo = wantedTo;
  }

  /** Returns a target that allocates memory for each result. */
  public static DecodeTarget fresh(SizeBound size) {
    return new DecodeTarget(size, null, byte[]::new);
  }

  /**
   * Returns a target with memory from {@code allocator}, whose arrays may be longer than requested
   * and have any content.
   */
  public static DecodeTarget from(IntFunction<byte[]> allocator, SizeBound size) {
    return new DecodeTarget(size, null, allocator);
  }

  /** Returns a target of exactly {@code length} bytes in {@code array} at {@code offset}. */
  public static DecodeTarget into(byte[] array, int offset, int length) {
    Objects.checkFromIndexSize(offset, length, array.length);
    return new DecodeTarget(
        SizeBound.exactly(length), new Region(array, offset, length), byte[]::new);
  }

  /**
   * Returns a target for a caller that reads no bytes of the result but those from {@code from} to
   * {@code to}. The result has its whole size all the same. A codec may leave the other bytes
   * undecoded and with any content, unless a checksum of the encoded form covers them.
   *
   * @param to the end, exclusive; it may be beyond the result
   */
  public DecodeTarget part(int from, int to) {
    if (from < 0 || to < from) {
      throw new IllegalArgumentException("the bytes from " + from + " to " + to + " are no part");
    }
    return new DecodeTarget(size, region, allocator, from, to);
  }

  /** The first byte of the result that the caller reads. */
  public int wantedFrom() {
    return wantedFrom;
  }

  /** The end of the bytes that the caller reads, exclusive; it may be beyond the result. */
  public int wantedTo() {
    return wantedTo;
  }

  /** The size of the result, or its bound. */
  public SizeBound size() {
    return size;
  }

  /**
   * Returns memory for a result of {@code length} bytes, with any content.
   *
   * @throws CodecException if the result may not have this size
   */
  public Region allocate(long length) {
    check(length);
    return region != null ? region : new Region(allocator.apply((int) length), 0, (int) length);
  }

  /**
   * Checks the size of a result.
   *
   * @throws CodecException if the result may not have {@code length} bytes
   */
  public void check(long length) {
    if (length < 0 || length > Bytes.MAX_SIZE || !size.allows(length)) {
      throw new CodecException(
          "decodes to " + length + " bytes, expected " + size, Location.UNKNOWN);
    }
  }
}
