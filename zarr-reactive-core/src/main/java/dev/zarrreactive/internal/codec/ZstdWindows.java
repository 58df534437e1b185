package dev.zarrreactive.internal.codec;

import com.github.luben.zstd.Zstd;
import dev.zarrreactive.error.Location;
import dev.zarrreactive.error.UnsupportedFeatureException;
import java.nio.ByteBuffer;
import java.util.function.Supplier;

/**
 * Memory outside the heap that a zstd context reads from and writes to, piece by piece. While a
 * native call works on an array, the garbage collector of Java before 22 waits for it, and
 * everybody for the collector; it does not wait for this memory.
 */
final class ZstdWindows {
  /** How much is read at a time. */
  static final int SIZE = 256 << 10;

  final ByteBuffer in = ByteBuffer.allocateDirect(SIZE);

  /** Takes all that can come out of one window that is compressed. */
  final ByteBuffer out = ByteBuffer.allocateDirect((int) Zstd.compressBound(SIZE));

  /**
   * Makes something of the native library.
   *
   * @throws UnsupportedFeatureException where the library has no build for this machine
   */
  static <T> T load(Supplier<T> context) {
    try {
      return context.get();
    } catch (LinkageError e) {
      throw new UnsupportedFeatureException(
          "zstd: the native library zstd-jni cannot be loaded on "
              + System.getProperty("os.name")
              + " "
              + System.getProperty("os.arch")
              + ": "
              + e.getMessage(),
          Location.UNKNOWN,
          e);
    }
  }
}
