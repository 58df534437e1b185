package dev.zarrreactive.internal.codec.blosc;

import dev.zarrreactive.base.Bytes;
import dev.zarrreactive.error.CodecException;
import dev.zarrreactive.error.Location;
import dev.zarrreactive.error.UnsupportedFeatureException;
import dev.zarrreactive.internal.codec.shuffle.LittleEndianWords;
import java.util.Arrays;

/**
 * Encodes frames. The same bytes and configuration give the same frame. Bytes that do not shrink
 * are stored.
 */
final class FrameEncoder {
  /**
   * The fewest bytes that are compressed: for fewer the header costs more than compression gains.
   */
  private static final int LEAST_COMPRESSED = 128;

  private final byte[] source;
  private final int base;
  private final BloscConfiguration blosc;
  private final BloscHeader header;
  private final Blocks blocks;

  private FrameEncoder(Bytes decoded, BloscConfiguration blosc, BloscHeader header) {
    this.source = decoded.unsafeArray();
    this.base = decoded.unsafeOffset();
    this.blosc = blosc;
    this.header = header;
    this.blocks = Blocks.of(header);
  }

  /** Encodes bytes as a frame. */
  static Bytes encode(Bytes decoded, BloscConfiguration blosc) {
    int nbytes = decoded.size();
    if (blosc.typesize() > BloscHeader.MAX_TYPESIZE) {
      throw new UnsupportedFeatureException(
          "typesize "
              + blosc.typesize()
              + " cannot be written: a frame holds 1 to 255; \"noshuffle\" needs no typesize",
          Location.UNKNOWN);
    }
    if (nbytes > BloscHeader.MAX_NBYTES) {
      throw new CodecException(
          "" + nbytes + " bytes do not fit into a frame; smaller chunks would", Location.UNKNOWN);
    }
    int blocksize = nbytes == 0 ? 1 : BlockSize.of(blosc, nbytes);
    BloscHeader header =
        new BloscHeader(
            blosc.compressor(),
            blosc.shuffle(),
            true,
            BlockSize.splits(blosc.compressor()) && Blocks.splits(blocksize, blosc.typesize()),
            blosc.typesize(),
            nbytes,
            blocksize,
            nbytes + BloscHeader.SIZE);
    if (blosc.level() == 0 || nbytes < LEAST_COMPRESSED) {
      return stored(decoded, header);
    }
    FrameEncoder encoder = new FrameEncoder(decoded, blosc, header);
    Bytes compressed = FrameBuffers.with(encoder::compress);
    return compressed.size() == 0 ? stored(decoded, header) : compressed;
  }

  private static Bytes stored(Bytes decoded, BloscHeader header) {
    byte[] frame = new byte[header.cbytes()];
    header.write(frame);
    decoded.copyTo(0, frame, BloscHeader.SIZE, header.nbytes());
    return Bytes.wrap(frame);
  }

  /** Returns the compressed frame, or empty bytes if it is not shorter than the stored one. */
  private Bytes compress(FrameBuffers scratch) {
    int most = header.cbytes() - 1;
    byte[] frame = scratch.whole(most);
    long tableEnd = BloscHeader.SIZE + 4L * blocks.count();
    int at = (int) Math.min(tableEnd, most + 1);
    for (int block = 0; block < blocks.count() && at <= most; block++) {
      LittleEndianWords.putInt(frame, BloscHeader.SIZE + 4 * block, at);
      at = compressBlock(block, frame, at, most, scratch);
    }
    if (at > most) {
      return Bytes.EMPTY;
    }
    header.compressed(at).write(frame);
    return Bytes.wrap(Arrays.copyOf(frame, at));
  }

  /**
   * Appends a block to the frame, and returns its end, which is behind {@code most} on overflow.
   */
  private int compressBlock(int block, byte[] frame, int at, int most, FrameBuffers scratch) {
    int length = blocks.length(block);
    byte[] bytes = source;
    int from = base + blocks.start(block);
    if (blosc.shuffle().changes(length, blosc.typesize())) {
      bytes = scratch.shuffled(length);
      blosc.shuffle().shuffle(blosc.typesize(), source, from, bytes, 0, length);
      from = 0;
    }
    int count = blocks.streams(block);
    int each = length / count;
    int end = at;
    for (int i = 0; i < count && end <= most; i++) {
      end = compressStream(bytes, from + i * each, each, frame, end, most, scratch);
    }
    return end;
  }

  /**
   * Appends a sub-stream to the frame, and returns its end, which is behind {@code most} on
   * overflow.
   */
  private int compressStream(
      byte[] bytes, int from, int length, byte[] frame, int at, int most, FrameBuffers scratch) {
    StreamCodec codec = blosc.compressor().streams();
    byte[] stream = scratch.stream(codec.maxCompressedLength(length));
    int csize = codec.compress(bytes, from, length, stream, 0, blosc.level());
    boolean smaller = csize < length;
    int stored = smaller ? csize : length;
    if (stored > most - at - 4) {
      return most + 1;
    }
    LittleEndianWords.putInt(frame, at, stored);
    System.arraycopy(smaller ? stream : bytes, smaller ? 0 : from, frame, at + 4, stored);
    return at + 4 + stored;
  }
}
