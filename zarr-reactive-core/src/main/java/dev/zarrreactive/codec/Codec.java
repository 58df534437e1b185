package dev.zarrreactive.codec;

import dev.zarrreactive.extension.NamedConfiguration;

/**
 * One stage of a codec chain. Immutable and thread-safe, pure and synchronous: it may be called on
 * any thread and does no I/O.
 */
public sealed interface Codec permits ArrayToArrayCodec, ArrayToBytesCodec, BytesToBytesCodec {
  /** The name and configuration as they are written into metadata. */
  NamedConfiguration configuration();

  /** The codec's name. */
  default String name() {
    return configuration().name();
  }
}
