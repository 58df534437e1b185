package dev.zarrreactive.internal.codec;

import dev.zarrreactive.codec.BytesToBytesCodec;
import dev.zarrreactive.codec.DecodeTarget;
import dev.zarrreactive.codec.SizeBound;
import dev.zarrreactive.error.ChecksumMismatchException;
import dev.zarrreactive.error.CodecException;
import dev.zarrreactive.error.Location;
import dev.zarrreactive.extension.NamedConfiguration;
import dev.zarrreactive.store.Bytes;
import java.util.Locale;
import java.util.zip.CRC32C;

/**
 * The {@code crc32c} codec: the data, then its CRC-32C as four little-endian bytes. A decoded value
 * is a part of the encoded one; nothing is copied.
 */
final class Crc32cCodec implements BytesToBytesCodec {
  static final String NAME = "crc32c";

  private static final int CHECKSUM_SIZE = Integer.BYTES;

  private final NamedConfiguration configuration;

  private Crc32cCodec(NamedConfiguration configuration) {
    this.configuration = configuration;
  }

  static Crc32cCodec of(NamedConfiguration use) {
    use.configuration().allowOnly();
    return new Crc32cCodec(use);
  }

  @Override
  public NamedConfiguration configuration() {
    return configuration;
  }

  @Override
  public SizeBound encodedSize(SizeBound decoded) {
    return decoded.plus(CHECKSUM_SIZE);
  }

  @Override
  public Bytes encode(Bytes decoded) {
    int size = decoded.size();
    byte[] encoded = new byte[Math.addExact(size, CHECKSUM_SIZE)];
    decoded.copyTo(0, encoded, 0, size);
    int checksum = checksum(decoded);
    for (int i = 0; i < CHECKSUM_SIZE; i++) {
      encoded[size + i] = (byte) (checksum >>> (Byte.SIZE * i));
    }
    return Bytes.wrap(encoded);
  }

  @Override
  public Bytes decode(Bytes encoded, DecodeTarget target) {
    int size = encoded.size() - CHECKSUM_SIZE;
    if (size < 0) {
      throw new CodecException(
          "expected at least the 4 bytes of the checksum, found " + encoded.size(),
          Location.UNKNOWN);
    }
    target.check(size);
    Bytes decoded = encoded.slice(0, size);
    int expected = encoded.getInt(size);
    int found = checksum(decoded);
    if (found != expected) {
      throw new ChecksumMismatchException(
          String.format(
              Locale.ROOT,
              "the stored checksum is %08x, that of the %d bytes is %08x",
              expected,
              size,
              found),
          Location.UNKNOWN);
    }
    return decoded;
  }

  private static int checksum(Bytes bytes) {
    CRC32C crc = new CRC32C();
    crc.update(bytes.unsafeArray(), bytes.unsafeOffset(), bytes.size());
    return (int) crc.getValue();
  }
}
