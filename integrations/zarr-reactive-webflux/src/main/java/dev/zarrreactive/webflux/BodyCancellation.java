package dev.zarrreactive.webflux;

import java.nio.file.Path;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import java.util.stream.Stream;
import org.reactivestreams.Publisher;
import org.reactivestreams.Subscription;
import org.springframework.core.Ordered;
import org.springframework.core.io.buffer.DataBuffer;
import org.springframework.http.ZeroCopyHttpOutputMessage;
import org.springframework.http.server.reactive.ServerHttpResponse;
import org.springframework.http.server.reactive.ServerHttpResponseDecorator;
import org.springframework.web.server.ServerWebExchange;
import org.springframework.web.server.WebFilter;
import org.springframework.web.server.WebFilterChain;
import reactor.core.Scannable;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/**
 * Cancels the body of a response when its write has ended: with success, with an error, or by a
 * cancel. Spring waits for the first buffer of a body before it writes. If the client has left by
 * then, the server refuses the write without a subscription, and Spring leaves the body as it is:
 * subscribed, with no demand, for ever.
 */
final class BodyCancellation implements WebFilter, Ordered {
  /** Around the filters of the service, so that a body has what they add to it. */
  @Override
  public int getOrder() {
    return HIGHEST_PRECEDENCE;
  }

  @Override
  public Mono<Void> filter(ServerWebExchange exchange, WebFilterChain chain) {
    ServerHttpResponse response = exchange.getResponse();
    ServerHttpResponse cancelling =
        response instanceof ZeroCopyHttpOutputMessage
            ? new CancellingFileResponse(response)
            : new CancellingResponse(response);
    return chain.filter(exchange.mutate().response(cancelling).build());
  }

  /** A response that cancels its bodies. */
  private static class CancellingResponse extends ServerHttpResponseDecorator {
    CancellingResponse(ServerHttpResponse response) {
      super(response);
    }

    /** A {@link Mono} goes through: Spring writes it with its length, and cancels it by itself. */
    @Override
    public Mono<Void> writeWith(Publisher<? extends DataBuffer> body) {
      return body instanceof Mono
          ? super.writeWith(body)
          : ended(written -> super.writeWith(written.watched(body)));
    }

    @Override
    public Mono<Void> writeAndFlushWith(
        Publisher<? extends Publisher<? extends DataBuffer>> groups) {
      return ended(written -> super.writeAndFlushWith(written.watchedGroups(groups)));
    }

    private static Mono<Void> ended(Function<WrittenBody, Mono<Void>> write) {
      return Mono.usingWhen(
          Mono.fromSupplier(WrittenBody::new),
          write,
          WrittenBody::cancel,
          (written, error) -> written.cancel(),
          WrittenBody::cancel);
    }
  }

  /** The same of a server that sends files without reading them. */
  private static final class CancellingFileResponse extends CancellingResponse
      implements ZeroCopyHttpOutputMessage {
    CancellingFileResponse(ServerHttpResponse response) {
      super(response);
    }

    @Override
    public Mono<Void> writeWith(Path file, long position, long count) {
      return ((ZeroCopyHttpOutputMessage) getDelegate()).writeWith(file, position, count);
    }
  }

  /** The body of one write. */
  private static final class WrittenBody {
    private final Set<Subscription> subscriptions = ConcurrentHashMap.newKeySet();

    /** The windows that the server has not subscribed to. Each of them holds the source of all. */
    private final Set<Publisher<? extends DataBuffer>> waiting = ConcurrentHashMap.newKeySet();

    private volatile boolean hasEnded;

    <T> Flux<T> watched(Publisher<T> body) {
      return Flux.from(body).doOnSubscribe(this::begin);
    }

    Flux<Publisher<? extends DataBuffer>> watchedGroups(
        Publisher<? extends Publisher<? extends DataBuffer>> groups) {
      return watched(
          Flux.from(groups).map(group -> isWindow(group) ? watchedWindow(group) : group));
    }

    /** Returns true for a group whose source runs, such as a window of a stream. */
    private static boolean isWindow(Publisher<?> group) {
      Scannable last = Scannable.from(group);
      return Stream.concat(Stream.of(last), last.parents())
          .anyMatch(part -> part.scanUnsafe(Scannable.Attr.TERMINATED) != null);
    }

    private Flux<DataBuffer> watchedWindow(Publisher<? extends DataBuffer> window) {
      waiting.add(window);
      return Flux.<DataBuffer>from(window).doFirst(() -> waiting.remove(window));
    }

    private void begin(Subscription subscription) {
      subscriptions.add(subscription);
      if (hasEnded) {
        subscription.cancel();
      }
    }

    Mono<Void> cancel() {
      return Mono.defer(
          () -> {
            hasEnded = true;
            subscriptions.forEach(Subscription::cancel);
            return Flux.fromIterable(waiting)
                .concatMap(window -> Flux.from(window).take(0, false).onErrorComplete(), 1)
                .then();
          });
    }
  }
}
