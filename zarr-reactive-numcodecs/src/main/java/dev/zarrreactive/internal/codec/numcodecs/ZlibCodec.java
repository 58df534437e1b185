package dev.zarrreactive.internal.codec.numcodecs;

import dev.zarrreactive.base.Bytes;
import dev.zarrreactive.codec.BytesToBytesCodec;
import dev.zarrreactive.codec.DecodeTarget;
import dev.zarrreactive.codec.SizeBound;
import dev.zarrreactive.extension.NamedConfiguration;
import dev.zarrreactive.internal.codec.compression.Deflate;
import dev.zarrreactive.internal.codec.compression.FastInflate;
import dev.zarrreactive.internal.codec.compression.Pool;
import dev.zarrreactive.internal.codec.compression.StreamDecoder;
import java.io.IOException;
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
    return DEFLATERS.with(deflater -> Deflate.encode(decoded, deflater, level));
  }

  @Override
  public Bytes decode(Bytes encoded, DecodeTarget target) {
    return INFLATERS.with(
        inflater ->
            StreamDecoder.decode(new Stream(encoded, inflater), encoded.size(), target).toBytes());
  }

  /** The one stream, which a faster inflater reads at once where it is there. */
  private static final class Stream implements StreamDecoder.Source {
    private final Bytes encoded;
    private final StreamDecoder.Source parts;

    Stream(Bytes encoded, Inflater inflater) {
      this.encoded = encoded;
      this.parts = Deflate.stream(encoded, inflater);
    }

    @Override
    public boolean readWhole(byte[] to, int offset, int size) {
      return FastInflate.zlib(
          encoded.unsafeArray(), encoded.unsafeOffset(), encoded.size(), to, offset, size);
    }

    @Override
    public int read(byte[] to, int offset, int length) throws IOException {
      return parts.read(to, offset, length);
    }
  }
}
