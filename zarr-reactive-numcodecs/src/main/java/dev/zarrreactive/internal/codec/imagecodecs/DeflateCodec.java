package dev.zarrreactive.internal.codec.imagecodecs;

import dev.zarrreactive.base.Bytes;
import dev.zarrreactive.codec.BytesToBytesCodec;
import dev.zarrreactive.codec.Codec;
import dev.zarrreactive.codec.DecodeTarget;
import dev.zarrreactive.codec.SizeBound;
import dev.zarrreactive.error.CodecException;
import dev.zarrreactive.error.Location;
import dev.zarrreactive.extension.NamedConfiguration;
import dev.zarrreactive.internal.codec.compression.Deflate;
import dev.zarrreactive.internal.codec.compression.OutputBuffer;
import dev.zarrreactive.internal.codec.compression.Pool;
import dev.zarrreactive.internal.codec.compression.StreamDecoder;
import dev.zarrreactive.json.LocatedJson;
import java.io.IOException;
import java.util.zip.DataFormatException;
import java.util.zip.Deflater;
import java.util.zip.Inflater;

/** The codec {@code imagecodecs_deflate} with the member {@code raw}: deflate without a header. */
final class DeflateCodec implements BytesToBytesCodec {
  private static final Pool<Inflater> INFLATERS =
      Pool.perProcessor(() -> new Inflater(true), Inflater::end);
  private static final Pool<Deflater> DEFLATERS =
      Pool.perProcessor(() -> new Deflater(-1, true), Deflater::end);

  private static final int HIGHEST = 12; // of libdeflate; the JDK's highest is 9

  private final NamedConfiguration configuration;
  private final int level;

  private DeflateCodec(NamedConfiguration configuration, int level) {
    this.configuration = configuration;
    this.level = level;
  }

  /** Creates the codec; without {@code raw} that of zlib. */
  static Codec of(NamedConfiguration use) {
    use.configuration().allowOnly("level", "raw");
    LocatedJson level = use.configuration().nonNull("level");
    int number = level == null ? -1 : Math.min(9, level.integer(-1, HIGHEST));
    LocatedJson raw = use.configuration().nonNull("raw");
    return raw != null && raw.bool()
        ? new DeflateCodec(use, number)
        : WrappedCodec.zlib(use, number);
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
        inflater -> {
          inflater.reset();
          inflater.setInput(encoded.unsafeArray(), encoded.unsafeOffset(), encoded.size());
          return StreamDecoder.decode(
                  (to, offset, length) -> inflate(inflater, to, offset, length),
                  encoded.size(),
                  target)
              .toBytes();
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
    } else if (!inflater.finished()) {
      throw new IOException("it is cut off");
    } else if (inflater.getRemaining() > 0) {
      throw new CodecException(
          inflater.getRemaining() + " bytes follow the stream", Location.UNKNOWN);
    }
    return -1;
  }
}
