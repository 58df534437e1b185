package dev.zarrreactive.internal.parquet;

import dev.zarrreactive.base.Bytes;
import dev.zarrreactive.error.UnsupportedFeatureException;
import java.io.IOException;
import org.xerial.snappy.Snappy;
import org.xerial.snappy.SnappyError;

/** The calls to snappy-java, in one class, because the library is optional. */
final class SnappyPages {
  private SnappyPages() {}

  static int decompress(Bytes compressed, byte[] content, ParquetPlace place) {
    byte[] array = compressed.unsafeArray();
    int from = compressed.unsafeOffset();
    try {
      // native code trusts the length in the block's first bytes
      int length = Snappy.uncompressedLength(array, from, compressed.size());
      return length == content.length
          ? Snappy.uncompress(array, from, compressed.size(), content, 0)
          : length;
    } catch (IOException e) {
      throw place.damaged("its data of snappy are: " + e.getMessage());
    } catch (SnappyError e) {
      throw new UnsupportedFeatureException(
          "snappy-java cannot be loaded: " + e.getMessage(), place.file(), e);
    }
  }
}
