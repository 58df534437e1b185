package dev.zarrreactive.internal.codec.numcodecs;

import dev.zarrreactive.base.Bytes;
import dev.zarrreactive.internal.codec.compression.StreamDecoder;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.SequenceInputStream;
import org.apache.commons.compress.compressors.bzip2.BZip2CompressorInputStream;
import org.apache.commons.compress.compressors.bzip2.BZip2CompressorOutputStream;
import org.jspecify.annotations.Nullable;

/** The calls to commons-compress, in one class, because the library is optional. */
final class Bzip2Library {
  private static final int HEADER_SIZE = 4;
  private static final int LEVEL = 3;
  private static final int BLOCK_UNIT = 100_000;
  private static final int LARGEST_BLOCK = 9 * BLOCK_UNIT;

  private Bzip2Library() {}

  static Bytes compress(Bytes bytes, int level) throws IOException {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    try (var bzip2 = new BZip2CompressorOutputStream(out, level)) {
      bzip2.write(bytes.unsafeArray(), bytes.unsafeOffset(), bytes.size());
    }
    return Bytes.wrap(out.toByteArray());
  }

  /**
   * Returns a decoder of one or more streams, which refuses bytes behind the last.
   *
   * @param most the most bytes that may come out
   */
  static StreamDecoder.Source decompressor(Bytes bytes, long most) {
    InputStream in = new SequenceInputStream(header(bytes, most), from(bytes, HEADER_SIZE));
    return new StreamDecoder.Source() {
      private @Nullable BZip2CompressorInputStream bzip2;

      @Override
      public int read(byte[] to, int offset, int length) throws IOException {
        if (bzip2 == null) {
          bzip2 = new BZip2CompressorInputStream(in, true); // the constructor reads the header
        }
        return bzip2.read(to, offset, length);
      }
    };
  }

  private static InputStream from(Bytes bytes, int start) {
    int skipped = Math.min(start, bytes.size());
    return new ByteArrayInputStream(
        bytes.unsafeArray(), bytes.unsafeOffset() + skipped, bytes.size() - skipped);
  }

  /**
   * Returns the header of the first stream with a smaller block size if that suffices: the library
   * allocates memory by it. Up to four decoded bytes may be coded as five.
   */
  private static InputStream header(Bytes bytes, long most) {
    byte[] header = bytes.slice(0, Math.min(HEADER_SIZE, bytes.size())).toByteArray();
    long largest = Math.min(most, LARGEST_BLOCK) * 5 / 4 + 64;
    byte level = (byte) ('0' + Math.min(9, (largest + BLOCK_UNIT - 1) / BLOCK_UNIT));
    if (header.length == HEADER_SIZE && header[LEVEL] <= '9' && header[LEVEL] > level) {
      header[LEVEL] = level;
    }
    return new ByteArrayInputStream(header);
  }
}
