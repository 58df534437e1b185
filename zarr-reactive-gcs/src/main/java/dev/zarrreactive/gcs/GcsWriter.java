package dev.zarrreactive.gcs;

import dev.zarrreactive.base.Bytes;
import dev.zarrreactive.base.StoreKey;
import dev.zarrreactive.error.PreconditionFailedException;
import dev.zarrreactive.error.TransientStoreException;
import dev.zarrreactive.internal.http.SentRequest;
import dev.zarrreactive.store.Precondition;
import dev.zarrreactive.store.Version;
import io.netty.handler.codec.http.EmptyHttpHeaders;
import io.netty.handler.codec.http.HttpMethod;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.reactivestreams.Publisher;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/**
 * Writes values: one of no more than a part with one PUT, a larger one in parts. The server checks
 * a condition either way.
 */
final class GcsWriter {
  /** The condition that there is no object. */
  private static final String NO_GENERATION = "0";

  /** The metadata by which a writer finds its own value after the answer was lost. */
  private static final String WRITE_ID = "x-goog-meta-zarr-write";

  private static final int NOT_FOUND = 404;
  private static final int PRECONDITION_FAILED = 412;

  private final GcsRequests requests;
  private final GcsSettings settings;

  GcsWriter(GcsRequests requests, GcsSettings settings) {
    this.requests = requests;
    this.settings = settings;
  }

  /** Writes the value, where the precondition holds. */
  Mono<Void> set(StoreKey key, Bytes value, Precondition precondition) {
    return conditional(
        key,
        precondition,
        condition ->
            value.size() <= settings.partSize()
                ? put(key, List.of(value), condition)
                : new ResumableUpload(requests, settings, key)
                    .upload(UploadPart.of(value, settings.partSize()), condition));
  }

  /**
   * Writes a value that arrives in pieces. Holds the part in flight and the one that is being
   * filled.
   */
  Mono<Void> set(StoreKey key, Publisher<Bytes> pieces, Precondition precondition) {
    Flux<UploadPart> parts =
        UploadPart.of(Flux.from(pieces).onErrorMap(SourceError::new), settings.partSize());
    return conditional(
            key,
            precondition,
            condition ->
                parts
                    .switchOnFirst(
                        (signal, all) -> {
                          UploadPart first = signal.get();
                          return first != null && first.isLast()
                              ? put(key, first.pieces(), condition)
                              : new ResumableUpload(requests, settings, key).upload(all, condition);
                        })
                    .then())
        .onErrorMap(SourceError.class, SourceError::getCause);
  }

  /** An error of the source of the pieces, which is not an error of the store. */
  private static final class SourceError extends RuntimeException {
    private static final long serialVersionUID = 1L;

    SourceError(Throwable cause) {
      super(null, cause, false, false);
    }
  }

  private Mono<Void> conditional(
      StoreKey key, Precondition precondition, Function<Map<String, String>, Mono<Void>> write) {
    String generation = generation(precondition);
    if (generation == null && precondition.version() != null) {
      return Mono.error(() -> failed(key, precondition, "a version without a generation"));
    }
    Map<String, String> condition =
        generation == null ? Map.of() : Map.of(GcsRequest.IF_GENERATION, generation);
    return Mono.defer(() -> write.apply(condition))
        .onErrorMap(
            e -> e instanceof GcsRefusal answer && fails(precondition, answer),
            e -> failed(key, precondition, GcsErrors.shown((GcsRefusal) e)))
        .onErrorMap(
            e -> !(e instanceof SourceError),
            e -> requests.error(e, GcsSettings.at(key), settings.shown(key)));
  }

  private static @Nullable String generation(Precondition precondition) {
    if (precondition.equals(Precondition.ABSENT)) {
      return NO_GENERATION;
    }
    Version version = precondition.version();
    return version == null ? null : Generation.of(version).number();
  }

  private Mono<Void> put(StoreKey key, List<Bytes> value, Map<String, String> condition) {
    Map<String, String> headers = new LinkedHashMap<>(condition);
    headers.put("content-type", "application/octet-stream");
    String wanted = condition.get(GcsRequest.IF_GENERATION);
    if (wanted == null) {
      return send(key, value, headers);
    }
    String id = UUID.randomUUID().toString();
    headers.put(WRITE_ID, id);
    return send(key, value, headers)
        .onErrorMap(e -> passing(e, key))
        .onErrorResume(TransientStoreException.class, lost -> find(key, wanted, id, lost));
  }

  /** Returns the error of the store for an answer after which the value may be stored. */
  private Throwable passing(Throwable error, StoreKey key) {
    Throwable located = requests.error(error, GcsSettings.at(key), settings.shown(key));
    return located instanceof TransientStoreException ? located : error;
  }

  private Mono<Void> send(StoreKey key, List<Bytes> value, Map<String, String> headers) {
    return requests
        .ask(
            GcsRequest.change(
                HttpMethod.PUT,
                settings.url(key),
                GcsSettings.at(key),
                settings.shown(key),
                headers,
                value),
            (response, body) -> SentRequest.drain(body).thenReturn(true))
        .then();
  }

  /**
   * Looks at the stored value after the answer to a conditional write was lost. Completes where it
   * is the value of this write. Fails with a refused condition where it is another one than the
   * condition names, and else with the loss.
   */
  private Mono<Void> find(StoreKey key, String wanted, String id, TransientStoreException lost) {
    GcsRequest head =
        GcsRequest.read(
            HttpMethod.HEAD, settings.url(key), GcsSettings.at(key), settings.shown(key), Map.of());
    return requests
        .ask(
            head,
            (response, body) -> SentRequest.drain(body).thenReturn(response.responseHeaders()))
        .onErrorResume(
            e -> e instanceof GcsRefusal answer && answer.status() == NOT_FOUND,
            e -> Mono.just(EmptyHttpHeaders.INSTANCE))
        .onErrorMap(e -> lost)
        .flatMap(
            stored -> {
              if (id.equals(stored.get(WRITE_ID))) {
                return Mono.empty();
              }
              String number = Generation.of(stored).number();
              String found = number == null ? NO_GENERATION : number;
              return Mono.error(
                  found.equals(wanted)
                      ? lost
                      : new GcsRefusal(PRECONDITION_FAILED, "", EmptyHttpHeaders.INSTANCE));
            });
  }

  /** Returns true for the answer that a condition does not hold. */
  static boolean isOfCondition(GcsRefusal answer) {
    return answer.status() == PRECONDITION_FAILED;
  }

  /** Returns true for the answer that the precondition does not hold; 404 means a missing value. */
  private static boolean fails(Precondition precondition, GcsRefusal answer) {
    return switch (answer.status()) {
      case PRECONDITION_FAILED -> !precondition.equals(Precondition.NONE);
      case NOT_FOUND -> precondition.version() != null && answer.code().equals("NoSuchKey");
      default -> false;
    };
  }

  private static PreconditionFailedException failed(
      StoreKey key, Precondition precondition, String found) {
    Version version = precondition.version();
    return new PreconditionFailedException(
        (version == null
                ? "wanted to create the value"
                : "wanted to change version " + version + " of the value")
            + "; the answer is "
            + found,
        GcsSettings.at(key));
  }
}
