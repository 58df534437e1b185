package dev.zarrreactive.azure;

import dev.zarrreactive.base.StoreKey;
import dev.zarrreactive.error.PreconditionFailedException;
import dev.zarrreactive.internal.flow.Concurrently;
import dev.zarrreactive.internal.objects.ObjectNames;
import dev.zarrreactive.internal.objects.ObjectVersion;
import dev.zarrreactive.store.Version;
import io.netty.handler.codec.http.HttpMethod;
import java.util.List;
import java.util.Map;
import org.reactivestreams.Publisher;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/** Erases values, each with one request. */
final class BlobEraser {
  private static final int AT_A_TIME = 64;

  private final AzureRequests requests;
  private final AzureSettings settings;

  BlobEraser(AzureRequests requests, AzureSettings settings) {
    this.requests = requests;
    this.settings = settings;
  }

  /** Erases the value, of any version. */
  Mono<Void> erase(StoreKey key) {
    return delete(key, Map.of()).onErrorMap(e -> error(e, key));
  }

  /** Erases the value, where it has this version. */
  Mono<Void> erase(StoreKey key, Version version) {
    String tag = ObjectVersion.of(version).strong();
    if (tag == null) {
      return Mono.error(() -> failed(key, version, "it has no strong ETag"));
    }
    return delete(key, Map.of("if-match", tag))
        .onErrorResume(
            e -> e instanceof AzureRefusal answer && answer.code().equals("ConditionNotMet"),
            e -> other(key, version, (AzureRefusal) e))
        .onErrorMap(e -> error(e, key));
  }

  /** Completes where there is no value: it meets no condition, and the service may say that. */
  private Mono<Void> other(StoreKey key, Version version, AzureRefusal answer) {
    return requests
        .ask(AzureRequest.read(settings, HttpMethod.HEAD, key, Map.of()))
        .<Void>flatMap(found -> Mono.error(failed(key, version, "the answer is " + answer.shown())))
        .onErrorResume(
            e -> e instanceof AzureRefusal none && none.status() == 404,
            e -> requests.missing((AzureRefusal) e));
  }

  /** Erases the values at the keys as they arrive. */
  Mono<Void> erase(Publisher<StoreKey> keys) {
    return Concurrently.map(Flux.from(keys), AT_A_TIME, this::erase).then();
  }

  private Mono<Void> delete(StoreKey key, Map<String, String> headers) {
    return requests
        .ask(AzureRequest.change(settings, HttpMethod.DELETE, key, null, headers, List.of()))
        .onErrorResume(
            e -> e instanceof AzureRefusal answer && answer.status() == 404,
            e -> requests.missing((AzureRefusal) e))
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
