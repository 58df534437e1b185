package dev.zarrreactive.webflux;

import dev.zarrreactive.base.Bytes;
import org.springframework.core.io.buffer.DataBuffer;
import org.springframework.core.io.buffer.DataBufferFactory;
import reactor.core.publisher.Flux;

/**
 * Bytes of this library as the buffers of Spring. Both are views of the same memory, which is
 * garbage-collected; a buffer that is released or dropped costs nothing.
 */
public final class DataBuffers {
  private DataBuffers() {}

  /** Returns a buffer of the same memory. It is read-only. */
  public static DataBuffer of(Bytes bytes, DataBufferFactory factory) {
    return factory.wrap(bytes.asByteBuffer());
  }

  /**
   * Returns the pieces as buffers, with the demand and the cancel of its subscriber. Keep pieces
   * small: Reactor Netty demands 128 of them at once.
   */
  public static Flux<DataBuffer> of(Flux<Bytes> pieces, DataBufferFactory factory) {
    return pieces.map(piece -> of(piece, factory));
  }
}
