package dev.zarrreactive.internal.transfer;

import dev.zarrreactive.store.ReadCondition;
import dev.zarrreactive.store.StoreKey;
import java.nio.ByteBuffer;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/**
 * The requests that a {@link ValueReader} sends, over one HTTP client. Their errors are those of a
 * store; a body that was cut is a {@link dev.zarrreactive.error.TransientStoreException}.
 */
public interface RangeRequests {
  /**
   * Sends one GET. Passes the head and the body of a 200 or a 206 to {@code reader}. Emits when the
   * response has ended; empty where the value is missing.
   */
  Mono<RangeResponse> get(StoreKey key, RangeRequest request, BodyReader reader);

  /** Asks for the size of the value; empty where it is missing. */
  Mono<ValueSize> size(StoreKey key, ReadCondition condition);

  /** Reads the body of a response. */
  interface BodyReader {
    /**
     * Reads the body, as far as it is needed.
     *
     * @param content the body for one subscriber; a part is valid until the next is demanded
     */
    Mono<RangeResponse> read(BodyHead head, Flux<ByteBuffer> content);
  }
}
