package dev.zarrreactive.internal.codec;

import dev.zarrreactive.error.CodecException;
import dev.zarrreactive.error.Location;
import dev.zarrreactive.store.Bytes;
import java.util.zip.CRC32;
import java.util.zip.Deflater;

/** Makes one gzip member without a name and a time: the same data gives the same bytes. */
final class GzipEncoder {
  /** How much one native call reads: it holds off the garbage collector of older Java versions. */
  private static final int WINDOW = 256 << 10;

  private GzipEncoder() {}

  static Bytes encode(Bytes decoded, int level, Deflater deflater) {
    int size = decoded.size();
    GrowingBuffer out = GrowingBuffer.of(size + (size >> 8) + 64L, Integer.MAX_VALUE);
    putHeader(out, level);
    deflater.reset();
    deflater.setLevel(level);
    int read = 0;
    while (!deflater.finished()) {
      if (deflater.needsInput()) {
        int length = Math.min(WINDOW, size - read);
        deflater.setInput(decoded.unsafeArray(), decoded.unsafeOffset() + read, length);
        read += length;
        if (read == size) {
          deflater.finish();
        }
      }
      int room = out.room();
      if (room == 0) {
        throw new CodecException(
            "the compressed form of " + size + " bytes is over 2 GiB", Location.UNKNOWN);
      }
      out.advance(deflater.deflate(out.array(), out.position(), room));
    }
    CRC32 crc = new CRC32();
    crc.update(decoded.unsafeArray(), decoded.unsafeOffset(), size);
    out.putInt((int) crc.getValue());
    out.putInt(size);
    return Bytes.wrap(out.toByteArray());
  }

  private static void putHeader(GrowingBuffer out, int level) {
    out.put(GzipHeader.MAGIC_1);
    out.put(GzipHeader.MAGIC_2);
    out.put(GzipHeader.DEFLATE);
    out.put(0); // no optional field
    out.putInt(0); // no time
    out.put(level == 9 ? 2 : level == 1 ? 4 : 0); // slowest, fastest
    out.put(255); // system unknown
  }
}
