package dev.zarrreactive.http;

import dev.zarrreactive.error.StoreException;
import dev.zarrreactive.error.TransientStoreException;
import dev.zarrreactive.store.StoreKey;
import io.netty.buffer.ByteBuf;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpMethod;
import java.util.Map;
import reactor.core.publisher.Mono;
import reactor.netty.ByteBufFlux;
import reactor.netty.http.client.HttpClientResponse;

/**
 * How large values are. HEAD says so; where a server refuses HEAD, as one does that checks
 * signatures of GET, the first byte is asked for, from then on at once.
 */
final class Sizes {
  private static final Map<String, String> FIRST_BYTE = Map.of("range", "bytes=0-0");

  private final Exchange exchange;
  private volatile boolean headIsRefused;

  Sizes(Exchange exchange) {
    this.exchange = exchange;
  }

  /** The size of the value at {@code key}; empty where there is none. */
  Mono<Size> of(StoreKey key) {
    return Mono.defer(
        () ->
            headIsRefused
                ? byFirstByte(key)
                : byHead(key)
                    .onErrorResume(
                        e -> e instanceof StoreException && !(e instanceof TransientStoreException),
                        e -> byFirstByte(key).doOnNext(size -> headIsRefused = true)));
  }

  private Mono<Size> byHead(StoreKey key) {
    return exchange.ask(
        key,
        HttpMethod.HEAD,
        Map.of(),
        (response, body, url) -> {
          long length = Reply.length(response.responseHeaders());
          boolean answered = response.status().code() == 200 && length >= 0;
          return answered && !response.responseHeaders().contains(HttpHeaderNames.CONTENT_ENCODING)
              ? Exchange.drained(body).then(Mono.just(size(length, response)))
              : Mono.error(HttpErrors.status(key, url, response));
        });
  }

  private Mono<Size> byFirstByte(StoreKey key) {
    return exchange.ask(
        key, HttpMethod.GET, FIRST_BYTE, (reply, body, url) -> size(key, reply, body, url));
  }

  private static Mono<Size> size(
      StoreKey key, HttpClientResponse response, ByteBufFlux body, Url url) {
    switch (response.status().code()) {
      case 416 -> { // there is no first byte
        return Exchange.drained(body).then(Mono.just(size(0, response)));
      }
      case 200, 206 -> {
        Reply reply = Reply.of(key, url, response);
        if (reply.body().partial() && reply.body().total() < 0) {
          throw reply.body().violation("does not tell how large the value is");
        }
        return reply.body().total() < 0
            ? body.map(ByteBuf::readableBytes)
                .reduce(0L, Long::sum) // it does not end before all of it is here
                .map(total -> size(total, response))
            : Exchange.drained(body).then(Mono.just(size(reply.body().total(), response)));
      }
      default -> throw HttpErrors.status(key, url, response);
    }
  }

  private static Size size(long total, HttpClientResponse response) {
    return new Size(total, Reply.tag(response.responseHeaders()));
  }
}
