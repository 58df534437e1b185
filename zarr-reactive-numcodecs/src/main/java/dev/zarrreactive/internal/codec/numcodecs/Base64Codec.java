package dev.zarrreactive.internal.codec.numcodecs;

import dev.zarrreactive.base.Bytes;
import dev.zarrreactive.codec.BytesToBytesCodec;
import dev.zarrreactive.codec.DecodeTarget;
import dev.zarrreactive.codec.SizeBound;
import dev.zarrreactive.error.CodecException;
import dev.zarrreactive.error.Location;
import dev.zarrreactive.extension.NamedConfiguration;
import java.util.Base64;

/** Base64 text (RFC 4648, section 4) in one line, with padding. */
final class Base64Codec implements BytesToBytesCodec {
  /** The bytes of a group, which makes four characters. */
  private static final int GROUP = 3;

  private static final int CHARACTERS = 4;

  private final NamedConfiguration configuration;

  private Base64Codec(NamedConfiguration configuration) {
    this.configuration = configuration;
  }

  static Base64Codec of(NamedConfiguration use) {
    use.configuration().allowOnly();
    return new Base64Codec(use);
  }

  @Override
  public NamedConfiguration configuration() {
    return configuration;
  }

  @Override
  public SizeBound encodedSize(SizeBound decoded) {
    long groups = decoded.bytes() / GROUP + (decoded.bytes() % GROUP == 0 ? 0 : 1);
    boolean countable = groups <= Long.MAX_VALUE / CHARACTERS;
    return new SizeBound(countable ? CHARACTERS * groups : Long.MAX_VALUE, decoded.exact());
  }

  @Override
  public Bytes encode(Bytes decoded) {
    long size = encodedSize(SizeBound.exactly(decoded.size())).bytes();
    if (size > Bytes.MAX_SIZE) {
      throw new CodecException(
          decoded.size() + " bytes are more than one text holds; smaller chunks would fit",
          Location.UNKNOWN);
    }
    return Bytes.wrap(Base64.getEncoder().encode(decoded.toByteArray()));
  }

  @Override
  public Bytes decode(Bytes encoded, DecodeTarget target) {
    int length = encoded.size();
    if (length % CHARACTERS != 0) {
      throw new CodecException(
          "expected groups of 4 characters, found " + length + " characters", Location.UNKNOWN);
    }
    int padding = 0;
    while (padding < Math.min(2, length) && encoded.get(length - 1 - padding) == '=') {
      padding++;
    }
    target.check((long) length / CHARACTERS * GROUP - padding);
    try {
      return Bytes.wrap(Base64.getDecoder().decode(encoded.toByteArray()));
    } catch (IllegalArgumentException e) {
      throw new CodecException("not Base64 text: " + e.getMessage(), Location.UNKNOWN, e);
    }
  }
}
