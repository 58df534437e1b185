package dev.zarrreactive.internal.codec.compression;

import com.github.luben.zstd.Zstd;
import com.github.luben.zstd.ZstdDecompressCtx;
import com.github.luben.zstd.ZstdException;
import dev.zarrreactive.base.Bytes;
import dev.zarrreactive.codec.DecodeTarget;
import dev.zarrreactive.error.ChecksumMismatchException;
import dev.zarrreactive.error.CodecException;
import dev.zarrreactive.error.Location;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/**
 * Decodes zstd frames with a pooled context of the native library. One call decodes a whole result,
 * and needs no memory beside it, however large the frames' windows are. Large results are decoded
 * piece by piece on Java versions on which one call would hold off the garbage collector ({@link
 * ZstdWindows}), and results of which the beginning is wanted, up to its end.
 */
final class ZstdDecoder {
  private static final boolean ARRAYS_HOLD_OFF_COLLECTOR = Runtime.version().feature() < 22;
  private static final int LARGE = 4 << 20;

  /** A block is decoded whole. */
  private static final int LARGEST_BLOCK = 128 << 10;

  /**
   * The largest window, which piecewise decoding keeps in native memory. RFC 8878 recommends 8 MiB.
   */
  private static final int LARGEST_WINDOW = 8 << 20;

  private static final Pool<ZstdDecoder> POOL =
      Pool.perProcessor(() -> ZstdLibrary.load(ZstdDecoder::new), ZstdDecoder::close);

  private final ZstdDecompressCtx context = new ZstdDecompressCtx();
  private @Nullable ZstdWindows windows;

  private void close() {
    context.close();
  }

  /**
   * Decodes into the region from its start on.
   *
   * @param wanted the bytes to decode at least: the rest is left where that takes less time
   * @return the number of bytes written; the length of the region where some are left
   */
  static int decode(Bytes encoded, ZstdFrames frames, DecodeTarget.Region region, int wanted) {
    boolean large = Math.max(encoded.size(), region.length()) >= LARGE;
    int most = Math.min(region.length() / 4 * 3, region.length() - LARGEST_BLOCK);
    boolean leavesRest = wanted <= most; // one call decodes more than this faster
    boolean inPieces =
        (leavesRest || (large && ARRAYS_HOLD_OFF_COLLECTOR)) && frames.window() <= LARGEST_WINDOW;
    int end = leavesRest ? wanted : Integer.MAX_VALUE;
    try {
      return POOL.with(
          decoder ->
              inPieces ? decoder.inPieces(encoded, region, end) : decoder.atOnce(encoded, region));
    } catch (ZstdException e) {
      throw error(e, region);
    }
  }

  private static CodecException error(ZstdException e, DecodeTarget.Region region) {
    long code = Math.abs(e.getErrorCode());
    if (code == Zstd.errChecksumWrong()) {
      return new ChecksumMismatchException(
          "the checksum of a frame does not match its content", Location.UNKNOWN, e);
    }
    if (code == Zstd.errDstSizeTooSmall()) {
      return tooLong(region);
    }
    return new CodecException("cannot be decompressed: " + e.getMessage(), Location.UNKNOWN, e);
  }

  private static CodecException tooLong(DecodeTarget.Region region) {
    return new CodecException(
        "decodes to more than the expected " + region.length() + " bytes", Location.UNKNOWN);
  }

  private int atOnce(Bytes encoded, DecodeTarget.Region region) {
    return context.decompressByteArray(
        region.array(),
        region.offset(),
        region.length(),
        encoded.unsafeArray(),
        encoded.unsafeOffset(),
        encoded.size());
  }

  private int inPieces(Bytes encoded, DecodeTarget.Region region, int end) {
    if (windows == null) {
      windows = new ZstdWindows();
    }
    ByteBuffer in = windows.in.clear().limit(0);
    ByteBuffer out = windows.out;
    context.reset();
    int read = 0;
    int written = 0;
    boolean frameEnded = false;
    while (!frameEnded || in.hasRemaining() || read < encoded.size()) {
      if (written >= end) {
        return region.length();
      }
      if (!in.hasRemaining()) {
        int length = Math.min(ZstdWindows.SIZE, encoded.size() - read);
        in.clear().put(encoded.unsafeArray(), encoded.unsafeOffset() + read, length).flip();
        read += length;
      }
      int unread = in.remaining();
      int room = Math.min(out.capacity(), Math.min(end, region.length()) - written);
      out.clear().limit(Math.max(1, room)); // with a full region, one byte more proves the excess
      frameEnded = context.decompressDirectByteBufferStream(out, in);
      int length = out.position();
      if (length > room) {
        throw tooLong(region);
      }
      if (length == 0 && in.remaining() == unread && !frameEnded) {
        throw new CodecException("a frame is cut off", Location.UNKNOWN);
      }
      out.flip().get(region.array(), region.offset() + written, length);
      written += length;
    }
    return written;
  }
}
