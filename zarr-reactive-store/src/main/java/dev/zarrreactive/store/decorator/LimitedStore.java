package dev.zarrreactive.store.decorator;

import dev.zarrreactive.base.Bytes;
import dev.zarrreactive.base.StoreKey;
import dev.zarrreactive.internal.sharing.AttemptShield;
import dev.zarrreactive.internal.threads.Environment;
import dev.zarrreactive.observation.StoreObserver;
import dev.zarrreactive.store.Precondition;
import dev.zarrreactive.store.Store;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.reactivestreams.Publisher;
import reactor.core.CoreSubscriber;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.publisher.Sinks;
import reactor.util.context.ContextView;

/** A store with a bounded number of requests in flight. */
final class LimitedStore extends UniformStore {
  private final RequestLimit limit;

  LimitedStore(Store delegate, RequestLimit limit) {
    super(delegate);
    this.limit = limit;
  }

  @Override
  <T> Mono<T> one(Function<Store, Mono<T>> operation) {
    return request(() -> operation.apply(delegate()));
  }

  @Override
  <T> Flux<T> many(Function<Store, Flux<T>> operation) {
    return listing(() -> operation.apply(delegate()));
  }

  /**
   * Stores pieces in turns: a piece waits for a permit, which is released when the store demands
   * the next one. While the store waits for a piece it holds no permit, since the source of the
   * pieces may need one. The end of the upload is a turn of its own.
   */
  @Override
  public Mono<Void> set(StoreKey key, Publisher<Bytes> pieces, Precondition precondition) {
    return Mono.deferContextual(
        subscriber -> {
          Turns turns = new Turns(subscriber);
          Flux<Bytes> admitted =
              Flux.from(pieces)
                  .materialize()
                  .concatMap(turns::next, 0)
                  .<Bytes>dematerialize()
                  .doOnRequest(n -> turns.answered())
                  .limitRate(1);
          return delegate()
              .set(key, admitted, precondition)
              .doOnSuccess(stored -> turns.answered())
              .doOnError(turns::failed)
              .doFinally(end -> turns.release());
        });
  }

  /** The turns of one upload. */
  private final class Turns {
    private final ContextView subscriber;

    /** The ticket of the piece that waits for its permit, or for the demand of the store. */
    private final AtomicReference<RequestLimit.@Nullable Ticket> waiting = new AtomicReference<>();

    /** The ticket of the piece that the store takes. */
    private final AtomicReference<RequestLimit.@Nullable Ticket> taken = new AtomicReference<>();

    Turns(ContextView subscriber) {
      this.subscriber = subscriber;
    }

    /** Emits a piece, or the end, when it has a permit and the store demands it. */
    <T> Mono<T> next(T piece) {
      return Mono.defer(
              () -> {
                RequestLimit.Ticket ticket = limit.ticket(subscriber);
                waiting.set(ticket);
                return AttemptShield.beforeAttempt(subscriber, await(ticket, subscriber));
              })
          .thenReturn(piece)
          .doOnNext(delivered -> taken.set(waiting.getAndSet(null)));
    }

    void answered() {
      RequestLimit.Ticket ticket = taken.getAndSet(null);
      if (ticket != null) {
        ticket.answered();
      }
    }

    void failed(Throwable error) {
      RequestLimit.Ticket ticket = taken.getAndSet(null);
      if (ticket != null) {
        ticket.failed(error);
      }
    }

    void release() {
      for (AtomicReference<RequestLimit.@Nullable Ticket> held : List.of(waiting, taken)) {
        RequestLimit.Ticket ticket = held.getAndSet(null);
        if (ticket != null) {
          ticket.release();
        }
      }
    }
  }

  @Override
  public String toString() {
    return "LimitedStore[" + limit + ", " + delegate() + "]";
  }

  /** Awaits a turn, and tells the observer how long that took. */
  private Mono<Void> await(RequestLimit.Ticket ticket, ContextView subscriber) {
    return StoreObserver.of(subscriber) == null
        ? ticket.await()
        : Mono.defer(
            () -> {
              long asked = Environment.current().nanoTime();
              return ticket
                  .await()
                  .doOnSuccess(
                      begun -> {
                        Duration waited =
                            Duration.ofNanos(Environment.current().nanoTime() - asked);
                        StoreObserver.tell(subscriber, told -> told.onPermit(limit, waited));
                      });
            });
  }

  /**
   * Makes a request in a turn, which ends before the result is delivered, or after a cancel was
   * passed on.
   */
  private <T> Mono<T> request(Supplier<Mono<T>> request) {
    return new Request<>(request);
  }

  /** A request; one that need not wait for its turn is passed on by one operator. */
  private final class Request<T> extends Mono<T> {
    private final Supplier<Mono<T>> request;

    Request(Supplier<Mono<T>> request) {
      this.request = request;
    }

    @Override
    public void subscribe(CoreSubscriber<? super T> actual) {
      ContextView subscriber = actual.currentContext();
      RequestLimit.Ticket ticket = limit.ticket(subscriber);
      boolean isPlain = StoreObserver.of(subscriber) == null && !AttemptShield.hasOne(subscriber);
      Mono<T> turn =
          isPlain && ticket.tryBegin()
              ? Mono.defer(request)
              : AttemptShield.beforeAttempt(subscriber, await(ticket, subscriber))
                  .then(Mono.defer(request));
      turn.subscribe(new RequestLimit.Turn<>(actual, ticket));
    }
  }

  /**
   * Makes a listing in a turn from the first demand to the first element. That element has been
   * demanded, so that the turn ends without any further action of the subscriber.
   */
  private <T> Flux<T> listing(Supplier<Flux<T>> request) {
    return Flux.deferContextual(
        subscriber -> {
          RequestLimit.Ticket ticket = limit.ticket(subscriber);
          Sinks.Empty<Void> demanded = Sinks.empty();
          return demanded
              .asMono()
              .then(await(ticket, subscriber))
              .then(Mono.fromSupplier(request))
              .flatMapMany(listed -> listed)
              .doOnNext(first -> ticket.answered())
              .doOnComplete(ticket::answered)
              .doOnError(ticket::failed)
              .doFinally(end -> ticket.release())
              .doOnRequest(n -> demanded.tryEmitEmpty());
        });
  }
}
