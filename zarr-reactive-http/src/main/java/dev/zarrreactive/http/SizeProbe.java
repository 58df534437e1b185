package dev.zarrreactive.http;

import dev.zarrreactive.base.StoreKey;
import dev.zarrreactive.error.StoreException;
import dev.zarrreactive.error.TransientStoreException;
import dev.zarrreactive.internal.http.ResponseHead;
import dev.zarrreactive.internal.http.SentRequest;
import dev.zarrreactive.internal.http.Url;
import dev.zarrreactive.internal.transfer.BodyHead;
import dev.zarrreactive.internal.transfer.ValueSize;
import io.netty.buffer.ByteBuf;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpHeaders;
import io.netty.handler.codec.http.HttpMethod;
import java.util.Map;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.netty.http.client.HttpClientResponse;

/**
 * Asks for the sizes of values with HEAD. A server may refuse HEAD, as for a URL that is signed for
 * GET: from the first refusal on the probe asks for the first byte.
 */
final class SizeProbe {
  private static final Map<String, String> FIRST_BYTE = Map.of("range", "bytes=0-0");

  private final Exchange exchange;
  private volatile boolean headIsRefused;

  SizeProbe(Exchange exchange) {
    this.exchange = exchange;
  }

  /** Returns the size of the value at {@code key}; empty where it is missing. */
  Mono<ValueSize> size(StoreKey key) {
    return Mono.defer(
        () ->
            headIsRefused
                ? byFirstByte(key)
                : byHead(key)
                    .onErrorResume(
                        e -> e instanceof StoreException && !(e instanceof TransientStoreException),
                        e -> byFirstByte(key).doOnNext(size -> headIsRefused = true)));
  }

  private Mono<ValueSize> byHead(StoreKey key) {
    return exchange.ask(
        key,
        HttpMethod.HEAD,
        Map.of(),
        (response, body, url) -> {
          long length = SentRequest.length(response.responseHeaders());
          boolean answered = response.status().code() == 200 && length >= 0;
          boolean isOfTheValue =
              !response.responseHeaders().contains(HttpHeaderNames.CONTENT_ENCODING)
                  && !HtmlPage.isTypeOf(response, key);
          return answered && isOfTheValue
              ? SentRequest.drain(body).then(Mono.just(size(length, response)))
              : Mono.error(HttpErrors.status(key, url, response));
        });
  }

  private Mono<ValueSize> byFirstByte(StoreKey key) {
    return exchange.ask(
        key, HttpMethod.GET, FIRST_BYTE, (reply, body, url) -> size(key, reply, body, url));
  }

  private static Mono<ValueSize> size(
      StoreKey key, HttpClientResponse response, Flux<ByteBuf> body, Url url) {
    switch (response.status().code()) {
      case 416 -> { // an empty value has no first byte
        return SentRequest.drain(body).then(Mono.just(size(0, response)));
      }
      case 200, 206 -> {
        BodyHead head = ResponseHead.of(key, url, response).requirePlain();
        if (head.partial() && head.total() < 0) {
          throw head.violation("does not tell how large the value is");
        }
        return head.total() < 0
            ? body.map(ByteBuf::readableBytes)
                .reduce(0L, Long::sum) // the end of the body is the only sign of its length
                .map(total -> size(total, response))
            : SentRequest.drain(body).then(Mono.just(size(head.total(), response)));
      }
      default -> throw HttpErrors.status(key, url, response);
    }
  }

  private static ValueSize size(long total, HttpClientResponse response) {
    HttpHeaders headers = response.responseHeaders();
    return new ValueSize(total, ResponseHead.version(headers), ResponseHead.modified(headers));
  }
}
