package dev.zarrreactive.kerchunk;

import com.github.luben.zstd.ZstdInputStreamNoFinalizer;
import dev.zarrreactive.base.Bytes;
import dev.zarrreactive.error.Location;
import dev.zarrreactive.error.StoreException;
import dev.zarrreactive.error.ValueTooLargeException;
import dev.zarrreactive.internal.codec.compression.OutputBuffer;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.util.zip.GZIPInputStream;
import org.jspecify.annotations.Nullable;

/** A file that may be compressed, as its first bytes tell: by zstd or gzip. */
final class Uncompressed {
  private static final int ZSTD = 0xFD2FB528;
  private static final int GZIP = 0x8B1F;

  private Uncompressed() {}

  /** Opens a decompressor. */
  private interface Opener {
    InputStream over(InputStream compressed) throws IOException;
  }

  /**
   * Returns the content of a file.
   *
   * @param most the most bytes of it
   * @throws ValueTooLargeException where it has more
   * @throws StoreException where the compressed data are damaged
   */
  static Bytes of(Bytes file, long most, Location place) {
    if (file.size() >= 4 && file.getInt(0) == ZSTD) {
      return read(file, most, place, "zstd", ZstdInputStreamNoFinalizer::new);
    }
    boolean isGzip = file.size() >= 4 && (file.getInt(0) & 0xffff) == GZIP;
    return isGzip ? read(file, most, place, "gzip", GZIPInputStream::new) : file;
  }

  private static Bytes read(Bytes file, long most, Location place, String name, Opener opener) {
    OutputBuffer out = OutputBuffer.of(4L * file.size(), most);
    @Nullable IOException damage = null;
    try (InputStream in =
        opener.over(
            new ByteArrayInputStream(file.unsafeArray(), file.unsafeOffset(), file.size()))) {
      int length;
      for (int room; (room = out.room()) > 0; out.advance(length)) {
        length = in.read(out.array(), out.position(), room);
        if (length < 0) {
          break;
        }
      }
      if (out.room() == 0 && in.read() >= 0) {
        throw new ValueTooLargeException(ValueTooLargeException.UNKNOWN_SIZE, most, place);
      }
    } catch (IOException e) {
      damage = e;
    }
    if (damage != null) {
      throw new StoreException(
          "the references are compressed by "
              + name
              + ", and damaged: "
              + (damage.getMessage() == null ? "they end too early" : damage.getMessage()),
          place,
          damage);
    }
    return Bytes.wrap(out.array(), 0, out.size());
  }
}
