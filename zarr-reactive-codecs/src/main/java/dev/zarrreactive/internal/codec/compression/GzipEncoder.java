package dev.zarrreactive.internal.codec.compression;

import dev.zarrreactive.base.Bytes;
import java.util.zip.CRC32;
import java.util.zip.Deflater;

/** Encodes one gzip member without a name or a time: the same data gives the same bytes. */
final class GzipEncoder {
  private GzipEncoder() {}

  static Bytes encode(Bytes decoded, int level, Deflater deflater) {
    int size = decoded.size();
    OutputBuffer out = Deflate.room(size);
    putHeader(out, level);
    Deflate.append(out, decoded, deflater, level);
    CRC32 crc = new CRC32();
    crc.update(decoded.unsafeArray(), decoded.unsafeOffset(), size);
    out.putInt((int) crc.getValue());
    out.putInt(size);
    return Bytes.wrap(out.toByteArray());
  }

  private static void putHeader(OutputBuffer out, int level) {
    out.put(GzipHeader.MAGIC_1);
    out.put(GzipHeader.MAGIC_2);
    out.put(GzipHeader.DEFLATE);
    out.put(0); // no optional field
    out.putInt(0); // no time
    out.put(level == 9 ? 2 : level == 1 ? 4 : 0); // slowest, fastest
    out.put(255); // system unknown
  }
}
