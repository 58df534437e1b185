package dev.zarrreactive.server;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.handler.codec.http.DefaultHttpHeaders;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpHeaders;
import io.netty.handler.codec.http.HttpMethod;
import org.jspecify.annotations.Nullable;
import org.reactivestreams.Publisher;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.netty.http.server.HttpServerResponse;

/**
 * A response.
 *
 * @param body null for none
 * @param isPeeked true where the first signal of the body decides: an error before any piece is an
 *     error of the response, whose headers are not sent then
 */
record Reply(int status, HttpHeaders headers, @Nullable Publisher<ByteBuf> body, boolean isPeeked) {
  static final String JSON = "application/json";

  /** Returns a response without headers and body. */
  static Reply of(int status) {
    return new Reply(status, new DefaultHttpHeaders(), null, false);
  }

  /** Returns a response of bytes in memory. */
  static Reply of(int status, String mediaType, byte[] bytes) {
    return of(status)
        .with(HttpHeaderNames.CONTENT_TYPE, mediaType)
        .withLength(bytes.length)
        .with(Flux.defer(() -> Flux.just(Unpooled.wrappedBuffer(bytes))));
  }

  /** Sets a header of this response. */
  Reply with(CharSequence name, String value) {
    headers.set(name, value);
    return this;
  }

  Reply withLength(long bytes) {
    return with(HttpHeaderNames.CONTENT_LENGTH, Long.toString(bytes));
  }

  /**
   * Returns this response with another body. Reactor-netty writes a {@link Mono} together with the
   * headers, and a {@link Flux} after them.
   */
  Reply with(Publisher<ByteBuf> pieces) {
    return new Reply(status, headers, pieces, false);
  }

  /** Returns this response with a body whose first signal decides. */
  Reply withPeeked(Flux<ByteBuf> pieces) {
    return new Reply(status, headers, pieces, true);
  }

  /**
   * Sends this response. An error of the body closes the connection where the headers are sent;
   * otherwise it leaves no header, and another response can be sent.
   */
  Mono<Void> send(HttpMethod method, HttpServerResponse response) {
    return sent(method, response).doOnError(error -> withdraw(response));
  }

  private Mono<Void> sent(HttpMethod method, HttpServerResponse response) {
    Publisher<ByteBuf> pieces = body;
    boolean isWithoutBody = pieces == null || method.equals(HttpMethod.HEAD);
    if (pieces != null && isPeeked) {
      return isWithoutBody
          ? Flux.from(pieces)
              .take(1)
              .doOnNext(ByteBuf::release)
              .then(Mono.fromRunnable(() -> head(response)))
          : Flux.from(pieces)
              .<Void>switchOnFirst(
                  (first, all) ->
                      first.isOnError() ? all.cast(Void.class) : head(response).send(all).then())
              .then();
    }
    head(response);
    return pieces == null || isWithoutBody ? Mono.empty() : response.send(pieces).then();
  }

  private HttpServerResponse head(HttpServerResponse response) {
    response.status(status);
    response.responseHeaders().add(headers);
    return response;
  }

  private void withdraw(HttpServerResponse response) {
    if (!response.hasSentHeaders()) {
      headers.names().forEach(response.responseHeaders()::remove);
    }
  }
}
