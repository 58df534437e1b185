package dev.zarrreactive.internal.codec.blosc;

import net.jpountz.lz4.LZ4Compressor;
import net.jpountz.lz4.LZ4Exception;
import net.jpountz.lz4.LZ4Factory;
import net.jpountz.lz4.LZ4SafeDecompressor;

/**
 * LZ4 blocks without a frame: the library's native code, or its Java code where that is missing.
 */
final class Lz4Streams implements StreamCodec {
  /** The fast compressor, which knows no levels. */
  static final StreamCodec FAST = new Lz4Streams(false);

  /** The high compressor. */
  static final StreamCodec HIGH = new Lz4Streams(true);

  private final boolean high;

  private Lz4Streams(boolean high) {
    this.high = high;
  }

  @Override
  public int maxCompressedLength(int length) {
    return Library.FAST.maxCompressedLength(length);
  }

  @Override
  public int compress(byte[] source, int from, int length, byte[] target, int to, int level) {
    LZ4Compressor compressor = high ? Library.FACTORY.highCompressor(level) : Library.FAST;
    return compressor.compress(source, from, length, target, to, target.length - to);
  }

  @Override
  public void decompress(byte[] source, int from, int length, byte[] target, int to, int expected) {
    int decompressed;
    try {
      decompressed = Library.DECOMPRESSOR.decompress(source, from, length, target, to, expected);
    } catch (LZ4Exception e) {
      throw new DamagedStreamException(e);
    }
    if (decompressed != expected) {
      throw DamagedStreamException.length(decompressed, expected);
    }
  }

  private static final class Library {
    static final LZ4Factory FACTORY = factory();
    static final LZ4Compressor FAST = FACTORY.fastCompressor();
    static final LZ4SafeDecompressor DECOMPRESSOR = FACTORY.safeDecompressor();

    private static LZ4Factory factory() {
      try {
        return LZ4Factory.nativeInstance();
      } catch (LinkageError | RuntimeException e) {
        return LZ4Factory.safeInstance();
      }
    }
  }
}
