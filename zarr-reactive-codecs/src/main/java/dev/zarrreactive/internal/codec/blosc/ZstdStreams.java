package dev.zarrreactive.internal.codec.blosc;

import com.github.luben.zstd.ZstdCompressCtx;
import com.github.luben.zstd.ZstdDecompressCtx;
import com.github.luben.zstd.ZstdException;
import dev.zarrreactive.internal.codec.compression.Pool;
import dev.zarrreactive.internal.codec.compression.ZstdLibrary;

/** zstd frames, by the native library. */
final class ZstdStreams implements StreamCodec {
  static final StreamCodec INSTANCE = new ZstdStreams();

  /**
   * The highest level whose contexts are pooled; contexts of the next one are too large to lie
   * idle.
   */
  private static final int HIGHEST_POOLED_LEVEL = 8;

  private static final Pool<ZstdCompressCtx> COMPRESSORS =
      Pool.perProcessor(ZstdStreams::compressor, ZstdCompressCtx::close);
  private static final Pool<ZstdDecompressCtx> DECOMPRESSORS =
      Pool.perProcessor(() -> ZstdLibrary.load(ZstdDecompressCtx::new), ZstdDecompressCtx::close);

  private ZstdStreams() {}

  private static ZstdCompressCtx compressor() {
    return ZstdLibrary.load(ZstdCompressCtx::new);
  }

  @Override
  public int maxCompressedLength(int length) {
    return length + (length >> 8) + 64;
  }

  @Override
  public int compress(byte[] source, int from, int length, byte[] target, int to, int level) {
    if (level <= HIGHEST_POOLED_LEVEL) {
      return COMPRESSORS.with(
          context -> compress(context, source, from, length, target, to, level));
    }
    try (ZstdCompressCtx context = compressor()) {
      return compress(context, source, from, length, target, to, level);
    }
  }

  private static int compress(
      ZstdCompressCtx context,
      byte[] source,
      int from,
      int length,
      byte[] target,
      int to,
      int level) {
    context.reset();
    context.setLevel(zstdLevel(level));
    return context.compressByteArray(target, to, target.length - to, source, from, length);
  }

  /** Spreads the nine levels over those of zstd, which end at 22. */
  private static int zstdLevel(int level) {
    return level == 9 ? 22 : 2 * level - 1;
  }

  @Override
  public void decompress(byte[] source, int from, int length, byte[] target, int to, int expected) {
    int decompressed;
    try {
      decompressed =
          DECOMPRESSORS.with(
              context -> context.decompressByteArray(target, to, expected, source, from, length));
    } catch (ZstdException e) {
      throw new DamagedStreamException(e);
    }
    if (decompressed != expected) {
      throw DamagedStreamException.length(decompressed, expected);
    }
  }
}
