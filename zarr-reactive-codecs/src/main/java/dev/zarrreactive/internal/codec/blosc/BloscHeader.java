package dev.zarrreactive.internal.codec.blosc;

import dev.zarrreactive.base.Bytes;
import dev.zarrreactive.error.CodecException;
import dev.zarrreactive.error.Location;
import dev.zarrreactive.internal.codec.shuffle.LittleEndianWords;
import dev.zarrreactive.internal.codec.shuffle.Shuffle;
import org.jspecify.annotations.Nullable;

/**
 * The first 16 bytes of a frame, checked against each other and against the frame's length. The
 * {@code blocksize} is from 1 to {@code nbytes}, unless {@code nbytes} is 0.
 *
 * @param compressor the compressor of the sub-streams
 * @param shuffle the shuffle of the blocks
 * @param stored whether the bytes follow the header uncompressed ("memcpy")
 * @param split whether blocks may be split into one sub-stream per byte of an element
 * @param typesize bytes per element, 1 to 255
 * @param nbytes bytes before compression
 * @param blocksize bytes per block, the last one excepted
 * @param cbytes bytes of the frame
 */
record BloscHeader(
    Compressor compressor,
    Shuffle shuffle,
    boolean stored,
    boolean split,
    int typesize,
    int nbytes,
    int blocksize,
    int cbytes) {
  static final int SIZE = 16;
  static final int MAX_TYPESIZE = 255;

  /**
   * The most bytes that a frame can hold: a frame of stored bytes has to fit into an array, too.
   */
  static final int MAX_NBYTES = Bytes.MAX_SIZE - SIZE;

  private static final int VERSION = 2;
  private static final int INNER_VERSION = 1;
  private static final int STORED = 0x02;
  private static final int RESERVED = 0x08;
  private static final int NOT_SPLIT = 0x10;

  /**
   * Reads and checks the header of {@code frame}.
   *
   * @throws CodecException for a header that is damaged or not that of this frame
   */
  static BloscHeader parse(Bytes frame) {
    if (frame.size() < SIZE) {
      throw damaged("the frame has " + frame.size() + " bytes, fewer than its header of " + SIZE);
    }
    int version = frame.get(0) & 0xff;
    int innerVersion = frame.get(1) & 0xff;
    if (version != VERSION || innerVersion != INNER_VERSION) {
      throw damaged(
          "not a blosc frame: expected format version 2.1, found " + version + "." + innerVersion);
    }
    int flags = frame.get(2) & 0xff;
    Compressor compressor = Compressor.ofFormat(flags >> 5);
    if (compressor == null) {
      throw damaged("unknown compressor format " + (flags >> 5) + "; known are 0 to 4");
    }
    BloscHeader header =
        new BloscHeader(
            compressor,
            shuffle(flags),
            (flags & STORED) != 0,
            (flags & NOT_SPLIT) == 0,
            frame.get(3) & 0xff,
            frame.getInt(4),
            frame.getInt(8),
            frame.getInt(12));
    String fault = header.fault(frame.size());
    if (fault != null) {
      throw damaged(fault);
    }
    return header;
  }

  private static Shuffle shuffle(int flags) {
    if ((flags & RESERVED) != 0) {
      throw damaged("the reserved flag is set");
    }
    boolean bytes = (flags & Shuffle.BYTE.flag()) != 0;
    boolean bits = (flags & Shuffle.BIT.flag()) != 0;
    if (bytes && bits) {
      throw damaged("the flags of byte shuffle and bit shuffle are both set");
    }
    return bytes ? Shuffle.BYTE : bits ? Shuffle.BIT : Shuffle.NONE;
  }

  private @Nullable String fault(int frameSize) {
    if (cbytes != frameSize) {
      return "the header says " + cbytes + " bytes, the frame has " + frameSize;
    }
    if (typesize == 0) {
      return "typesize 0";
    }
    if (nbytes < 0 || nbytes > MAX_NBYTES) {
      return "the header says "
          + Integer.toUnsignedString(nbytes)
          + " decoded bytes, more than a frame can hold";
    }
    if (nbytes == 0) {
      return cbytes == SIZE ? null : "a frame of nothing has " + cbytes + " bytes, expected 16";
    }
    if (blocksize < 1 || blocksize > nbytes) {
      return "blocks of " + Integer.toUnsignedString(blocksize) + " bytes, expected 1 to " + nbytes;
    }
    if (stored && cbytes != nbytes + SIZE) {
      return nbytes + " stored bytes in a frame of " + cbytes + ", expected " + (nbytes + SIZE);
    }
    return null;
  }

  /** Returns the header of the same bytes in a compressed frame of {@code size} bytes. */
  BloscHeader compressed(int size) {
    return new BloscHeader(compressor, shuffle, false, split, typesize, nbytes, blocksize, size);
  }

  /** Writes this header to {@code target}. */
  void write(byte[] target) {
    int flags = (compressor.format() << 5) | shuffle.flag();
    flags |= stored ? STORED : 0;
    flags |= split ? 0 : NOT_SPLIT;
    target[0] = VERSION;
    target[1] = INNER_VERSION;
    target[2] = (byte) flags;
    target[3] = (byte) typesize;
    LittleEndianWords.putInt(target, 4, nbytes);
    LittleEndianWords.putInt(target, 8, blocksize);
    LittleEndianWords.putInt(target, 12, cbytes);
  }

  /** Returns the error of a damaged frame. */
  static CodecException damaged(String what) {
    return new CodecException(what, Location.UNKNOWN);
  }
}
