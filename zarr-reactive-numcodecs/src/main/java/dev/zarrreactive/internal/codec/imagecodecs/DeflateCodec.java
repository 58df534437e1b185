package dev.zarrreactive.internal.codec.imagecodecs;

import dev.zarrreactive.base.Bytes;
import dev.zarrreactive.codec.BytesToBytesCodec;
import dev.zarrreactive.codec.Codec;
import dev.zarrreactive.codec.DecodeTarget;
import dev.zarrreactive.codec.SizeBound;
import dev.zarrreactive.extension.NamedConfiguration;
import dev.zarrreactive.internal.codec.compression.Deflate;
import dev.zarrreactive.internal.codec.compression.Pool;
import dev.zarrreactive.internal.codec.compression.StreamDecoder;
import dev.zarrreactive.json.LocatedJson;
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
    return DEFLATERS.with(deflater -> Deflate.encode(decoded, deflater, level));
  }

  @Override
  public Bytes decode(Bytes encoded, DecodeTarget target) {
    return INFLATERS.with(
        inflater ->
            StreamDecoder.decode(Deflate.stream(encoded, inflater), encoded.size(), target)
                .toBytes());
  }
}
