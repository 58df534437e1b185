package dev.zarrreactive.internal.codec;

import dev.zarrreactive.error.CodecException;
import dev.zarrreactive.error.Location;
import dev.zarrreactive.store.Bytes;
import java.util.zip.Deflater;

/** Compresses with the JDK's library. */
public final class Deflating {
  /** How much one native call reads: it holds off the garbage collector of older Java versions. */
  private static final int WINDOW = 256 << 10;

  private Deflating() {}

  /** Room for what a number of bytes becomes, which is seldom more. */
  public static GrowingBuffer room(int size) {
    return GrowingBuffer.of(size + (size >> 8) + 64L, Integer.MAX_VALUE);
  }

  /** Appends {@code decoded}, compressed by a deflater that is reset first. */
  public static void append(GrowingBuffer out, Bytes decoded, Deflater deflater, int level) {
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
