package dev.zarrreactive.internal.codec.compression;

import net.jpountz.lz4.LZ4Compressor;
import net.jpountz.lz4.LZ4Factory;
import net.jpountz.lz4.LZ4SafeDecompressor;

/** The LZ4 library: its native code, or its Java code on machines without a native build. */
public final class Lz4Library {
  private static final LZ4Factory FACTORY = factory();

  /** The fast compressor, which has one level. */
  public static final LZ4Compressor FAST = FACTORY.fastCompressor();

  /** The decompressor that checks every length. */
  public static final LZ4SafeDecompressor DECOMPRESSOR = FACTORY.safeDecompressor();

  private Lz4Library() {}

  /** Returns the high compressor of a level. */
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
