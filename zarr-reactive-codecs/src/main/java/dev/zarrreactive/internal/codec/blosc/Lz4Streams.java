package dev.zarrreactive.internal.codec.blosc;

import dev.zarrreactive.internal.codec.compression.Lz4Library;
import net.jpountz.lz4.LZ4Compressor;
import net.jpountz.lz4.LZ4Exception;

/** LZ4 blocks without a frame. */
final class Lz4Streams implements StreamCodec {
  /** The fast compressor, which has one level. */
  static final StreamCodec FAST = new Lz4Streams(false);

  /** The high compressor. */
  static final StreamCodec HIGH = new Lz4Streams(true);

  private final boolean high;

  private Lz4Streams(boolean high) {
    this.high = high;
  }

  @Override
  public int maxCompressedLength(int length) {
    return Lz4Library.FAST.maxCompressedLength(length);
  }

  @Override
  public int compress(byte[] source, int from, int length, byte[] target, int to, int level) {
    LZ4Compressor compressor = high ? Lz4Library.high(level) : Lz4Library.FAST;
    return compressor.compress(source, from, length, target, to, target.length - to);
  }

  @Override
  public void decompress(byte[] source, int from, int length, byte[] target, int to, int expected) {
    int decompressed;
    try {
      decompressed = Lz4Library.DECOMPRESSOR.decompress(source, from, length, target, to, expected);
    } catch (LZ4Exception e) {
      throw new DamagedStreamException(e);
    }
    if (decompressed != expected) {
      throw DamagedStreamException.length(decompressed, expected);
    }
  }
}
