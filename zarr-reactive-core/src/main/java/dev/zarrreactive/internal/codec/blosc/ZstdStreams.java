package dev.zarrreactive.internal.codec.blosc;

import com.github.luben.zstd.ZstdCompressCtx;
import com.github.luben.zstd.ZstdDecompressCtx;
import com.github.luben.zstd.ZstdException;
import dev.zarrreactive.error.Location;
import dev.zarrreactive.error.UnsupportedFeatureException;
import java.util.function.Supplier;

/** zstd frames, by the native library. */
final class ZstdStreams implements StreamCodec {
  static final StreamCodec INSTANCE = new ZstdStreams();

  private static final Pool<ZstdCompressCtx> COMPRESSORS =
      new Pool<>(() -> load(ZstdCompressCtx::new), ZstdCompressCtx::close);
  private static final Pool<ZstdDecompressCtx> DECOMPRESSORS =
      new Pool<>(() -> load(ZstdDecompressCtx::new), ZstdDecompressCtx::close);

  private static <T> T load(Supplier<T> maker) {
    try {
      return maker.get();
    } catch (LinkageError e) {
      throw new UnsupportedFeatureException(
          "blosc: zstd-jni has no native library for "
              + System.getProperty("os.name")
              + " on "
              + System.getProperty("os.arch"),
          Location.UNKNOWN,
          e);
    }
  }

  private ZstdStreams() {}

  @Override
  public int maxCompressedLength(int length) {
    return length + (length >> 8) + 64;
  }

  /** Spreads the nine levels over those of zstd, which end at 22. */
  private static int level(int level) {
    return level == 9 ? 22 : 2 * level - 1;
  }

  @Override
  public int compress(byte[] source, int from, int length, byte[] target, int to, int level) {
    ZstdCompressCtx context = COMPRESSORS.take();
    try {
      context.setLevel(level(level));
      return context.compressByteArray(target, to, target.length - to, source, from, length);
    } finally {
      COMPRESSORS.give(context);
    }
  }

  @Override
  public void decompress(byte[] source, int from, int length, byte[] target, int to, int expected)
      throws DamagedStreamException {
    ZstdDecompressCtx context = DECOMPRESSORS.take();
    int decompressed;
    try {
      decompressed = context.decompressByteArray(target, to, expected, source, from, length);
    } catch (ZstdException e) {
      throw new DamagedStreamException(e);
    } finally {
      DECOMPRESSORS.give(context);
    }
    if (decompressed != expected) {
      throw DamagedStreamException.length(decompressed, expected);
    }
  }
}
