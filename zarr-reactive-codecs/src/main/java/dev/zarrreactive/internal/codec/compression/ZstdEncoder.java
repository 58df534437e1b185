package dev.zarrreactive.internal.codec.compression;

import com.github.luben.zstd.EndDirective;
import com.github.luben.zstd.ZstdCompressCtx;
import dev.zarrreactive.base.Bytes;
import dev.zarrreactive.error.CodecException;
import dev.zarrreactive.error.Location;
import java.nio.ByteBuffer;

/** Encodes one zstd frame, whose header holds the size of its content. */
final class ZstdEncoder {
  /**
   * Contexts of higher levels take up to hundreds of MiB; creating one takes little of their time.
   */
  private static final int HIGHEST_POOLED_LEVEL = 9;

  /** The most bytes that a pooled encoder keeps for its next frame. */
  private static final int MOST_KEPT = 4 << 20;

  private static final Pool<ZstdEncoder> POOL =
      Pool.perProcessor(() -> ZstdLibrary.load(ZstdEncoder::new), ZstdEncoder::close);

  private final ZstdCompressCtx context = new ZstdCompressCtx();
  private final ZstdWindows windows = new ZstdWindows();
  private byte[] kept = new byte[0];

  private void close() {
    context.close();
  }

  static Bytes encode(Bytes decoded, int level, boolean checksum) {
    if (level <= HIGHEST_POOLED_LEVEL) {
      return POOL.with(encoder -> encoder.frame(decoded, level, checksum));
    }
    ZstdEncoder encoder = ZstdLibrary.load(ZstdEncoder::new);
    try {
      return encoder.frame(decoded, level, checksum);
    } finally {
      encoder.close();
    }
  }

  private Bytes frame(Bytes decoded, int level, boolean checksum) {
    int size = decoded.size();
    OutputBuffer encoded = OutputBuffer.in(kept);
    context.reset();
    context.setLevel(level);
    context.setChecksum(checksum);
    context.setPledgedSrcSize(size);
    ByteBuffer in = windows.in;
    int read = 0;
    do {
      int length = Math.min(ZstdWindows.SIZE, size - read);
      in.clear().put(decoded.unsafeArray(), decoded.unsafeOffset() + read, length).flip();
      read += length;
      compress(in, read == size, encoded);
    } while (read < size);
    if (encoded.array().length <= MOST_KEPT) {
      kept = encoded.array();
    }
    return Bytes.wrap(encoded.toByteArray());
  }

  /** Compresses all of {@code in}, and ends the frame if it is the last part. */
  private void compress(ByteBuffer in, boolean last, OutputBuffer encoded) {
    ByteBuffer out = windows.out;
    boolean flushed;
    do {
      out.clear();
      flushed =
          context.compressDirectByteBufferStream(
              out, in, last ? EndDirective.END : EndDirective.CONTINUE);
      out.flip();
      while (out.hasRemaining()) {
        int length = Math.min(out.remaining(), encoded.room());
        if (length == 0) {
          throw new CodecException("the compressed form exceeds 2 GiB", Location.UNKNOWN);
        }
        out.get(encoded.array(), encoded.position(), length);
        encoded.advance(length);
      }
    } while (in.hasRemaining() || (last && !flushed));
  }
}
