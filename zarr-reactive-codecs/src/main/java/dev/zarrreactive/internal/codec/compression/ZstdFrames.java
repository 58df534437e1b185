package dev.zarrreactive.internal.codec.compression;

import dev.zarrreactive.base.Bytes;
import dev.zarrreactive.codec.SizeBound;
import dev.zarrreactive.error.CodecException;
import dev.zarrreactive.error.Location;

/**
 * The facts in the headers of zstd frames (RFC 8878, section 3.1), read before any frame is
 * decoded: where frames begin and end, and how many bytes can come out of them. A declared size is
 * checked before memory is allocated for it, and foreign bytes between or behind frames are found.
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
   * @throws CodecException for damaged headers, a frame that is cut off, or bytes that are no frame
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
