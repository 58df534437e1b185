package dev.zarrreactive.http;

import dev.zarrreactive.base.StoreKey;
import dev.zarrreactive.internal.http.ResponseHead;
import dev.zarrreactive.internal.http.SentRequest;
import dev.zarrreactive.internal.http.Url;
import dev.zarrreactive.internal.transfer.ContentRange;
import dev.zarrreactive.internal.transfer.HttpDate;
import dev.zarrreactive.internal.transfer.ValueRequests;
import dev.zarrreactive.internal.transfer.ValueSize;
import dev.zarrreactive.store.ReadCondition;
import dev.zarrreactive.store.Version;
import io.netty.buffer.ByteBuf;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpMethod;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Map;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.netty.http.client.HttpClientResponse;

/** The requests of a {@link dev.zarrreactive.internal.transfer.ValueReader} over HTTP. */
final class HttpValueRequests implements ValueRequests {
  private final Exchange exchange;
  private final SizeProbe sizes;

  HttpValueRequests(Exchange exchange) {
    this.exchange = exchange;
    this.sizes = new SizeProbe(exchange);
  }

  @Override
  public Mono<Response> get(StoreKey key, Get request, BodyReader reader) {
    return exchange.ask(
        key,
        HttpMethod.GET,
        headers(request),
        (response, body, url) ->
            switch (response.status().code()) {
              case 200, 206 ->
                  reader.read(ResponseHead.of(key, url, response), body.map(ByteBuf::nioBuffer));
              default -> refusal(key, response, body, url);
            });
  }

  /**
   * Returns the headers of a request for a range and on a condition; a version is an ETag here. The
   * rest of a body is asked for by {@code If-Range}, which answers with the whole new value after a
   * change. No weak tag ever matches in {@code If-Match}.
   */
  private static Map<String, String> headers(Get request) {
    Map<String, String> headers = new LinkedHashMap<>();
    if (request.range() != null) {
      headers.put("range", request.range());
    }
    Version required = request.condition().required();
    Version known = request.condition().known();
    if (required != null && !required.tag().startsWith("W/")) {
      headers.put(request.resumes() ? "if-range" : "if-match", required.tag());
    }
    if (known != null) {
      headers.put("if-none-match", known.tag());
    }
    Instant since = request.condition().unmodifiedSince();
    if (since != null) {
      headers.put("if-unmodified-since", HttpDate.format(since));
    }
    return headers;
  }

  private static Mono<Response> refusal(
      StoreKey key, HttpClientResponse response, Flux<ByteBuf> body, Url url) {
    String range = response.responseHeaders().get(HttpHeaderNames.CONTENT_RANGE);
    return SentRequest.drain(body)
        .then(
            Mono.just(
                new Refused(
                    response.status().code(),
                    url.toString(),
                    ContentRange.totalOfRefusal(range),
                    () -> HttpErrors.status(key, url, response))));
  }

  @Override
  public Mono<ValueSize> size(StoreKey key, ReadCondition condition) {
    return sizes.size(key);
  }
}
