package dev.zarrreactive.codec;

import dev.zarrreactive.spi.Spi;

/**
 * A number of bytes that is exact or an upper bound.
 *
 * @param bytes the number, or the upper bound
 * @param exact true if the number is exact
 */
@Spi
public record SizeBound(long bytes, boolean exact) {
  /** Returns a size of exactly {@code bytes} bytes. */
  public static SizeBound exactly(long bytes) {
    return new SizeBound(bytes, true);
  }

  /** Returns a size of at most {@code bytes} bytes. */
  public static SizeBound atMost(long bytes) {
    return new SizeBound(bytes, false);
  }

  /**
   * Returns the bound of this number of bytes after compression. It is generous, since the
   * compressors of other programs may be wasteful: it must stop only hostile sizes.
   */
  public SizeBound compressed() {
    long most = bytes > (Long.MAX_VALUE - (1 << 20)) / 2 ? Long.MAX_VALUE : 2 * bytes + (1 << 20);
    return atMost(most);
  }

  /**
   * Returns this bound after several codecs, each of which may have raised it. An inexact bound is
   * at most that of two generous compressors in a row. Otherwise a long chain would let hostile
   * bytes decode to any size.
   *
   * @param first the size of the first codec's input
   */
  public SizeBound after(SizeBound first) {
    long most = first.compressed().compressed().bytes();
    return exact || bytes <= most ? this : atMost(most);
  }

  /**
   * Returns this bound for a chunk of variable-length elements, whose size is unknown: at most 256
   * MiB, 1 KiB for each 64 expected bytes, and 1 KiB for each stored byte. Otherwise a few hostile
   * bytes could decode to 2 GiB.
   *
   * @param expected the estimated size of the chunk
   * @param stored the size of the stored chunk
   */
  SizeBound plausible(long expected, long stored) {
    double most = (256 << 20) + 16.0 * expected + 1024.0 * stored;
    return exact || bytes <= most ? this : atMost((long) most);
  }

  /** Returns this size and {@code more} bytes. */
  public SizeBound plus(int more) {
    return new SizeBound(bytes > Long.MAX_VALUE - more ? Long.MAX_VALUE : bytes + more, exact);
  }

  /** Returns true if {@code size} bytes are within this bound. */
  public boolean allows(long size) {
    return exact ? size == bytes : size <= bytes;
  }

  @Override
  public String toString() {
    return (exact ? "" : "at most ") + bytes + " bytes";
  }
}
