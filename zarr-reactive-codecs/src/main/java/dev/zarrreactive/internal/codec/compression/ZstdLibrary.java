package dev.zarrreactive.internal.codec.compression;

import dev.zarrreactive.error.Location;
import dev.zarrreactive.error.UnsupportedFeatureException;
import java.util.function.Supplier;

/** The native library zstd-jni, which has builds for many machines, not for all. */
public final class ZstdLibrary {
  private ZstdLibrary() {}

  /**
   * Creates an object of the library.
   *
   * @throws UnsupportedFeatureException on a machine for which the library has no build
   */
  public static <T> T load(Supplier<T> context) {
    try {
      return context.get();
    } catch (LinkageError e) {
      throw new UnsupportedFeatureException(
          "the native library zstd-jni cannot be loaded on "
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
