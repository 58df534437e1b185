package dev.zarrreactive.internal.objects;

import dev.zarrreactive.base.StoreKey;
import dev.zarrreactive.internal.flow.Concurrently;
import dev.zarrreactive.internal.sharing.UploadRetries;
import java.util.List;
import org.reactivestreams.Publisher;
import reactor.core.publisher.Mono;

/**
 * Uploads a large value in parts, four at a time; the end of the upload makes them the value.
 *
 * @param <U> the identity of an upload
 * @param <P> what the end of an upload needs of a part that the server has
 */
public final class PartedUpload<U, P> {
  private static final int PARTS_AT_A_TIME = 4;

  private final Requests<U, P> requests;

  /** The uploads of one store. */
  public PartedUpload(Requests<U, P> requests) {
    this.requests = requests;
  }

  /**
   * The requests of one service. Errors are of the client.
   *
   * @param <U> the identity of an upload
   * @param <P> what the end of an upload needs of a part that the server has
   */
  public interface Requests<U, P> {
    /** Begins an upload of a value with the mark of the condition; never empty. */
    Mono<U> begin(StoreKey key, WriteCondition condition);

    /** Sends a part; a repeat replaces it. Never empty. */
    Mono<P> send(StoreKey key, U upload, ValuePart part);

    /** Makes the parts the value, where the condition holds. */
    Mono<Void> end(StoreKey key, U upload, List<P> parts, WriteCondition condition);

    /** Discards the parts of an upload that failed or was cancelled. */
    Mono<Void> discard(StoreKey key, U upload);

    /** Returns the error of the store for one of the client. */
    Throwable located(StoreKey key, Throwable error);
  }

  /**
   * Uploads parts as they come, each but the last of the part size. The server checks the condition
   * at the end. Errors are of the client, or of {@code parts}.
   */
  public Mono<Void> upload(StoreKey key, Publisher<ValuePart> parts, WriteCondition condition) {
    return Mono.usingWhen(
        repeat(key, requests.begin(key, condition)),
        upload ->
            parts(key, parts, upload)
                .flatMap(
                    all -> {
                      Mono<Void> end = requests.end(key, upload, all, condition);
                      return condition.isNone() ? repeat(key, end) : end;
                    }),
        upload -> Mono.empty(),
        (upload, error) -> discard(key, upload),
        upload -> discard(key, upload));
  }

  private Mono<List<P>> parts(StoreKey key, Publisher<ValuePart> parts, U upload) {
    return Concurrently.mapInOrder(
            parts, PARTS_AT_A_TIME, part -> repeat(key, requests.send(key, upload, part)))
        .collectList();
  }

  /** Repeats a request where a decorator has asked for it, which knows the errors of a store. */
  private <T> Mono<T> repeat(StoreKey key, Mono<T> request) {
    return UploadRetries.of(request.onErrorMap(e -> requests.located(key, e)));
  }

  private Mono<Void> discard(StoreKey key, U upload) {
    return requests.discard(key, upload).onErrorComplete();
  }
}
