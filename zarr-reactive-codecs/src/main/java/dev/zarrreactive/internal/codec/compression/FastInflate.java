package dev.zarrreactive.internal.codec.compression;

import dev.zarrreactive.base.Bytes;
import dev.zarrreactive.codec.InflaterProvider;
import dev.zarrreactive.codec.WholeBufferInflater;
import dev.zarrreactive.codec.WholeBufferInflater.Inflated;
import java.util.Optional;
import java.util.ServiceConfigurationError;
import java.util.ServiceLoader;
import java.util.zip.Adler32;
import java.util.zip.CRC32;

/**
 * Decompresses whole streams of a known size with the inflaters of a provider. A stream that fails
 * here for any reason is left to the JDK, whose errors are then those of every installation.
 */
public final class FastInflate {
  private static final Optional<Pool<WholeBufferInflater>> INFLATERS = load();

  private static final int ZLIB_HEADER_SIZE = 2;
  private static final int ZLIB_TRAILER_SIZE = 4;
  private static final int ZLIB_DICTIONARY = 1 << 5;

  private FastInflate() {}

  /**
   * Decompresses the content of a gzip member with its trailer. The checksum and the size must be
   * right.
   *
   * @param length the number of bytes from the end of the header to the end of the source
   * @return the bytes consumed, with those of the trailer, and the bytes written
   */
  static Optional<Inflated> gzip(
      byte[] source, int from, int length, byte[] target, int to, int room) {
    return deflate(source, from, length, target, to, room)
        .filter(
            inflated -> {
              if (length - inflated.consumed() < GzipDecoder.TRAILER_SIZE) {
                return false;
              }
              Bytes trailer =
                  Bytes.wrap(source, from + inflated.consumed(), GzipDecoder.TRAILER_SIZE);
              CRC32 crc = new CRC32();
              crc.update(target, to, inflated.written());
              return trailer.getInt(0) == (int) crc.getValue()
                  && trailer.getInt(4) == inflated.written();
            })
        .map(
            inflated ->
                new Inflated(inflated.consumed() + GzipDecoder.TRAILER_SIZE, inflated.written()));
  }

  /**
   * Decompresses a zlib stream (RFC 1950) of {@code size} bytes, behind which the source ends.
   *
   * @return false if it does not succeed
   */
  public static boolean zlib(byte[] source, int from, int length, byte[] target, int to, int size) {
    int frame = ZLIB_HEADER_SIZE + ZLIB_TRAILER_SIZE;
    if (INFLATERS.isEmpty() || length < frame || !isZlibHeader(source[from], source[from + 1])) {
      return false;
    }
    Inflated whole = new Inflated(length - frame, size);
    return deflate(source, from + ZLIB_HEADER_SIZE, length - frame, target, to, size)
        .filter(whole::equals)
        .filter(
            inflated -> {
              Adler32 adler = new Adler32();
              adler.update(target, to, size);
              Bytes trailer =
                  Bytes.wrap(source, from + length - ZLIB_TRAILER_SIZE, ZLIB_TRAILER_SIZE);
              return Integer.reverseBytes(trailer.getInt(0)) == (int) adler.getValue();
            })
        .isPresent();
  }

  private static boolean isZlibHeader(byte method, byte flags) {
    return (method & 0x0f) == 8
        && (method & 0xf0) <= 0x70
        && (((method & 0xff) << Byte.SIZE) | (flags & 0xff)) % 31 == 0
        && (flags & ZLIB_DICTIONARY) == 0;
  }

  private static Optional<Inflated> deflate(
      byte[] source, int from, int length, byte[] target, int to, int room) {
    return INFLATERS.flatMap(
        inflaters ->
            inflaters.with(inflater -> inflater.inflate(source, from, length, target, to, room)));
  }

  /** Finds the first provider that works here; BlockHound permits this method to block. */
  private static Optional<Pool<WholeBufferInflater>> load() {
    try {
      for (InflaterProvider provider :
          ServiceLoader.load(InflaterProvider.class, InflaterProvider.class.getClassLoader())) {
        if (provider.isAvailable()) {
          return Optional.of(Pool.perProcessor(provider::create, WholeBufferInflater::close));
        }
      }
    } catch (ServiceConfigurationError | LinkageError e) {
      System.getLogger(FastInflate.class.getName())
          .log(System.Logger.Level.WARNING, "The JDK inflates, since an inflater fails to load", e);
    }
    return Optional.empty();
  }
}
