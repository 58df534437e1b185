package dev.zarrreactive.gcs;

import dev.zarrreactive.base.StoreKey;
import dev.zarrreactive.error.PreconditionFailedException;
import dev.zarrreactive.internal.flow.Concurrently;
import dev.zarrreactive.internal.http.SentRequest;
import dev.zarrreactive.internal.objects.ObjectNames;
import dev.zarrreactive.store.Version;
import io.netty.handler.codec.http.HttpMethod;
import java.util.List;
import java.util.Map;
import org.reactivestreams.Publisher;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/** Erases values, each with one request. */
final class GcsEraser {
  private static final int AT_A_TIME = 64;

  private final GcsRequests requests;
  private final GcsSettings settings;

  GcsEraser(GcsRequests requests, GcsSettings settings) {
    this.requests = requests;
    this.settings = settings;
  }

  /** Erases the value, of any version. */
  Mono<Void> erase(StoreKey key) {
    return delete(key, Map.of()).onErrorMap(e -> error(e, key));
  }

  /** Erases the value, where it has this version. */
  Mono<Void> erase(StoreKey key, Version version) {
    String number = Generation.of(version).number();
    if (number == null) {
      return Mono.error(() -> failed(key, version, "that version has no generation"));
    }
    return delete(key, Map.of(GcsRequest.IF_GENERATION, number))
        .onErrorMap(
            e -> e instanceof GcsRefusal answer && answer.status() == 412,
            e -> failed(key, version, "the answer is " + GcsErrors.shown((GcsRefusal) e)))
        .onErrorMap(e -> error(e, key));
  }

  /** Erases the values at the keys as they arrive. */
  Mono<Void> erase(Publisher<StoreKey> keys) {
    return Concurrently.map(Flux.from(keys), AT_A_TIME, this::erase).then();
  }

  private Mono<Void> delete(StoreKey key, Map<String, String> headers) {
    return requests
        .ask(
            GcsRequest.change(
                HttpMethod.DELETE,
                settings.url(key),
                ObjectNames.at(key),
                settings.names().url(key),
                headers,
                List.of()),
            (response, body) -> SentRequest.drain(body).thenReturn(true))
        .onErrorResume(
            e -> e instanceof GcsRefusal answer && answer.status() == 404,
            e -> requests.missing((GcsRefusal) e))
        .then();
  }

  private Throwable error(Throwable error, StoreKey key) {
    return requests.error(error, ObjectNames.at(key), settings.names().url(key));
  }

  private static PreconditionFailedException failed(StoreKey key, Version version, String found) {
    return new PreconditionFailedException(
        "wanted to erase version " + version + " of the value, and " + found, ObjectNames.at(key));
  }
}
