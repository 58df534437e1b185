package dev.zarrreactive.internal.codec.blosc;

/**
 * Compresses and decompresses one sub-stream. Thread-safe. Throws {@link
 * dev.zarrreactive.error.UnsupportedFeatureException} without the library behind it.
 */
interface StreamCodec {
  /** Returns the most bytes that {@link #compress} makes of {@code length} bytes. */
  int maxCompressedLength(int length);

  /**
   * Compresses {@code length} bytes.
   *
   * @param target has room for {@link #maxCompressedLength} bytes at {@code to}
   * @param level 1 to 9
   * @return the number of bytes written
   */
  int compress(byte[] source, int from, int length, byte[] target, int to, int level);

  /**
   * Decompresses a sub-stream of {@code length} bytes to exactly {@code expected} bytes. Writes
   * only these.
   *
   * @throws DamagedStreamException for a damaged sub-stream, bytes behind it, or another
   *     decompressed length
   */
  void decompress(byte[] source, int from, int length, byte[] target, int to, int expected);
}
