package dev.zarrreactive.internal.codec.numcodecs;

import dev.zarrreactive.store.Bytes;

/** A checksum of 32 bits. */
@FunctionalInterface
interface Checksum {
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
}
