package dev.zarrreactive.internal.codec;

import dev.zarrreactive.codec.BytesToBytesCodec;
import dev.zarrreactive.extension.NamedConfiguration;
import dev.zarrreactive.store.Bytes;

/** A checksum of 32 bits. */
@FunctionalInterface
public interface Checksum {
  /** The checksum of these bytes. */
  int of(Bytes bytes);

  /** A checksum of the JDK's. */
  static Checksum jdk(java.util.function.Supplier<java.util.zip.Checksum> checksum) {
    return bytes -> {
      java.util.zip.Checksum state = checksum.get();
      state.update(bytes.unsafeArray(), bytes.unsafeOffset(), bytes.size());
      return (int) state.getValue();
    };
  }

  /**
   * The codec that stores it with the data.
   *
   * @param first whether it comes before the data
   */
  default BytesToBytesCodec codec(NamedConfiguration use, boolean first) {
    return new ChecksumCodec(use, this, first);
  }
}
