package dev.zarrreactive.internal.codec.compression;

import com.github.luben.zstd.EndDirective;
import com.github.luben.zstd.Zstd;
import com.github.luben.zstd.ZstdCompressCtx;
import com.github.luben.zstd.ZstdDecompressCtx;
import com.github.luben.zstd.ZstdException;
import dev.zarrreactive.base.Bytes;
import dev.zarrreactive.codec.BytesToBytesCodec;
import dev.zarrreactive.codec.DecodeTarget;
import dev.zarrreactive.codec.SizeBound;
import dev.zarrreactive.error.ChecksumMismatchException;
import dev.zarrreactive.error.CodecException;
import dev.zarrreactive.error.Location;
import dev.zarrreactive.extension.NamedConfiguration;
import dev.zarrreactive.json.LocatedJson;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/** The {@code zstd} codec (RFC 8878). */
record ZstdCodec(NamedConfiguration configuration, int level, boolean checksum)
    implements BytesToBytesCodec {
  static final String NAME = "zstd";

  private static final int LOWEST_LEVEL = -131072;
  private static final int HIGHEST_LEVEL = 22;

  static ZstdCodec of(NamedConfiguration use) {
    use.configuration().allowOnly("level", "checksum");
    LocatedJson checksum = use.optional("checksum");
    return new ZstdCodec(
        use,
        use.member("level").integer(LOWEST_LEVEL, HIGHEST_LEVEL),
        checksum != null && checksum.bool());
  }

  @Override
  public SizeBound encodedSize(SizeBound decoded) {
    return decoded.compressed();
  }

  @Override
  public Bytes encode(Bytes decoded) {
    return ZstdEncoder.encode(decoded, level, checksum);
  }

  @Override
  public Bytes decode(Bytes encoded, DecodeTarget target) {
    ZstdFrames frames = ZstdFrames.of(encoded);
    SizeBound bound = target.size();
    if (frames.size().exact()) {
      target.check(frames.size().bytes());
    } else if (bound.exact() && !frames.size().allows(bound.bytes())) {
      throw new CodecException(
          "decodes to " + frames.size() + ", expected " + bound, Location.UNKNOWN);
    }
    if (frames.size().exact() || bound.exact()) {
      DecodeTarget.Region region = target.allocate(Math.min(frames.size().bytes(), bound.bytes()));
      int wanted = frames.hasChecksum() ? region.length() : target.wantedTo();
      target.check(ZstdDecoder.decode(encoded, frames, region, wanted));
      return region.toBytes();
    }
    long most = Math.min(Math.min(frames.size().bytes(), bound.bytes()), Bytes.MAX_SIZE);
    DecodeTarget.Region scratch = DecodeTarget.fresh(SizeBound.exactly(most)).allocate(most);
    int size = ZstdDecoder.decode(encoded, frames, scratch, scratch.length());
    DecodeTarget.Region region = target.allocate(size);
    System.arraycopy(scratch.array(), 0, region.array(), region.offset(), size);
    return region.toBytes();
  }

  /** Encodes one zstd frame, whose header holds the size of its content. */
  static final class ZstdEncoder {
    /**
     * Contexts of higher levels take up to hundreds of MiB; creating one takes little of their
     * time.
     */
    private static final int HIGHEST_POOLED_LEVEL = 9;

    /** The most bytes that a pooled encoder keeps for its next frame. */
    private static final int MOST_KEPT = 4 << 20;

    private static final Pool<ZstdEncoder> POOL =
        Pool.perProcessor(() -> ZstdLibrary.load(ZstdEncoder::new), ZstdEncoder::close);

    private final ZstdCompressCtx context = new ZstdCompressCtx();
    private final ZstdWindows windows = new ZstdWindows();
    private byte[] kept = new byte[0];

    private void close() {
      context.close();
    }

    static Bytes encode(Bytes decoded, int level, boolean checksum) {
      if (level <= HIGHEST_POOLED_LEVEL) {
        return POOL.with(encoder -> encoder.frame(decoded, level, checksum));
      }
      ZstdEncoder encoder = ZstdLibrary.load(ZstdEncoder::new);
      try {
        return encoder.frame(decoded, level, checksum);
      } finally {
        encoder.close();
      }
    }

    private Bytes frame(Bytes decoded, int level, boolean checksum) {
      int size = decoded.size();
      OutputBuffer encoded = OutputBuffer.in(kept);
      context.reset();
      context.setLevel(level);
      context.setChecksum(checksum);
      context.setPledgedSrcSize(size);
      ByteBuffer in = windows.in;
      int read = 0;
      do {
        int length = Math.min(ZstdWindows.SIZE, size - read);
        in.clear().put(decoded.unsafeArray(), decoded.unsafeOffset() + read, length).flip();
        read += length;
        compress(in, read == size, encoded);
      } while (read < size);
      if (encoded.array().length <= MOST_KEPT) {
        kept = encoded.array();
      }
      return Bytes.wrap(encoded.toByteArray());
    }

    /** Compresses all of {@code in}, and ends the frame if it is the last part. */
    private void compress(ByteBuffer in, boolean last, OutputBuffer encoded) {
      ByteBuffer out = windows.out;
      boolean flushed;
      do {
        out.clear();
        flushed =
            context.compressDirectByteBufferStream(
                out, in, last ? EndDirective.END : EndDirective.CONTINUE);
        out.flip();
        while (out.hasRemaining()) {
          int length = Math.min(out.remaining(), encoded.room());
          if (length == 0) {
            throw new CodecException("the compressed form exceeds 2 GiB", Location.UNKNOWN);
          }
          out.get(encoded.array(), encoded.position(), length);
          encoded.advance(length);
        }
      } while (in.hasRemaining() || (last && !flushed));
    }
  }

  /**
   * Decodes zstd frames with a pooled context of the native library. One call decodes a whole
   * result, and needs no memory beside it, however large the frames' windows are. Large results are
   * decoded piece by piece on Java versions on which one call would hold off the garbage collector
   * ({@link ZstdWindows}), and results of which the beginning is wanted, up to its end.
   */
  static final class ZstdDecoder {
    private static final boolean ARRAYS_HOLD_OFF_COLLECTOR = Runtime.version().feature() < 22;
    private static final int LARGE = 4 << 20;

    /** A block is decoded whole. */
    private static final int LARGEST_BLOCK = 128 << 10;

    /**
     * The largest window, which piecewise decoding keeps in native memory. RFC 8878 recommends 8
     * MiB.
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
                inPieces
                    ? decoder.inPieces(encoded, region, end)
                    : decoder.atOnce(encoded, region));
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

  /**
   * The facts in the headers of zstd frames (RFC 8878, section 3.1), read before any frame is
   * decoded: where frames begin and end, and how many bytes can come out of them. A declared size
   * is checked before memory is allocated for it, and foreign bytes between or behind frames are
   * found.
   *
   * @param size the number of bytes that the frames decode to: exact if each frame declares it
   * @param window the largest distance in bytes that a frame refers back
   * @param hasChecksum true if a frame ends with a checksum of its content
   */
  record ZstdFrames(SizeBound size, long window, boolean hasChecksum) {
    private static final int MAGIC = 0xfd2fb528;
    private static final int SKIPPABLE_MAGIC = 0x184d2a50; // and the 15 that follow
    private static final int MAGIC_SIZE = 4;
    private static final int CHECKSUM_SIZE = 4;
    private static final int BLOCK_HEADER_SIZE = 3;
    private static final long LARGEST_BLOCK = 128 << 10;

    /**
     * Reads the headers.
     *
     * @throws CodecException for damaged headers, a frame that is cut off, or bytes that are no
     *     frame
     */
    static ZstdFrames of(Bytes encoded) {
      Reader reader = new Reader(encoded);
      do {
        reader.frame();
      } while (reader.position < encoded.size());
      return new ZstdFrames(
          reader.exact ? SizeBound.exactly(reader.size) : SizeBound.atMost(reader.size),
          reader.window,
          reader.hasChecksum);
    }

    private static final class Reader {
      private final Bytes encoded;
      private int frameStart;
      private int position;
      private long size;
      private boolean exact = true;
      private long window;
      private boolean hasChecksum;

      Reader(Bytes encoded) {
        this.encoded = encoded;
      }

      private CodecException error(String message) {
        return new CodecException(
            "in the frame at byte " + frameStart + ": " + message, Location.UNKNOWN);
      }

      /** Reads a little-endian number of {@code length} bytes. */
      private long number(int length) {
        int from = position;
        skip(length);
        long number = 0;
        for (int i = length - 1; i >= 0; i--) {
          number = number << Byte.SIZE | (encoded.get(from + i) & 0xff);
        }
        return number;
      }

      private void skip(long length) {
        if (length > encoded.size() - position) {
          throw error("it is cut off");
        }
        position += (int) length;
      }

      void frame() {
        frameStart = position;
        int magic = encoded.size() - position < MAGIC_SIZE ? 0 : (int) number(MAGIC_SIZE);
        if ((magic & ~0xf) == SKIPPABLE_MAGIC) {
          skip(number(4));
        } else if (magic == MAGIC) {
          dataFrame();
        } else {
          throw error("no zstd frame begins here");
        }
      }

      private void dataFrame() {
        int descriptor = (int) number(1);
        if ((descriptor & 0x08) != 0) {
          throw error("a reserved bit of its header is set");
        }
        boolean singleSegment = (descriptor & 0x20) != 0;
        long frameWindow = singleSegment ? 0 : windowSize((int) number(1));
        int dictionaryIdSize = (1 << (descriptor & 3)) >> 1; // 0, 1, 2, 4
        if (number(dictionaryIdSize) != 0) {
          throw error("it needs a dictionary");
        }
        int sizeFlag = descriptor >>> 6;
        int sizeSize = sizeFlag == 0 && !singleSegment ? 0 : 1 << sizeFlag; // 1, 2, 4, 8
        long declared = number(sizeSize) + (sizeSize == 2 ? 256 : 0);
        if (declared < 0) {
          throw error("it declares " + Long.toUnsignedString(declared) + " bytes");
        }
        frameWindow = singleSegment ? declared : frameWindow;
        window = Math.max(window, frameWindow);
        long most = blocks(Math.min(frameWindow, LARGEST_BLOCK));
        if ((descriptor & 0x04) != 0) {
          skip(CHECKSUM_SIZE);
          hasChecksum = true;
        }
        if (sizeSize == 0) {
          exact = false;
          size += most;
        } else if (declared > most) {
          throw error("it declares " + declared + " bytes, its blocks hold at most " + most);
        } else {
          size += declared;
        }
      }

      private static long windowSize(int descriptor) {
        long base = 1L << (10 + (descriptor >>> 3));
        return base + base / 8 * (descriptor & 7);
      }

      /** Skips the blocks of a frame, and returns the most bytes that they hold. */
      private long blocks(long largest) {
        long most = 0;
        boolean last = false;
        while (!last) {
          int header = (int) number(BLOCK_HEADER_SIZE);
          last = (header & 1) != 0;
          int blockSize = header >>> 3;
          switch (header >>> 1 & 3) {
            case 0 -> { // stored
              skip(blockSize);
              most += blockSize;
            }
            case 1 -> { // one byte, repeated
              skip(1);
              most += blockSize;
            }
            case 2 -> { // compressed
              skip(blockSize);
              most += largest;
            }
            default -> throw error("a block is of the reserved type");
          }
        }
        return most;
      }
    }
  }

  /**
   * Memory outside the heap that a zstd context reads and writes piece by piece. While a native
   * call works on an array, the garbage collector of Java before 22 waits for the call, and all
   * threads wait for the collector. Memory outside the heap delays neither.
   */
  static final class ZstdWindows {
    /** The number of bytes that are read at a time. */
    static final int SIZE = 256 << 10;

    final ByteBuffer in = ByteBuffer.allocateDirect(SIZE);

    /** Has room for the compressed form of a whole window. */
    final ByteBuffer out = ByteBuffer.allocateDirect((int) Zstd.compressBound(SIZE));
  }
}
