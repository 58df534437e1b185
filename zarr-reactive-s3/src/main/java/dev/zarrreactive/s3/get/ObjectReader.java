package dev.zarrreactive.s3.get;

import java.nio.ByteBuffer;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/** Reads a response with bytes of an object. */
public interface ObjectReader<T> {
  /**
   * Reads the response, as far as it is needed.
   *
   * @param body for one subscriber; a part is valid until the next is demanded
   */
  Mono<T> read(ObjectHead head, Flux<ByteBuffer> body);
}
