package dev.zarrreactive.internal.codec.compression;

import dev.zarrreactive.base.Bytes;
import dev.zarrreactive.error.CodecException;
import dev.zarrreactive.error.Location;
import java.io.IOException;
import java.util.zip.DataFormatException;
import java.util.zip.Deflater;
import java.util.zip.Inflater;

/** Compresses and decompresses whole streams with the JDK's library. */
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

  /** Resets the deflater, and returns {@code decoded} compressed. */
  public static Bytes encode(Bytes decoded, Deflater deflater, int level) {
    OutputBuffer out = room(decoded.size());
    append(out, decoded, deflater, level);
    return Bytes.wrap(out.toByteArray());
  }

  /**
   * Resets the inflater, and returns the one stream that {@code encoded} is. It ends where the
   * encoded bytes end: bytes behind it are an error.
   */
  public static StreamDecoder.Source stream(Bytes encoded, Inflater inflater) {
    inflater.reset();
    inflater.setInput(encoded.unsafeArray(), encoded.unsafeOffset(), encoded.size());
    return (to, offset, length) -> inflate(inflater, to, offset, length);
  }

  private static int inflate(Inflater inflater, byte[] to, int offset, int length)
      throws IOException {
    int inflated;
    try {
      inflated = inflater.inflate(to, offset, length);
    } catch (DataFormatException e) {
      throw new IOException(e.getMessage(), e);
    }
    if (inflated > 0) {
      return inflated;
    }
    if (inflater.needsDictionary()) {
      throw new IOException("it needs a dictionary");
    }
    if (!inflater.finished()) {
      throw new IOException("it is cut off");
    }
    if (inflater.getRemaining() > 0) {
      throw new CodecException(
          inflater.getRemaining() + " bytes follow the stream", Location.UNKNOWN);
    }
    return -1;
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
