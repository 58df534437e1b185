package dev.zarrreactive.internal.codec.blosc;

import dev.zarrreactive.base.Bytes;
import dev.zarrreactive.codec.DecodeTarget;
import dev.zarrreactive.codec.SizeBound;
import dev.zarrreactive.error.CodecException;
import dev.zarrreactive.error.Location;
import dev.zarrreactive.internal.codec.shuffle.LittleEndianWords;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Decodes frames by their own headers; the configuration of the codec does not matter. Every number
 * is checked before it is used: {@link DecodeTarget} bounds the memory that a frame costs, and its
 * length and that bound limit the time.
 */
final class FrameDecoder {
  private final byte[] frame;
  private final int base;
  private final BloscHeader header;
  private final Blocks blocks;

  private FrameDecoder(Bytes encoded, BloscHeader header) {
    this.frame = encoded.unsafeArray();
    this.base = encoded.unsafeOffset();
    this.header = header;
    this.blocks = Blocks.of(header);
    long table = 4L * blocks.count();
    if (BloscHeader.SIZE + table > header.cbytes()) {
      throw BloscHeader.damaged(
          "the table of " + blocks.count() + " blocks ends outside the frame");
    }
  }

  /** Decodes a frame. */
  static Bytes decode(Bytes encoded, DecodeTarget target) {
    BloscHeader header = BloscHeader.parse(encoded);
    target.check(header.nbytes());
    if (header.nbytes() == 0) {
      return Bytes.EMPTY;
    }
    if (header.stored()) {
      return encoded.slice(BloscHeader.SIZE, header.nbytes());
    }
    FrameDecoder decoder = new FrameDecoder(encoded, header);
    DecodeTarget.Region region = target.allocate(header.nbytes());
    return FrameBuffers.with(
        scratch -> {
          decoder.decodeWanted(region, target, scratch);
          return region.toBytes();
        });
  }

  /**
   * Decodes a part of a frame, and no block outside it.
   *
   * @param decoded the size of the whole frame's bytes
   * @param from the first byte of the part
   * @throws IndexOutOfBoundsException for a part that the frame does not hold
   */
  static Bytes decodeRange(Bytes encoded, SizeBound decoded, int from, int length) {
    BloscHeader header = BloscHeader.parse(encoded);
    DecodeTarget.fresh(decoded).check(header.nbytes());
    Objects.checkFromIndexSize(from, length, header.nbytes());
    if (length == 0) {
      return Bytes.EMPTY;
    }
    if (header.stored()) {
      return encoded.slice(BloscHeader.SIZE + from, length);
    }
    FrameDecoder decoder = new FrameDecoder(encoded, header);
    return FrameBuffers.with(
        scratch -> {
          byte[] part = new byte[length];
          decoder.decodePart(from, part, scratch);
          return Bytes.wrap(part);
        });
  }

  /** Decodes the blocks that hold a byte which the caller reads. */
  private void decodeWanted(DecodeTarget.Region region, DecodeTarget target, FrameBuffers scratch) {
    int first = Math.min(target.wantedFrom(), header.nbytes() - 1) / blocks.blocksize();
    int last = (Math.min(target.wantedTo(), header.nbytes()) - 1) / blocks.blocksize();
    long used = BloscHeader.SIZE + 4L * blocks.count();
    for (int block = first; block <= last; block++) {
      used += decodeBlock(block, region.array(), region.offset() + blocks.start(block), scratch);
      checkUsed(used);
    }
    if (last - first + 1 == blocks.count() && used < header.cbytes()) {
      throw BloscHeader.damaged(
          "the blocks fill " + used + " bytes of a frame of " + header.cbytes());
    }
  }

  /** Refuses blocks that share bytes of the frame: decoding them could cost its length squared. */
  private void checkUsed(long used) {
    if (used > header.cbytes()) {
      throw BloscHeader.damaged("blocks overlap in a frame of " + header.cbytes() + " bytes");
    }
  }

  private void decodePart(int from, byte[] out, FrameBuffers scratch) {
    int to = from + out.length;
    long used = BloscHeader.SIZE + 4L * blocks.count();
    int lastBlock = (to - 1) / blocks.blocksize();
    for (int block = from / blocks.blocksize(); block <= lastBlock; block++) {
      int start = blocks.start(block);
      int length = blocks.length(block);
      if (start >= from && start + length <= to) {
        used += decodeBlock(block, out, start - from, scratch);
      } else {
        byte[] whole = scratch.whole(length);
        used += decodeBlock(block, whole, 0, scratch);
        int first = Math.max(start, from);
        int last = Math.min(start + length, to);
        System.arraycopy(whole, first - start, out, first - from, last - first);
      }
      checkUsed(used);
    }
  }

  /** Decodes a block, and returns the number of bytes of the frame that it fills. */
  private int decodeBlock(int block, byte[] out, int outOffset, FrameBuffers scratch) {
    int length = blocks.length(block);
    if (!header.shuffle().changes(length, header.typesize())) {
      return decodeStreams(block, out, outOffset);
    }
    byte[] shuffled = scratch.shuffled(length);
    int used = decodeStreams(block, shuffled, 0);
    header.shuffle().unshuffle(header.typesize(), shuffled, 0, out, outOffset, length);
    return used;
  }

  private int decodeStreams(int block, byte[] out, int outOffset) {
    int start = LittleEndianWords.getInt(frame, base + BloscHeader.SIZE + 4 * block);
    if (start < BloscHeader.SIZE + 4 * blocks.count() || start > header.cbytes()) {
      throw damaged(block, "begins at byte " + Integer.toUnsignedString(start), null);
    }
    int streams = blocks.streams(block);
    int length = blocks.length(block) / streams;
    int at = start;
    for (int stream = 0; stream < streams; stream++) {
      at = decodeStream(block, at, out, outOffset + stream * length, length);
    }
    return at - start;
  }

  /** Decodes the sub-stream at byte {@code at} of the frame, and returns its end. */
  private int decodeStream(int block, int at, byte[] out, int outOffset, int length) {
    if (header.cbytes() - at < 4) {
      throw damaged(block, "a sub-stream begins behind the end", null);
    }
    int csize = LittleEndianWords.getInt(frame, base + at);
    int data = at + 4;
    if (csize < 1 || csize > longest(length) || csize > header.cbytes() - data) {
      throw damaged(
          block,
          "a sub-stream of "
              + Integer.toUnsignedString(csize)
              + " bytes for "
              + length
              + " decoded bytes, at byte "
              + at,
          null);
    }
    if (csize == length) {
      System.arraycopy(frame, base + data, out, outOffset, length);
    } else {
      try {
        header.compressor().streams().decompress(frame, base + data, csize, out, outOffset, length);
      } catch (DamagedStreamException e) {
        throw damaged(
            block, header.compressor().json() + " at byte " + data + ": " + e.getMessage(), e);
      }
    }
    return data + csize;
  }

  /**
   * Returns the longest stored form of a sub-stream: c-blosc stores it uncompressed if it does not
   * shrink, unless snappy made it longer.
   */
  private int longest(int length) {
    return header.compressor() == Compressor.SNAPPY
        ? header.compressor().streams().maxCompressedLength(length)
        : length;
  }

  private CodecException damaged(int block, String what, @Nullable Throwable cause) {
    return new CodecException(
        "block "
            + block
            + " of "
            + blocks.count()
            + " in a frame of "
            + header.cbytes()
            + " bytes: "
            + what,
        Location.UNKNOWN,
        cause);
  }
}
