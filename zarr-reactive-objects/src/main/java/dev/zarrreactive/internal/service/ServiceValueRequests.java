package dev.zarrreactive.internal.service;

import dev.zarrreactive.base.StoreKey;
import dev.zarrreactive.error.StoreException;
import dev.zarrreactive.internal.http.ResponseHead;
import dev.zarrreactive.internal.http.SentRequest;
import dev.zarrreactive.internal.objects.ObjectNames;
import dev.zarrreactive.internal.transfer.ContentRange;
import dev.zarrreactive.internal.transfer.HttpDate;
import dev.zarrreactive.internal.transfer.ValueRequests;
import dev.zarrreactive.internal.transfer.ValueSize;
import dev.zarrreactive.store.ReadCondition;
import dev.zarrreactive.store.Version;
import io.netty.buffer.ByteBuf;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpHeaders;
import io.netty.handler.codec.http.HttpMethod;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Map;
import reactor.core.publisher.Mono;

/** The requests of a {@link dev.zarrreactive.internal.transfer.ValueReader} to a service. */
public final class ServiceValueRequests implements ValueRequests {
  private final ServiceRequests requests;
  private final ServiceSettings settings;
  private final ObjectService service;

  /** The requests of one store. */
  public ServiceValueRequests(ServiceRequests requests) {
    this.requests = requests;
    this.settings = requests.settings();
    this.service = requests.service();
  }

  @Override
  public Mono<Response> get(StoreKey key, Get request, BodyReader reader) {
    String url = settings.names().url(key);
    return requests
        .ask(
            settings.read(HttpMethod.GET, key, headers(request)),
            (response, body) -> {
              HttpHeaders headers = response.responseHeaders();
              long nothing = service.totalOfNothing(headers);
              return nothing >= 0
                  ? SentRequest.drain(body).thenReturn(beyondTheEnd(key, nothing))
                  : reader.read(
                      ResponseHead.of(key, url, response, service.version(headers)),
                      body.map(ByteBuf::nioBuffer));
            })
        .onErrorResume(ServiceRefusal.class, answer -> refusal(key, request, answer, reader))
        .onErrorMap(e -> requests.error(e, ObjectNames.at(key), url));
  }

  private Response beyondTheEnd(StoreKey key, long total) {
    String url = settings.names().url(key);
    return new Refused(
        416,
        url,
        total,
        () -> new StoreException(url + " answered 206 without a byte", ObjectNames.at(key)));
  }

  /** Returns the headers of a request for a range and on a condition. */
  private Map<String, String> headers(Get request) {
    Map<String, String> headers = new LinkedHashMap<>();
    if (request.range() != null) {
      headers.put("range", request.range());
    }
    Version required = request.condition().required();
    if (required != null) {
      headers.putAll(service.ifVersion(required));
    }
    Version known = request.condition().known();
    if (known != null) {
      headers.putAll(service.unlessVersion(known));
    }
    Instant since = request.condition().unmodifiedSince();
    if (since != null) {
      headers.put("if-unmodified-since", HttpDate.format(since));
    }
    return headers;
  }

  private Mono<Response> refusal(
      StoreKey key, Get request, ServiceRefusal answer, BodyReader reader) {
    return switch (answer.status()) {
      case 304 -> {
        Version known = request.condition().known();
        yield known != null && service.isOther(known, answer.headers())
            ? get(key, new Get(request.range(), ReadCondition.ALWAYS, false), reader)
            : Mono.just(refused(key, answer));
      }
      case 412 ->
          request.resumes() || !service.comparesMissing()
              ? Mono.just(refused(key, answer))
              : size(key, ReadCondition.ALWAYS).map(found -> refused(key, answer));
      case 416 -> Mono.just(refused(key, answer));
      default -> none(answer);
    };
  }

  /** Completes empty where there is no value, and fails for any other answer. */
  private <T> Mono<T> none(ServiceRefusal answer) {
    return switch (answer.status()) {
      case 401, 403 -> settings.forbiddenIsMissing() ? Mono.empty() : Mono.error(answer);
      case 404 -> requests.missing(answer);
      default -> Mono.error(answer);
    };
  }

  private Response refused(StoreKey key, ServiceRefusal answer) {
    String url = settings.names().url(key);
    return new Refused(
        answer.status(),
        url,
        ContentRange.totalOfRefusal(answer.header("content-range")),
        () -> requests.answered(answer, ObjectNames.at(key), url));
  }

  @Override
  public Mono<ValueSize> size(StoreKey key, ReadCondition condition) {
    return requests
        .ask(
            settings.read(HttpMethod.HEAD, key, Map.of()),
            (response, body) -> {
              HttpHeaders headers = response.responseHeaders();
              long length = SentRequest.length(headers);
              boolean isPlain = !headers.contains(HttpHeaderNames.CONTENT_ENCODING) && length >= 0;
              return isPlain
                  ? SentRequest.drain(body).thenReturn(size(length, headers))
                  : Mono.error(
                      requests.violation(
                          key, "answered a HEAD without the size of the value as it is read"));
            })
        .onErrorResume(ServiceRefusal.class, this::none)
        .onErrorMap(e -> requests.error(e, ObjectNames.at(key), settings.names().url(key)));
  }

  private ValueSize size(long length, HttpHeaders headers) {
    return new ValueSize(length, service.version(headers), ResponseHead.modified(headers));
  }
}
