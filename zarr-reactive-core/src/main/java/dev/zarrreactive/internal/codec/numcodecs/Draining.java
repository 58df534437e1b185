package dev.zarrreactive.internal.codec.numcodecs;

import dev.zarrreactive.codec.DecodeTarget;
import dev.zarrreactive.codec.SizeBound;
import dev.zarrreactive.error.CodecException;
import dev.zarrreactive.error.Location;
import dev.zarrreactive.error.ZarrException;
import dev.zarrreactive.internal.codec.GrowingBuffer;
import java.io.IOException;
import java.util.Locale;

/** Takes everything out of a decompressor that gives bytes piece by piece, up to a bound. */
final class Draining {
  /** How much is asked for in one call. */
  private static final int WINDOW = 1 << 20;

  /** Memory is taken at once where so many bytes come of one, or where it is only little. */
  private static final long LIKELY_EXPANSION = 1032;

  private static final long LITTLE = 1 << 20;

  /** A decompressor. */
  @FunctionalInterface
  interface Source {
    /** Gives at least one byte and at most {@code length}; returns how many, -1 at the end. */
    int read(byte[] to, int offset, int length) throws IOException;
  }

  private Draining() {}

  /**
   * Everything that {@code source} gives, where {@code target} wants it.
   *
   * @param encodedSize how many bytes the source decompresses
   * @throws CodecException where the source fails, or gives more than it may
   */
  static DecodeTarget.Region drain(Source source, int encodedSize, DecodeTarget target) {
    SizeBound bound = target.size();
    long likely = Math.max(LITTLE, LIKELY_EXPANSION * encodedSize);
    if (bound.exact() && bound.bytes() <= likely) {
      DecodeTarget.Region region = target.allocate(bound.bytes());
      GrowingBuffer out = GrowingBuffer.over(region);
      fill(out, source, bound);
      target.check(out.size());
      return region;
    }
    GrowingBuffer out = GrowingBuffer.of(2L * encodedSize, bound.bytes());
    fill(out, source, bound);
    DecodeTarget.Region region = target.allocate(out.size());
    out.copyTo(region);
    return region;
  }

  private static void fill(GrowingBuffer out, Source source, SizeBound bound) {
    try {
      int length;
      for (int room; (room = out.room()) > 0; out.advance(length)) {
        length = source.read(out.array(), out.position(), Math.min(room, WINDOW));
        if (length < 0) {
          return;
        }
      }
      if (source.read(new byte[1], 0, 1) >= 0) {
        throw new CodecException("decodes to more than the expected " + bound, Location.UNKNOWN);
      }
    } catch (ZarrException e) {
      throw e;
    } catch (IOException | RuntimeException e) {
      throw new CodecException("the data is damaged: " + reason(e), Location.UNKNOWN, e);
    }
  }

  /** What a library says, or, where it stumbles, that it does. */
  private static String reason(Exception e) {
    String message = e.getMessage();
    return e instanceof IOException && message != null
        ? message.toLowerCase(Locale.ROOT)
        : e instanceof IOException ? "it ends too early" : "it makes no sense";
  }
}
