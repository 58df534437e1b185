package dev.zarrreactive.internal.transfer;

import dev.zarrreactive.base.StoreKey;
import dev.zarrreactive.error.StoreException;
import dev.zarrreactive.error.TransientStoreException;
import dev.zarrreactive.store.ReadCondition;
import dev.zarrreactive.store.VersionedBytes;
import java.nio.ByteBuffer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/**
 * The requests that a {@link ValueReader} sends, over one HTTP client. Their errors are those of a
 * store; a body that was cut is a {@link TransientStoreException}.
 */
public interface ValueRequests {
  /**
   * Sends one GET. Passes the head and the body of a 200 or a 206 to {@code reader}. Emits when the
   * response has ended; empty where the value is missing.
   */
  Mono<Response> get(StoreKey key, Get request, BodyReader reader);

  /** Asks for the size of the value; empty where it is missing. */
  Mono<ValueSize> size(StoreKey key, ReadCondition condition);

  /**
   * One GET.
   *
   * @param range the header {@code Range}; null for the whole value
   * @param condition on the version of the value
   * @param resumes true for the rest of a body that was cut: the condition requires its version
   */
  record Get(@Nullable String range, ReadCondition condition, boolean resumes) {}

  /** Reads the body of a response. */
  interface BodyReader {
    /**
     * Reads the body, as far as it is needed.
     *
     * @param content the body for one subscriber; a part is valid until the next is demanded
     */
    Mono<Response> read(BodyHead head, Flux<ByteBuffer> content);
  }

  /** The response to a GET of a value that exists. */
  sealed interface Response permits Success, Refused, Cut {}

  /** The requested bytes, or the news that they are unchanged. */
  record Success(VersionedBytes value) implements Response {}

  /**
   * A status without bytes of the value: the server refuses the condition or the range.
   *
   * @param status for example 304, 412 or 416
   * @param url where the value is, for messages; without secrets
   * @param total the size of the value; -1 where the response does not say
   * @param error the error for the status, where the request did not allow for it
   */
  record Refused(int status, String url, long total, Supplier<StoreException> error)
      implements Response {}

  /** The end of a response that was cut, or of a request that may succeed later. */
  record Cut(TransientStoreException error) implements Response {}
}
