package dev.zarrreactive.codec;

import dev.zarrreactive.spi.Spi;
import java.util.Optional;

/**
 * Decompresses DEFLATE streams (RFC 1951) from memory to memory, each by one call. One thread at a
 * time uses an inflater.
 *
 * <p>The inflater may decline any stream: the JDK then decompresses it from its start, and its
 * errors are the ones that users see.
 */
@Spi
public interface WholeBufferInflater extends AutoCloseable {
  /**
   * The extent of a decompressed stream.
   *
   * @param consumed the number of bytes of the stream, which other bytes may follow
   * @param written the number of its decompressed bytes
   */
  @Spi
  record Inflated(int consumed, int written) {}

  /**
   * Decompresses one stream. Any bytes may be given. The inflater accesses no memory but the two
   * ranges; a declined stream leaves any content in the target's.
   *
   * @param from the index in {@code source} of the first byte of the stream
   * @param length the number of bytes from there, with those that follow the stream
   * @param to the index in {@code target} of the first byte of the result
   * @param room the most bytes of the result
   * @return empty for a damaged stream, for a result of more than {@code room} bytes, and for sizes
   *     that this inflater leaves to the JDK
   */
  Optional<Inflated> inflate(byte[] source, int from, int length, byte[] target, int to, int room);

  /** Frees the memory of this inflater. */
  @Override
  void close();
}
