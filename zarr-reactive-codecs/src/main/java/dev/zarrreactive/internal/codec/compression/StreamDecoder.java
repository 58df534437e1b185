package dev.zarrreactive.internal.codec.compression;

import dev.zarrreactive.codec.DecodeTarget;
import dev.zarrreactive.codec.SizeBound;
import dev.zarrreactive.error.CodecException;
import dev.zarrreactive.error.Location;
import dev.zarrreactive.error.ZarrException;
import java.io.Closeable;
import java.io.IOException;
import java.util.Locale;

/** Reads a decompressor to its end, and refuses more bytes than the chunk may have. */
public final class StreamDecoder {
  /** The most bytes of one call. */
  private static final int WINDOW = 1 << 20;

  /** The expansion that deflate reaches at most: memory for it is allocated at once. */
  private static final long LIKELY_EXPANSION = 1032;

  /** A size that is allocated at once whatever the encoded size is. */
  private static final long LITTLE = 1 << 20;

  /** A decompressor. */
  @FunctionalInterface
  public interface Source extends Closeable {
    /** Reads 1 to {@code length} bytes; returns their number, -1 at the end. */
    int read(byte[] to, int offset, int length) throws IOException;

    /**
     * Reads the whole result of {@code size} bytes by one call, before any other read; returns
     * false if that fails, with any content in the memory. The stream is then read from its start.
     */
    default boolean readWhole(byte[] to, int offset, int size) {
      return false;
    }

    /** Releases the memory of the decompressor. */
    @Override
    default void close() throws IOException {}
  }

  private StreamDecoder() {}

  /**
   * Reads all bytes of {@code source} into memory of {@code target}, and closes it.
   *
   * @param encodedSize the number of bytes that the source decompresses
   * @throws CodecException for damaged data, or for more bytes than the target allows
   */
  public static DecodeTarget.Region decode(Source source, int encodedSize, DecodeTarget target) {
    SizeBound bound = target.size();
    long likely = Math.max(LITTLE, LIKELY_EXPANSION * encodedSize);
    if (bound.exact() && bound.bytes() <= likely) {
      DecodeTarget.Region region = target.allocate(bound.bytes());
      OutputBuffer out = OutputBuffer.over(region);
      fill(out, source, bound);
      target.check(out.size());
      return region;
    }
    OutputBuffer out = OutputBuffer.of(2L * encodedSize, bound.bytes());
    fill(out, source, bound);
    DecodeTarget.Region region = target.allocate(out.size());
    out.copyTo(region);
    return region;
  }

  private static void fill(OutputBuffer out, Source source, SizeBound bound) {
    try (source) {
      int all = out.room();
      if (bound.exact()
          && bound.bytes() == all
          && source.readWhole(out.array(), out.position(), all)) {
        out.advance(all);
        return;
      }
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

  private static String reason(Exception e) {
    if (!(e instanceof IOException)) {
      return "the decompressor failed";
    }
    String message = e.getMessage();
    return message == null ? "it ends too early" : message.toLowerCase(Locale.ROOT);
  }
}
