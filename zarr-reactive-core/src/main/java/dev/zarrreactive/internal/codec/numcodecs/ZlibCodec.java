package dev.zarrreactive.internal.codec.numcodecs;

import dev.zarrreactive.codec.BytesToBytesCodec;
import dev.zarrreactive.codec.DecodeTarget;
import dev.zarrreactive.codec.SizeBound;
import dev.zarrreactive.error.CodecException;
import dev.zarrreactive.error.Location;
import dev.zarrreactive.extension.NamedConfiguration;
import dev.zarrreactive.internal.codec.GrowingBuffer;
import dev.zarrreactive.internal.codec.Pool;
import dev.zarrreactive.store.Bytes;
import java.io.IOException;
import java.util.zip.DataFormatException;
import java.util.zip.Deflater;
import java.util.zip.Inflater;

/** One zlib stream (RFC 1950); what follows it is an error. */
final class ZlibCodec implements BytesToBytesCodec {
  /** How much one native call reads: it holds off the garbage collector of older Java versions. */
  private static final int WINDOW = 256 << 10;

  private static final Pool<Inflater> INFLATERS = Pool.perProcessor(Inflater::new, Inflater::end);
  private static final Pool<Deflater> DEFLATERS = Pool.perProcessor(Deflater::new, Deflater::end);

  private final NamedConfiguration configuration;
  private final int level;

  private ZlibCodec(NamedConfiguration configuration, int level) {
    this.configuration = configuration;
    this.level = level;
  }

  static ZlibCodec of(NamedConfiguration use) {
    use.configuration().allowOnly("level");
    return new ZlibCodec(use, Options.integer(use, "level", -1, 9, 1));
  }

  @Override
  public NamedConfiguration configuration() {
    return configuration;
  }

  @Override
  public SizeBound encodedSize(SizeBound decoded) {
    return decoded.compressed();
  }

  @Override
  public Bytes encode(Bytes decoded) {
    return DEFLATERS.with(deflater -> encode(decoded, deflater));
  }

  private Bytes encode(Bytes decoded, Deflater deflater) {
    int size = decoded.size();
    GrowingBuffer out = GrowingBuffer.of(size + (size >> 8) + 64L, Integer.MAX_VALUE);
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
        throw new CodecException("the compressed form is over 2 GiB", Location.UNKNOWN);
      }
      out.advance(deflater.deflate(out.array(), out.position(), room));
    }
    return Bytes.wrap(out.toByteArray());
  }

  @Override
  public Bytes decode(Bytes encoded, DecodeTarget target) {
    return INFLATERS.with(
        inflater -> {
          inflater.reset();
          inflater.setInput(encoded.unsafeArray(), encoded.unsafeOffset(), encoded.size());
          DecodeTarget.Region region =
              Draining.drain(
                  (to, offset, length) -> inflate(inflater, to, offset, length),
                  encoded.size(),
                  target);
          if (inflater.getRemaining() > 0) {
            throw new CodecException(
                inflater.getRemaining() + " bytes follow the stream", Location.UNKNOWN);
          }
          return region.toBytes();
        });
  }

  private static int inflate(Inflater inflater, byte[] to, int offset, int length)
      throws IOException {
    int inflated;
    try {
      inflated = inflater.inflate(to, offset, length);
    } catch (DataFormatException e) {
      throw new IOException(e.getMessage(), e);
    }
    if (inflated > 0) {
      return inflated;
    }
    if (inflater.needsDictionary()) {
      throw new IOException("it needs a dictionary");
    }
    if (!inflater.finished()) {
      throw new IOException("it is cut off");
    }
    return -1;
  }
}
