package dev.zarrreactive.server;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.handler.codec.http.DefaultHttpHeaders;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpHeaders;
import io.netty.handler.codec.http.HttpMethod;
import java.util.function.Function;
import org.reactivestreams.Publisher;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.netty.http.server.HttpServerResponse;

/** A response. */
record Reply(int status, HttpHeaders headers, Body body) {
  static final String JSON = "application/json";

  private static final Body NONE = (head, isHead) -> Mono.fromRunnable(head::set);

  /** Sends the pieces of a response after its headers. */
  interface Body {
    /**
     * Returns the end of the response.
     *
     * @param isHead true where the request wants the headers alone
     */
    Mono<Void> send(Head head, boolean isHead);
  }

  /** The status and the headers of a response. */
  interface Head {
    /** Sets them in the response, and returns it. */
    HttpServerResponse set();
  }

  /** Returns a response without headers and body. */
  static Reply of(int status) {
    return new Reply(status, new DefaultHttpHeaders(), NONE);
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
    return new Reply(
        status,
        headers,
        (head, isHead) -> {
          HttpServerResponse response = head.set();
          return isHead ? Mono.empty() : response.send(pieces).then();
        });
  }

  /**
   * Returns this response with a body whose first signal decides: an error before any piece is an
   * error of the response, whose headers are not sent then.
   *
   * @param buffers makes the buffers of the pieces. They are made after the first signal: a buffer
   *     that waits for the decision would be lost where the client leaves meanwhile
   */
  <T> Reply withPeeked(Flux<T> pieces, Function<Flux<T>, Flux<ByteBuf>> buffers) {
    return new Reply(
        status,
        headers,
        (head, isHead) ->
            isHead
                ? pieces.take(1).then(Mono.fromRunnable(head::set))
                : pieces
                    .<Void>switchOnFirst(
                        (first, all) ->
                            first.isOnError()
                                ? all.cast(Void.class)
                                : head.set().send(buffers.apply(all)).then())
                    .then());
  }

  /**
   * Sends this response. An error of the body closes the connection where the headers are sent;
   * otherwise it leaves no header, and another response can be sent.
   */
  Mono<Void> send(HttpMethod method, HttpServerResponse response) {
    return body.send(() -> head(response), method.equals(HttpMethod.HEAD))
        .doOnError(error -> withdraw(response));
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
