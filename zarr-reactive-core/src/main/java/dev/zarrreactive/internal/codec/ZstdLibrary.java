package dev.zarrreactive.internal.codec;

import dev.zarrreactive.error.Location;
import dev.zarrreactive.error.UnsupportedFeatureException;
import java.util.function.Supplier;

/** The native library zstd-jni, which is built for many machines, but not for every one. */
public final class ZstdLibrary {
  private ZstdLibrary() {}

  /**
   * Makes something of the library.
   *
   * @throws UnsupportedFeatureException where the library has no build for this machine
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
