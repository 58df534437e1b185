package dev.zarrreactive.internal.codec.compression;

import dev.zarrreactive.base.Bytes;
import dev.zarrreactive.codec.BytesToBytesCodec;
import dev.zarrreactive.codec.DecodeTarget;
import dev.zarrreactive.codec.SizeBound;
import dev.zarrreactive.extension.NamedConfiguration;
import java.util.zip.Deflater;
import java.util.zip.Inflater;

/** The {@code gzip} codec (RFC 1952). */
record GzipCodec(NamedConfiguration configuration, int level) implements BytesToBytesCodec {
  static final String NAME = "gzip";

  private static final Pool<Inflater> INFLATERS =
      Pool.perProcessor(() -> new Inflater(true), Inflater::end);
  private static final Pool<Deflater> DEFLATERS =
      Pool.perProcessor(() -> new Deflater(Deflater.DEFAULT_COMPRESSION, true), Deflater::end);

  static GzipCodec of(NamedConfiguration use) {
    use.configuration().allowOnly("level");
    return new GzipCodec(use, use.member("level").integer(0, 9));
  }

  @Override
  public SizeBound encodedSize(SizeBound decoded) {
    return decoded.compressed();
  }

  @Override
  public Bytes encode(Bytes decoded) {
    return DEFLATERS.with(deflater -> GzipEncoder.encode(decoded, level, deflater));
  }

  @Override
  public Bytes decode(Bytes encoded, DecodeTarget target) {
    return INFLATERS.with(inflater -> GzipDecoder.decode(encoded, target, inflater));
  }
}
