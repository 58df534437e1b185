package dev.zarrreactive.internal.codec.numcodecs;

import dev.zarrreactive.base.Bytes;
import dev.zarrreactive.codec.BytesToBytesCodec;
import dev.zarrreactive.codec.DecodeTarget;
import dev.zarrreactive.codec.SizeBound;
import dev.zarrreactive.error.CodecException;
import dev.zarrreactive.error.Location;
import dev.zarrreactive.extension.NamedConfiguration;
import dev.zarrreactive.internal.codec.compression.Deflate;
import dev.zarrreactive.internal.codec.compression.FastInflate;
import dev.zarrreactive.internal.codec.compression.OutputBuffer;
import dev.zarrreactive.internal.codec.compression.Pool;
import dev.zarrreactive.internal.codec.compression.StreamDecoder;
import java.io.IOException;
import java.util.zip.DataFormatException;
import java.util.zip.Deflater;
import java.util.zip.Inflater;

/** The codec numcodecs.zlib: one zlib stream (RFC 1950). Bytes behind it are an error. */
final class ZlibCodec implements BytesToBytesCodec {
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
    return new ZlibCodec(use, OptionalMembers.integer(use, "level", -1, 9, 1));
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
    return DEFLATERS.with(
        deflater -> {
          OutputBuffer out = Deflate.room(decoded.size());
          Deflate.append(out, decoded, deflater, level);
          return Bytes.wrap(out.toByteArray());
        });
  }

  @Override
  public Bytes decode(Bytes encoded, DecodeTarget target) {
    return INFLATERS.with(
        inflater ->
            StreamDecoder.decode(new Stream(encoded, inflater), encoded.size(), target).toBytes());
  }

  /** The one stream, which ends where the encoded bytes end. */
  private static final class Stream implements StreamDecoder.Source {
    private final Bytes encoded;
    private final Inflater inflater;

    Stream(Bytes encoded, Inflater inflater) {
      this.encoded = encoded;
      this.inflater = inflater;
      inflater.reset();
      inflater.setInput(encoded.unsafeArray(), encoded.unsafeOffset(), encoded.size());
    }

    @Override
    public boolean readWhole(byte[] to, int offset, int size) {
      return FastInflate.zlib(
          encoded.unsafeArray(), encoded.unsafeOffset(), encoded.size(), to, offset, size);
    }

    @Override
    public int read(byte[] to, int offset, int length) throws IOException {
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
      if (inflater.getRemaining() > 0) {
        throw new CodecException(
            inflater.getRemaining() + " bytes follow the stream", Location.UNKNOWN);
      }
      return -1;
    }
  }
}
