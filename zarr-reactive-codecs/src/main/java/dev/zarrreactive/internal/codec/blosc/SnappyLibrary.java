package dev.zarrreactive.internal.codec.blosc;

import dev.zarrreactive.error.Location;
import dev.zarrreactive.error.UnsupportedFeatureException;
import java.io.IOException;
import org.xerial.snappy.Snappy;
import org.xerial.snappy.SnappyError;

/** The calls to snappy-java, in one class, because the library is optional. */
final class SnappyLibrary {
  private SnappyLibrary() {}

  static int compress(byte[] source, int from, int length, byte[] target, int to) {
    try {
      return Snappy.compress(source, from, length, target, to);
    } catch (IOException e) {
      throw new IllegalStateException(e); // declared, and thrown only for damaged input
    } catch (SnappyError e) {
      throw broken(e);
    }
  }

  static void decompress(byte[] source, int from, int length, byte[] target, int to, int expected) {
    try {
      // native code trusts the length in the block's first bytes
      int decompressed = Snappy.uncompressedLength(source, from, length);
      if (decompressed != expected) {
        throw DamagedStreamException.length(decompressed, expected);
      }
      Snappy.uncompress(source, from, length, target, to);
    } catch (IOException e) {
      throw new DamagedStreamException(e);
    } catch (SnappyError e) {
      throw broken(e);
    }
  }

  private static UnsupportedFeatureException broken(SnappyError cause) {
    return new UnsupportedFeatureException(
        "snappy-java cannot be loaded: " + cause.getMessage(), Location.UNKNOWN, cause);
  }
}
