package dev.zarrreactive.internal.codec.blosc;

import dev.zarrreactive.internal.codec.compression.FastInflate;
import dev.zarrreactive.internal.codec.compression.Pool;
import java.util.zip.DataFormatException;
import java.util.zip.Deflater;
import java.util.zip.Inflater;

/** zlib streams (RFC 1950), by the JDK, or by a faster inflater if there is one. */
final class ZlibStreams implements StreamCodec {
  static final StreamCodec INSTANCE = new ZlibStreams();

  private static final Pool<Inflater> INFLATERS = Pool.perProcessor(Inflater::new, Inflater::end);
  private static final Pool<Deflater> DEFLATERS = Pool.perProcessor(Deflater::new, Deflater::end);

  /**
   * The most bytes that one native call writes: on older Java versions the call holds off the
   * garbage collector.
   */
  private static final int WINDOW = 1 << 20;

  private ZlibStreams() {}

  @Override
  public int maxCompressedLength(int length) {
    return length + (length >> 3) + 64;
  }

  @Override
  public int compress(byte[] source, int from, int length, byte[] target, int to, int level) {
    return DEFLATERS.with(
        deflater -> {
          deflater.reset();
          deflater.setLevel(level);
          deflater.setInput(source, from, length);
          deflater.finish();
          int written = 0;
          int room = target.length - to;
          while (!deflater.finished() && written < room) {
            written += deflater.deflate(target, to + written, Math.min(room - written, WINDOW));
          }
          return written;
        });
  }

  @Override
  public void decompress(byte[] source, int from, int length, byte[] target, int to, int expected) {
    if (FastInflate.zlib(source, from, length, target, to, expected)) {
      return;
    }
    String fault =
        INFLATERS.with(
            inflater -> {
              inflater.reset();
              inflater.setInput(source, from, length);
              try {
                return inflate(inflater, target, to, expected);
              } catch (DataFormatException e) {
                throw new DamagedStreamException(e);
              }
            });
    if (!fault.isEmpty()) {
      throw new DamagedStreamException(fault);
    }
  }

  /** Inflates, and returns the description of a damage, or an empty text. */
  private static String inflate(Inflater inflater, byte[] target, int to, int expected)
      throws DataFormatException {
    int written = 0;
    while (written < expected) {
      int more = inflater.inflate(target, to + written, Math.min(expected - written, WINDOW));
      if (more == 0) {
        return "ends after " + written + " bytes, expected " + expected;
      }
      written += more;
    }
    // the inflater reads the checksum behind the last byte only on a further call
    if (!inflater.finished() && inflater.inflate(new byte[1]) != 0) {
      return "decompresses to more than " + expected + " bytes";
    }
    if (!inflater.finished()) {
      return "ends before its checksum";
    }
    return inflater.getRemaining() == 0 ? "" : inflater.getRemaining() + " bytes follow it";
  }
}
