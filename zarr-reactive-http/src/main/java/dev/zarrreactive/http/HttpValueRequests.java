package dev.zarrreactive.http;

import dev.zarrreactive.base.StoreKey;
import dev.zarrreactive.internal.http.SentRequest;
import dev.zarrreactive.internal.http.Url;
import dev.zarrreactive.internal.transfer.ContentRange;
import dev.zarrreactive.internal.transfer.ValueRequests;
import dev.zarrreactive.internal.transfer.ValueSize;
import dev.zarrreactive.store.ReadCondition;
import io.netty.buffer.ByteBuf;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpMethod;
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
        ConditionalHeaders.of(request),
        (response, body, url) ->
            switch (response.status().code()) {
              case 200, 206 ->
                  reader.read(ResponseHead.of(key, url, response), body.map(ByteBuf::nioBuffer));
              default -> refused(key, response, body, url);
            });
  }

  private static Mono<Response> refused(
      StoreKey key, HttpClientResponse response, Flux<ByteBuf> body, Url url) {
    String range = response.responseHeaders().get(HttpHeaderNames.CONTENT_RANGE);
    return SentRequest.drained(body)
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
