package dev.zarrreactive.azure;

import dev.zarrreactive.base.StoreKey;
import dev.zarrreactive.error.StoreException;
import dev.zarrreactive.internal.http.ResponseHead;
import dev.zarrreactive.internal.http.SentRequest;
import dev.zarrreactive.internal.objects.ObjectNames;
import dev.zarrreactive.internal.objects.ObjectVersion;
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
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import reactor.core.publisher.Mono;

/** The requests of a {@link dev.zarrreactive.internal.transfer.ValueReader} to Azure. */
final class AzureValueRequests implements ValueRequests {
  private static final Pattern AT_THE_END =
      Pattern.compile("bytes (\\d{1,18})-\\d{1,18}/(\\d{1,18})");

  private final AzureRequests requests;
  private final AzureSettings settings;

  AzureValueRequests(AzureRequests requests, AzureSettings settings) {
    this.requests = requests;
    this.settings = settings;
  }

  @Override
  public Mono<Response> get(StoreKey key, Get request, BodyReader reader) {
    String url = settings.names().url(key);
    return requests
        .ask(
            AzureRequest.read(settings, HttpMethod.GET, key, headers(request)),
            (response, body) -> {
              HttpHeaders headers = response.responseHeaders();
              long nothing = totalOfNothing(headers);
              return nothing >= 0
                  ? SentRequest.drain(body).thenReturn(beyondTheEnd(key, nothing))
                  : reader.read(
                      ResponseHead.of(key, url, response, ResponseHead.version(headers)),
                      body.map(ByteBuf::nioBuffer));
            })
        .onErrorResume(AzureRefusal.class, answer -> refusal(key, request, answer))
        .onErrorMap(e -> requests.error(e, ObjectNames.at(key), url));
  }

  /**
   * Returns the size of the value where a 206 has no byte of it, as Azurite answers to a range at
   * the end of the value; else -1. The service answers 416.
   */
  private static long totalOfNothing(HttpHeaders headers) {
    String range = headers.get(HttpHeaderNames.CONTENT_RANGE);
    Matcher nothing = AT_THE_END.matcher(range == null ? "" : range);
    return nothing.matches() && nothing.group(1).equals(nothing.group(2))
        ? Long.parseLong(nothing.group(1))
        : -1;
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
  private static Map<String, String> headers(Get request) {
    Map<String, String> headers = new LinkedHashMap<>();
    if (request.range() != null) {
      headers.put("range", request.range());
    }
    Version required = request.condition().required();
    String tag = required == null ? null : ObjectVersion.of(required).strong();
    if (tag != null) {
      headers.put("if-match", tag);
    }
    Version known = request.condition().known();
    if (known != null) {
      headers.put("if-none-match", known.tag());
    }
    Instant since = request.condition().unmodifiedSince();
    if (since != null) {
      headers.put("if-unmodified-since", HttpDate.format(since));
    }
    return headers;
  }

  /** A missing value meets no condition, and the service may say that of it. */
  private Mono<Response> refusal(StoreKey key, Get request, AzureRefusal answer) {
    return switch (answer.status()) {
      case 304, 416 -> Mono.just(refused(key, answer));
      case 412 ->
          request.resumes()
              ? Mono.just(refused(key, answer))
              : size(key, ReadCondition.ALWAYS).map(found -> refused(key, answer));
      default -> none(answer);
    };
  }

  /** Completes empty where there is no value, and fails for any other answer. */
  private <T> Mono<T> none(AzureRefusal answer) {
    return switch (answer.status()) {
      case 401, 403 -> settings.forbiddenIsMissing() ? Mono.empty() : Mono.error(answer);
      case 404 -> requests.missing(answer);
      default -> Mono.error(answer);
    };
  }

  private Response refused(StoreKey key, AzureRefusal answer) {
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
            AzureRequest.read(settings, HttpMethod.HEAD, key, Map.of()),
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
        .onErrorResume(AzureRefusal.class, this::none)
        .onErrorMap(e -> requests.error(e, ObjectNames.at(key), settings.names().url(key)));
  }

  private static ValueSize size(long length, HttpHeaders headers) {
    return new ValueSize(length, ResponseHead.version(headers), ResponseHead.modified(headers));
  }
}
