package dev.zarrreactive.gcs;

import dev.zarrreactive.base.Bytes;
import dev.zarrreactive.base.StoreKey;
import dev.zarrreactive.error.TransientStoreException;
import dev.zarrreactive.internal.objects.ObjectNames;
import dev.zarrreactive.internal.objects.ObjectWriter;
import dev.zarrreactive.internal.objects.ValuePart;
import dev.zarrreactive.internal.objects.WriteCondition;
import dev.zarrreactive.internal.service.ServiceRefusal;
import dev.zarrreactive.internal.service.ServiceRequests;
import dev.zarrreactive.internal.service.ServiceSettings;
import dev.zarrreactive.store.Version;
import io.netty.handler.codec.http.EmptyHttpHeaders;
import io.netty.handler.codec.http.HttpMethod;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.reactivestreams.Publisher;
import reactor.core.publisher.Mono;
import reactor.netty.http.client.HttpClientResponse;

/**
 * The requests of writes. The server checks a condition of any of them: a generation, or 0 for a
 * value that must be missing.
 */
final class GcsWrites implements ObjectWriter.Requests {
  /** The condition that there is no object. */
  private static final String NO_GENERATION = "0";

  /** The metadata by which a writer finds its own value after the answer was lost. */
  private static final String WRITE_ID = "x-goog-meta-zarr-write";

  private static final int NOT_FOUND = 404;
  private static final int PRECONDITION_FAILED = 412;

  private final ServiceRequests requests;
  private final ServiceSettings settings;

  GcsWrites(ServiceRequests requests, ServiceSettings settings) {
    this.requests = requests;
    this.settings = settings;
  }

  private static Map<String, String> headers(WriteCondition condition) {
    String generation = condition.isAbsent() ? NO_GENERATION : condition.ifMatch();
    return generation == null ? Map.of() : Map.of(GcsService.IF_GENERATION, generation);
  }

  @Override
  public Mono<Void> put(StoreKey key, List<Bytes> value, WriteCondition condition) {
    Map<String, String> headers = new LinkedHashMap<>(headers(condition));
    headers.put("content-type", "application/octet-stream");
    String wanted = headers.get(GcsService.IF_GENERATION);
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
    Throwable located = located(key, error);
    return located instanceof TransientStoreException ? located : error;
  }

  private Mono<Void> send(StoreKey key, List<Bytes> value, Map<String, String> headers) {
    return requests.ask(settings.change(HttpMethod.PUT, key, headers, value)).then();
  }

  /**
   * Looks at the stored value after the answer to a conditional write was lost. Completes where it
   * is the value of this write. Fails with a refused condition where it is another one than the
   * condition names, and else with the loss.
   */
  private Mono<Void> find(StoreKey key, String wanted, String id, TransientStoreException lost) {
    return requests
        .ask(settings.read(HttpMethod.HEAD, key, Map.of()))
        .map(HttpClientResponse::responseHeaders)
        .onErrorResume(
            e -> e instanceof ServiceRefusal answer && answer.status() == NOT_FOUND,
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
                      : new ServiceRefusal(PRECONDITION_FAILED, "", EmptyHttpHeaders.INSTANCE));
            });
  }

  /** Returns true for the answer that a condition does not hold. */
  static boolean isOfCondition(ServiceRefusal answer) {
    return answer.status() == PRECONDITION_FAILED;
  }

  @Override
  public Mono<Void> upload(StoreKey key, Publisher<ValuePart> parts, WriteCondition condition) {
    return new ResumableUpload(requests, settings, key).upload(parts, headers(condition));
  }

  @Override
  public @Nullable String tag(Version version) {
    return Generation.of(version).number();
  }

  @Override
  public String tagName() {
    return "a generation";
  }

  /** Also 404, which means a missing value. */
  @Override
  public @Nullable String refusal(WriteCondition condition, Throwable error) {
    if (!(error instanceof ServiceRefusal answer)) {
      return null;
    }
    boolean isGone =
        answer.status() == NOT_FOUND
            && condition.ifMatch() != null
            && answer.code().equals("NoSuchKey");
    return isOfCondition(answer) || isGone ? answer.shown() : null;
  }

  @Override
  public Throwable located(StoreKey key, Throwable error) {
    return requests.error(error, ObjectNames.at(key), settings.names().url(key));
  }
}
