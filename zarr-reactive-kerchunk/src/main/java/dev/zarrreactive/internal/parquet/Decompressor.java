package dev.zarrreactive.internal.parquet;

import com.github.luben.zstd.Zstd;
import com.github.luben.zstd.ZstdException;
import dev.zarrreactive.base.Bytes;
import dev.zarrreactive.error.UnsupportedFeatureException;
import dev.zarrreactive.internal.codec.compression.ZstdLibrary;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.util.zip.GZIPInputStream;

/** Decompresses pages, whose size is told beforehand. */
final class Decompressor {
  static final int NONE = 0;
  private static final int SNAPPY = 1;
  private static final int GZIP = 2;
  private static final int ZSTD = 6;

  private static final String[] NAMES = {
    "none", "snappy", "gzip", "LZO", "Brotli", "LZ4 in frames of Hadoop", "zstd", "LZ4"
  };

  /** A page of this size is allocated whatever its compressed size is. */
  private static final long LITTLE = 64 << 20;

  /** How much smaller than its content a larger page may be. */
  private static final long LIKELY_EXPANSION = 1024;

  private Decompressor() {}

  /**
   * Returns the content of a page.
   *
   * @param size the number of bytes that it has
   * @param most the most bytes that the options allow
   */
  static PageReader.Block decompress(
      Bytes compressed, int codec, long size, long most, ParquetPlace place) {
    long likely = Math.max(LITTLE, LIKELY_EXPANSION * compressed.size());
    if (size < 0 || size > Math.min(most, likely)) {
      throw place.damaged(
          "a page of "
              + compressed.size()
              + " bytes that says that it has "
              + size
              + " when it is not compressed; at most "
              + Math.min(most, likely)
              + " are expected");
    }
    byte[] array = compressed.unsafeArray();
    int from = compressed.unsafeOffset();
    if (codec == NONE) {
      if (compressed.size() != size) {
        throw wrongSize(compressed.size(), size, place);
      }
      return new PageReader.Block(array, from, compressed.size());
    }
    byte[] content = new byte[(int) size];
    if (size > 0 || compressed.size() > 0) {
      long length =
          switch (codec) {
            case ZSTD -> zstd(compressed, content, place);
            case SNAPPY -> snappy(compressed, content, place);
            case GZIP -> gzip(compressed, content, place);
            default ->
                throw place.unsupported(
                    "the compression "
                        + (codec > 0 && codec < NAMES.length ? NAMES[codec] : "number " + codec));
          };
      if (length != size) {
        throw wrongSize(length, size, place);
      }
    }
    return new PageReader.Block(content, 0, content.length);
  }

  private static RuntimeException wrongSize(long found, long expected, ParquetPlace place) {
    return place.damaged("a page of " + found + " bytes that says that it has " + expected);
  }

  private static long zstd(Bytes compressed, byte[] content, ParquetPlace place) {
    try {
      long length =
          ZstdLibrary.load(
              () ->
                  Zstd.decompressByteArray(
                      content,
                      0,
                      content.length,
                      compressed.unsafeArray(),
                      compressed.unsafeOffset(),
                      compressed.size()));
      if (Zstd.isError(length)) {
        throw place.damaged("its data of zstd are: " + Zstd.getErrorName(length));
      }
      return length;
    } catch (ZstdException e) {
      throw place.damaged("its data of zstd are: " + e.getMessage());
    }
  }

  private static long snappy(Bytes compressed, byte[] content, ParquetPlace place) {
    try {
      return SnappyPages.decompress(compressed, content, place);
    } catch (LinkageError e) {
      throw new UnsupportedFeatureException(
          "the file of Parquet is compressed by snappy, which needs a library that the class path"
              + " lacks: add org.xerial.snappy:snappy-java",
          place.file(),
          e);
    }
  }

  private static long gzip(Bytes compressed, byte[] content, ParquetPlace place) {
    try (GZIPInputStream in =
        new GZIPInputStream(
            new ByteArrayInputStream(
                compressed.unsafeArray(), compressed.unsafeOffset(), compressed.size()))) {
      int length = in.readNBytes(content, 0, content.length);
      return in.read() < 0 ? length : length + 1L;
    } catch (IOException e) {
      throw place.damaged("its data of gzip are: " + e.getMessage());
    }
  }
}
