package dev.zarrreactive.internal.codec.blosc;

import dev.zarrreactive.error.Location;
import dev.zarrreactive.error.UnsupportedFeatureException;

/** Snappy blocks, by an optional library. */
final class SnappyStreams implements StreamCodec {
  static final StreamCodec INSTANCE = new SnappyStreams();

  private SnappyStreams() {}

  @Override
  public int maxCompressedLength(int length) {
    return 32 + length + length / 6;
  }

  @Override
  public int compress(byte[] source, int from, int length, byte[] target, int to, int level) {
    try {
      return SnappyLibrary.compress(source, from, length, target, to);
    } catch (LinkageError e) {
      throw missing(e);
    }
  }

  @Override
  public void decompress(byte[] source, int from, int length, byte[] target, int to, int expected) {
    try {
      SnappyLibrary.decompress(source, from, length, target, to, expected);
    } catch (LinkageError e) {
      throw missing(e);
    }
  }

  private static UnsupportedFeatureException missing(LinkageError cause) {
    return new UnsupportedFeatureException(
        "the compressor \"snappy\" needs a library that the class path or this"
            + " platform lacks: add org.xerial.snappy:snappy-java",
        Location.UNKNOWN,
        cause);
  }
}
