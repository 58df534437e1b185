package dev.zarrreactive.internal.codec.blosc;

import java.util.zip.DataFormatException;
import java.util.zip.Deflater;
import java.util.zip.Inflater;

/** zlib streams (RFC 1950), by the JDK. */
final class ZlibStreams implements StreamCodec {
  static final StreamCodec INSTANCE = new ZlibStreams();

  private static final Pool<Inflater> INFLATERS = new Pool<>(Inflater::new, Inflater::end);
  private static final Pool<Deflater> DEFLATERS = new Pool<>(Deflater::new, Deflater::end);

  private ZlibStreams() {}

  @Override
  public int maxCompressedLength(int length) {
    return length + (length >> 3) + 64;
  }

  @Override
  public int compress(byte[] source, int from, int length, byte[] target, int to, int level) {
    Deflater deflater = DEFLATERS.take();
    try {
      deflater.reset();
      deflater.setLevel(level);
      deflater.setInput(source, from, length);
      deflater.finish();
      int written = 0;
      int room = target.length - to;
      while (!deflater.finished() && written < room) {
        written += deflater.deflate(target, to + written, room - written);
      }
      return written;
    } finally {
      deflater.reset();
      DEFLATERS.give(deflater);
    }
  }

  @Override
  public void decompress(byte[] source, int from, int length, byte[] target, int to, int expected)
      throws DamagedStreamException {
    Inflater inflater = INFLATERS.take();
    try {
      inflater.setInput(source, from, length);
      int written = 0;
      while (written < expected) {
        int more = inflater.inflate(target, to + written, expected - written);
        if (more == 0) {
          throw DamagedStreamException.length(written, expected);
        }
        written += more;
      }
      // the checksum behind the last byte is read only when more is asked for
      int tooMuch = inflater.finished() ? 0 : inflater.inflate(new byte[1]);
      if (tooMuch != 0) {
        throw new DamagedStreamException("decompresses to more than " + expected + " bytes");
      }
      if (!inflater.finished()) {
        throw new DamagedStreamException("ends before its checksum");
      }
      if (inflater.getRemaining() != 0) {
        throw new DamagedStreamException(inflater.getRemaining() + " bytes follow it");
      }
    } catch (DataFormatException e) {
      throw new DamagedStreamException(e);
    } finally {
      inflater.reset();
      INFLATERS.give(inflater);
    }
  }
}
