package dev.zarrreactive.codec;

/**
 * A number of bytes that is known exactly or bounded from above.
 *
 * @param bytes the number, or the most
 * @param exact true where it is exactly {@code bytes}
 */
public record SizeBound(long bytes, boolean exact) {
  /** Exactly {@code bytes} bytes. */
  public static SizeBound exactly(long bytes) {
    return new SizeBound(bytes, true);
  }

  /** At most {@code bytes} bytes. */
  public static SizeBound atMost(long bytes) {
    return new SizeBound(bytes, false);
  }

  /**
   * The bound of what a compressor may make of so many bytes. Generous, since other programs'
   * compressors may be wasteful; it only has to stop hostile sizes.
   */
  public SizeBound compressed() {
    long most = bytes > (Long.MAX_VALUE - (1 << 20)) / 2 ? Long.MAX_VALUE : 2 * bytes + (1 << 20);
    return atMost(most);
  }

  /**
   * This bound after several codecs, of which each may have made it larger: where it is not exact,
   * no more than two generous compressors in a row make of {@code first} bytes. Otherwise a long
   * list of codecs would let hostile bytes decode to anything.
   *
   * @param first what entered the first of the codecs
   */
  public SizeBound after(SizeBound first) {
    long most = first.compressed().compressed().bytes();
    return exact || bytes <= most ? this : atMost(most);
  }

  /**
   * This bound for a chunk of elements of any length, which nobody can know: no more than 256 MiB,
   * 1 KiB for each 64 bytes that were expected, and 1 KiB for each stored byte. Otherwise a few
   * hostile bytes could decode to 2 GiB.
   *
   * @param expected the size that the chunk was taken to have
   * @param stored the size of the stored chunk
   */
  SizeBound plausible(long expected, long stored) {
    double most = (256 << 20) + 16.0 * expected + 1024.0 * stored;
    return exact || bytes <= most ? this : atMost((long) most);
  }

  /** This many bytes and {@code more}. */
  public SizeBound plus(int more) {
    return new SizeBound(bytes > Long.MAX_VALUE - more ? Long.MAX_VALUE : bytes + more, exact);
  }

  /** True where {@code size} bytes keep within this bound. */
  public boolean allows(long size) {
    return exact ? size == bytes : size <= bytes;
  }

  @Override
  public String toString() {
    return (exact ? "" : "at most ") + bytes + " bytes";
  }
}
