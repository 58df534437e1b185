package dev.zarrreactive.internal.codec.numcodecs;

import dev.zarrreactive.base.Bytes;
import dev.zarrreactive.codec.BytesToBytesCodec;
import dev.zarrreactive.codec.DecodeTarget;
import dev.zarrreactive.codec.SizeBound;
import dev.zarrreactive.error.CodecException;
import dev.zarrreactive.error.Location;
import dev.zarrreactive.error.UnsupportedFeatureException;
import dev.zarrreactive.extension.NamedConfiguration;
import dev.zarrreactive.internal.codec.compression.StreamDecoder;
import java.io.IOException;

/** The codec numcodecs.bz2, by an optional library. */
final class Bzip2Codec implements BytesToBytesCodec {
  private final NamedConfiguration configuration;
  private final int level;

  private Bzip2Codec(NamedConfiguration configuration, int level) {
    this.configuration = configuration;
    this.level = level;
  }

  static Bzip2Codec of(NamedConfiguration use) {
    use.configuration().allowOnly("level");
    return new Bzip2Codec(use, OptionalMembers.integer(use, "level", 1, 9, 1));
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
    try {
      return Bzip2Library.compress(decoded, level);
    } catch (IOException e) {
      throw new CodecException("cannot be compressed: " + e.getMessage(), Location.UNKNOWN, e);
    } catch (LinkageError e) {
      throw missing(e);
    }
  }

  @Override
  public Bytes decode(Bytes encoded, DecodeTarget target) {
    try {
      StreamDecoder.Source bzip2 = Bzip2Library.decompressor(encoded, target.size().bytes());
      return StreamDecoder.decode(bzip2, encoded.size(), target).toBytes();
    } catch (LinkageError e) {
      throw missing(e);
    }
  }

  private static UnsupportedFeatureException missing(LinkageError cause) {
    return new UnsupportedFeatureException(
        "bzip2 needs a library that the class path lacks: add"
            + " org.apache.commons:commons-compress",
        Location.UNKNOWN,
        cause);
  }
}
