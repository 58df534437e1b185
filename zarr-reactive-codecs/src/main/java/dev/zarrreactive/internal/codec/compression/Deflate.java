package dev.zarrreactive.internal.codec.compression;

import dev.zarrreactive.base.Bytes;
import dev.zarrreactive.error.CodecException;
import dev.zarrreactive.error.Location;
import java.util.zip.Deflater;

/** Compresses with the JDK's library. */
public final class Deflate {
  /**
   * The most bytes that one native call reads: on older Java versions the call holds off the
   * garbage collector.
   */
  private static final int WINDOW = 256 << 10;

  private Deflate() {}

  /** Returns a buffer that seldom has to grow for {@code size} compressed bytes. */
  public static OutputBuffer room(int size) {
    return OutputBuffer.of(size + (size >> 8) + 64L, Integer.MAX_VALUE);
  }

  /** Resets the deflater, and appends {@code decoded} compressed. */
  public static void append(OutputBuffer out, Bytes decoded, Deflater deflater, int level) {
    int size = decoded.size();
    deflater.reset();
    deflater.setLevel(level);
    int read = 0;
    while (!deflater.finished()) {
      if (deflater.needsInput()) {
        int length = Math.min(WINDOW, size - read);
        deflater.setInput(decoded.unsafeArray(), decoded.unsafeOffset() + read, length);
        read += length;
        if (read == size) {
          deflater.finish();
        }
      }
      int room = out.room();
      if (room == 0) {
        throw new CodecException(
            "the compressed form of " + size + " bytes is over 2 GiB", Location.UNKNOWN);
      }
      out.advance(deflater.deflate(out.array(), out.position(), room));
    }
  }
}
