package dev.zarrreactive.codec;

import dev.zarrreactive.extension.NamedConfiguration;
import dev.zarrreactive.spi.Spi;

/**
 * One stage of a codec chain. Immutable, thread-safe, pure and synchronous: callers may use any
 * thread, and a codec does no I/O.
 */
@Spi
public sealed interface Codec permits ArrayToArrayCodec, ArrayToBytesCodec, BytesToBytesCodec {
  /** The name and configuration that metadata have. */
  NamedConfiguration configuration();

  /**
   * The name and configuration that Zarr v3 has registered for this codec; for most, the same.
   * Either decodes the data of the other.
   */
  default NamedConfiguration registered() {
    return configuration();
  }

  /** The codec's name. */
  default String name() {
    return configuration().name();
  }
}
