package dev.zarrreactive.gcs;

import dev.zarrreactive.base.StoreKey;
import dev.zarrreactive.internal.http.ResponseHead;
import dev.zarrreactive.internal.http.SentRequest;
import dev.zarrreactive.internal.http.Url;
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
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;
import reactor.netty.http.client.HttpClientResponse;

/** The requests of a {@link dev.zarrreactive.internal.transfer.ValueReader} to Google. */
final class GcsValueRequests implements ValueRequests {
  private static final int NOT_MODIFIED = 304;

  private final GcsRequests requests;
  private final GcsSettings settings;

  GcsValueRequests(GcsRequests requests, GcsSettings settings) {
    this.requests = requests;
    this.settings = settings;
  }

  @Override
  public Mono<Response> get(StoreKey key, Get request, BodyReader reader) {
    Url url = settings.url(key);
    return requests
        .ask(
            read(HttpMethod.GET, key, url, headers(request)),
            (response, body) ->
                reader.read(
                    ResponseHead.of(key, settings.names().url(key), response, version(response)),
                    body.map(ByteBuf::nioBuffer)))
        .onErrorResume(GcsRefusal.class, answer -> refusal(key, request, answer, reader))
        .onErrorMap(e -> requests.error(e, ObjectNames.at(key), settings.names().url(key)));
  }

  private GcsRequest read(HttpMethod method, StoreKey key, Url url, Map<String, String> headers) {
    return GcsRequest.read(method, url, ObjectNames.at(key), settings.names().url(key), headers);
  }

  private static @Nullable Version version(HttpClientResponse response) {
    return Generation.of(response.responseHeaders()).version();
  }

  /**
   * Returns the headers of a request for a range and on a condition. The server compares a
   * generation where a version is required, and the ETag where the reader has the bytes: it has no
   * condition that a generation differs.
   */
  private static Map<String, String> headers(Get request) {
    Map<String, String> headers = new LinkedHashMap<>();
    if (request.range() != null) {
      headers.put("range", request.range());
    }
    Version required = request.condition().required();
    if (required != null) {
      Generation generation = Generation.of(required);
      String etag = generation.etag();
      if (generation.number() != null) {
        headers.put(GcsRequest.IF_GENERATION, generation.number());
      } else if (etag != null && !etag.startsWith("W/")) {
        headers.put("if-match", etag);
      }
    }
    Version known = request.condition().known();
    String tag = known == null ? null : Generation.of(known).etag();
    if (tag != null) {
      headers.put("if-none-match", tag);
    }
    Instant since = request.condition().unmodifiedSince();
    if (since != null) {
      headers.put("if-unmodified-since", HttpDate.format(since));
    }
    return headers;
  }

  private Mono<Response> refusal(StoreKey key, Get request, GcsRefusal answer, BodyReader reader) {
    return switch (answer.status()) {
      case NOT_MODIFIED ->
          isOfOtherBytes(request, answer)
              ? get(key, new Get(request.range(), ReadCondition.ALWAYS, false), reader)
              : Mono.just(refused(key, answer));
      case 412, 416 -> Mono.just(refused(key, answer));
      case 401, 403 -> settings.forbiddenIsMissing() ? Mono.empty() : Mono.error(answer);
      case 404 -> requests.missing(answer);
      default -> Mono.error(answer);
    };
  }

  /** Returns true for a value that was written again: an ETag may be that of equal bytes. */
  private static boolean isOfOtherBytes(Get request, GcsRefusal answer) {
    Version known = request.condition().known();
    return known != null && Generation.of(known).differsFrom(Generation.of(answer.headers()));
  }

  private Response refused(StoreKey key, GcsRefusal answer) {
    String range = answer.header("content-range");
    return new Refused(
        answer.status(),
        settings.names().url(key),
        ContentRange.totalOfRefusal(range),
        () -> requests.answered(answer, ObjectNames.at(key), settings.names().url(key)));
  }

  @Override
  public Mono<ValueSize> size(StoreKey key, ReadCondition condition) {
    Url url = settings.url(key);
    return requests
        .ask(
            read(HttpMethod.HEAD, key, url, Map.of()),
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
        .onErrorResume(
            GcsRefusal.class,
            answer ->
                switch (answer.status()) {
                  case 401, 403 ->
                      settings.forbiddenIsMissing() ? Mono.empty() : Mono.error(answer);
                  case 404 -> requests.missing(answer);
                  default -> Mono.error(answer);
                })
        .onErrorMap(e -> requests.error(e, ObjectNames.at(key), settings.names().url(key)));
  }

  private static ValueSize size(long length, HttpHeaders headers) {
    return new ValueSize(length, Generation.of(headers).version(), ResponseHead.modified(headers));
  }
}
