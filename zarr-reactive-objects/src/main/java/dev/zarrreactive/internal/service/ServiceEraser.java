package dev.zarrreactive.internal.service;

import dev.zarrreactive.base.StoreKey;
import dev.zarrreactive.error.PreconditionFailedException;
import dev.zarrreactive.internal.flow.Concurrently;
import dev.zarrreactive.internal.objects.ObjectNames;
import dev.zarrreactive.store.Version;
import io.netty.handler.codec.http.HttpMethod;
import java.util.List;
import java.util.Map;
import org.reactivestreams.Publisher;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/** Erases values, each with one request. */
public final class ServiceEraser {
  private static final int AT_A_TIME = 64;

  private final ServiceRequests requests;
  private final ServiceSettings settings;
  private final ObjectService service;

  /** The erasures of one store. */
  public ServiceEraser(ServiceRequests requests) {
    this.requests = requests;
    this.settings = requests.settings();
    this.service = requests.service();
  }

  /** Erases the value, of any version. */
  public Mono<Void> erase(StoreKey key) {
    return delete(key, Map.of()).onErrorMap(e -> error(e, key));
  }

  /** Erases the value, where it has this version. */
  public Mono<Void> erase(StoreKey key, Version version) {
    Map<String, String> condition = service.ifErased(version);
    if (condition.isEmpty()) {
      return Mono.error(() -> failed(key, version, service.noCondition()));
    }
    return delete(key, condition)
        .onErrorResume(
            e -> e instanceof ServiceRefusal answer && service.saysConditionFails(answer),
            e -> other(key, version, (ServiceRefusal) e))
        .onErrorMap(e -> error(e, key));
  }

  /** Completes where there is no value: it meets no condition, and the service may say that. */
  private Mono<Void> other(StoreKey key, Version version, ServiceRefusal answer) {
    PreconditionFailedException failed = failed(key, version, "the answer is " + answer.shown());
    if (!service.comparesMissing()) {
      return Mono.error(failed);
    }
    return requests
        .ask(settings.read(HttpMethod.HEAD, key, Map.of()))
        .<Void>flatMap(found -> Mono.error(failed))
        .onErrorResume(
            e -> e instanceof ServiceRefusal none && none.isMissing(),
            e -> requests.missing((ServiceRefusal) e));
  }

  /** Erases the values at the keys as they arrive. */
  public Mono<Void> erase(Publisher<StoreKey> keys) {
    return Concurrently.map(Flux.from(keys), AT_A_TIME, this::erase).then();
  }

  private Mono<Void> delete(StoreKey key, Map<String, String> headers) {
    return requests
        .ask(settings.change(HttpMethod.DELETE, key, headers, List.of()))
        .onErrorResume(
            e -> e instanceof ServiceRefusal answer && answer.isMissing(),
            e -> requests.missing((ServiceRefusal) e))
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
