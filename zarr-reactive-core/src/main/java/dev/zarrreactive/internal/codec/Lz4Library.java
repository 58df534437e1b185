package dev.zarrreactive.internal.codec;

import net.jpountz.lz4.LZ4Compressor;
import net.jpountz.lz4.LZ4Factory;
import net.jpountz.lz4.LZ4SafeDecompressor;

/** LZ4 blocks: the library's native code, or its Java code where that is missing. */
public final class Lz4Library {
  private static final LZ4Factory FACTORY = factory();

  /** The fast compressor, which knows no levels. */
  public static final LZ4Compressor FAST = FACTORY.fastCompressor();

  /** The decompressor that trusts nothing. */
  public static final LZ4SafeDecompressor DECOMPRESSOR = FACTORY.safeDecompressor();

  private Lz4Library() {}

  /** The high compressor of this level. */
  public static LZ4Compressor high(int level) {
    return FACTORY.highCompressor(level);
  }

  private static LZ4Factory factory() {
    try {
      return LZ4Factory.nativeInstance();
    } catch (LinkageError | RuntimeException e) {
      return LZ4Factory.safeInstance();
    }
  }
}
