package dev.zarrreactive.internal.codec;

import dev.zarrreactive.base.Bytes;
import dev.zarrreactive.codec.BytesToBytesCodec;
import dev.zarrreactive.extension.NamedConfiguration;

/** A checksum of 32 bits. */
@FunctionalInterface
public interface Checksum {
  /** Returns the checksum of the bytes. */
  int of(Bytes bytes);

  /** Returns a checksum that the JDK computes. */
  static Checksum jdk(java.util.function.Supplier<java.util.zip.Checksum> checksum) {
    return bytes -> {
      java.util.zip.Checksum state = checksum.get();
      state.update(bytes.unsafeArray(), bytes.unsafeOffset(), bytes.size());
      return (int) state.getValue();
    };
  }

  /**
   * Returns the codec that stores the checksum with the data.
   *
   * @param first whether the checksum comes before the data
   */
  default BytesToBytesCodec codec(NamedConfiguration use, boolean first) {
    return new ChecksumCodec(use, this, first);
  }
}
