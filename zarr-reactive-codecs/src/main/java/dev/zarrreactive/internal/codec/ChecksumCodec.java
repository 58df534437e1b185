package dev.zarrreactive.internal.codec;

import dev.zarrreactive.base.Bytes;
import dev.zarrreactive.codec.BytesToBytesCodec;
import dev.zarrreactive.codec.DecodeTarget;
import dev.zarrreactive.codec.SizeBound;
import dev.zarrreactive.error.ChecksumMismatchException;
import dev.zarrreactive.error.CodecException;
import dev.zarrreactive.error.Location;
import dev.zarrreactive.extension.NamedConfiguration;
import java.util.Locale;
import java.util.zip.CRC32C;

/**
 * Stores data with its checksum, four little-endian bytes before or behind it. A decoded value is a
 * slice of the encoded one, not a copy.
 */
record ChecksumCodec(NamedConfiguration configuration, Checksum checksum, boolean first)
    implements BytesToBytesCodec {
  static final String CRC32C_NAME = "crc32c";

  private static final int SIZE = Integer.BYTES;

  /** Creates the {@code crc32c} codec. */
  static ChecksumCodec crc32c(NamedConfiguration use) {
    use.configuration().allowOnly();
    return new ChecksumCodec(use, Checksum.jdk(CRC32C::new), false);
  }

  @Override
  public SizeBound encodedSize(SizeBound decoded) {
    return decoded.plus(SIZE);
  }

  @Override
  public Bytes encode(Bytes decoded) {
    int size = decoded.size();
    byte[] encoded = new byte[Math.addExact(size, SIZE)];
    decoded.copyTo(0, encoded, first ? SIZE : 0, size);
    int sum = checksum.of(decoded);
    for (int i = 0; i < SIZE; i++) {
      encoded[(first ? 0 : size) + i] = (byte) (sum >>> (Byte.SIZE * i));
    }
    return Bytes.wrap(encoded);
  }

  @Override
  public Bytes decode(Bytes encoded, DecodeTarget target) {
    int size = encoded.size() - SIZE;
    if (size < 0) {
      throw new CodecException(
          "expected at least the 4 bytes of the checksum, found " + encoded.size(),
          Location.UNKNOWN);
    }
    target.check(size);
    Bytes decoded = encoded.slice(first ? SIZE : 0, size);
    int expected = encoded.getInt(first ? 0 : size);
    int found = checksum.of(decoded);
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
}
