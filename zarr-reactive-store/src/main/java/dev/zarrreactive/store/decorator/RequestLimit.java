package dev.zarrreactive.store.decorator;

import dev.zarrreactive.base.Bytes;
import dev.zarrreactive.base.StoreKey;
import dev.zarrreactive.error.TransientStoreException;
import dev.zarrreactive.internal.flow.AsyncSemaphore;
import dev.zarrreactive.internal.flow.Relay;
import dev.zarrreactive.internal.sharing.AttemptShield;
import dev.zarrreactive.internal.threads.Environment;
import dev.zarrreactive.observation.InFlightRequests;
import dev.zarrreactive.observation.StoreObserver;
import dev.zarrreactive.store.Precondition;
import dev.zarrreactive.store.Store;
import dev.zarrreactive.store.decorator.StoreOrigin.UniformStore;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Function;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.reactivestreams.Publisher;
import reactor.core.CoreSubscriber;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.publisher.Sinks;
import reactor.util.context.ContextView;

/**
 * A limit of concurrent requests. Operations take turns, and the requests of one operation are
 * served in order; a waiting request occupies no thread. Several stores may share one limit, such
 * as two on the same server. Thread-safe.
 *
 * <p>The subscriber's context tells the operation of a request: requests with an equal value of
 * {@link #OPERATION} are one operation's, requests without it are another's. Operations on arrays
 * mark their requests, unless the subscriber has set a mark, such as one for each of its users.
 *
 * <p>An <b>adaptive</b> limit starts with 22 requests. It grows, at first twofold with each round
 * trip, as long as it is fully used, the server refuses no request, answers come in time, and more
 * requests bring more throughput. A {@link TransientStoreException} is a refusal, except for a
 * refused connection: a server that is down tells nothing of its capacity. After a refusal the
 * limit falls to three quarters, or to as many as were not refused, comes back to just below where
 * it was, and from there tries more, the less often the more often that was refused. Other errors
 * and cancelled requests have no influence. After ten seconds without a request, and with the first
 * answer after refused connections, the limit forgets what it learnt of the server, and a limit
 * below 22 is 22 again. The limit does not repeat refused requests: put retries above it, so that
 * each attempt waits for its turn, as {@link Stores#stack} does.
 */
public final class RequestLimit implements InFlightRequests {
  /** The key in a subscriber's context of what its requests are done for. */
  public static final Object OPERATION = RequestLimit.class.getName() + ".OPERATION";

  private static final String UNMARKED = "unmarked";
  private static final int MOST = 256;
  private static final long SILENCE = TimeUnit.SECONDS.toNanos(10);

  private final AsyncSemaphore permits;
  private final int fixed;
  private final @Nullable AdaptiveLimit adaptive;
  private final LongSupplier nanoClock;
  private final AtomicLong lastHeard;
  private final AtomicInteger underWay = new AtomicInteger();

  /** True after a refused connection, until an answer. */
  private final AtomicBoolean isDown = new AtomicBoolean();

  /** When a request began that took the last permit. */
  private volatile long lastFull;

  private RequestLimit(int fixed, @Nullable AdaptiveLimit adaptive, LongSupplier nanoClock) {
    this.fixed = fixed;
    this.adaptive = adaptive;
    this.nanoClock = nanoClock;
    this.permits = new AsyncSemaphore(adaptive == null ? fixed : adaptive.current());
    this.lastHeard = new AtomicLong(nanoClock.getAsLong());
    this.lastFull = lastHeard.get() - 1;
  }

  /**
   * A fixed limit of {@code requests} in flight.
   *
   * @throws IllegalArgumentException where the number is not positive
   */
  public static RequestLimit fixed(int requests) {
    return new RequestLimit(positive(requests), null, Environment.current()::nanoTime);
  }

  /** An adaptive limit of at most 256 requests in flight. */
  public static RequestLimit adaptive() {
    return adaptive(MOST);
  }

  /**
   * An adaptive limit of at most {@code most} requests in flight.
   *
   * @throws IllegalArgumentException where the number is not positive
   */
  public static RequestLimit adaptive(int most) {
    return adaptive(most, Environment.current()::nanoTime);
  }

  static RequestLimit adaptive(int most, LongSupplier nanoClock) {
    return new RequestLimit(positive(most), new AdaptiveLimit(positive(most)), nanoClock);
  }

  @Override
  public int current() {
    return adaptive == null ? fixed : adaptive.current();
  }

  @Override
  public int underWay() {
    return underWay.get();
  }

  @Override
  public int waiting() {
    return permits.waiting();
  }

  @Override
  public String toString() {
    return current() + " requests" + (adaptive == null ? "" : " now");
  }

  /**
   * Makes {@code request} in its turn, for a store that admits its requests itself. The turn ends
   * before the answer is delivered, or after a cancel was passed on.
   */
  public <T> Mono<T> inTurn(Supplier<Mono<T>> request) {
    return new InTurn<>(this, Mono.defer(request));
  }

  /** Returns a new turn, good for one {@link Ticket#await()}. */
  Ticket ticket(ContextView subscriber) {
    return new Ticket(permits.permit(subscriber.getOrDefault(OPERATION, UNMARKED)));
  }

  AsyncSemaphore permits() {
    return permits;
  }

  private static int positive(int requests) {
    if (requests < 1) {
      throw new IllegalArgumentException("requests at a time must be at least 1, not " + requests);
    }
    return requests;
  }

  private enum State {
    WAITING,
    BEGUN,
    OVER
  }

  /** A request; one that need not wait for its turn is passed on by one operator. */
  private static final class InTurn<T> extends Mono<T> {
    private final RequestLimit limit;
    private final Mono<T> request;

    InTurn(RequestLimit limit, Mono<T> request) {
      this.limit = limit;
      this.request = request;
    }

    @Override
    public void subscribe(CoreSubscriber<? super T> actual) {
      Ticket ticket = limit.ticket(actual.currentContext());
      Mono<T> turn = ticket.tryBegin() ? request : ticket.await().then(request);
      turn.subscribe(new Turn<>(actual, ticket));
    }
  }

  /** Ends a turn with the first signal of the answer. */
  static final class Turn<T> extends Relay<T, T> {
    private final Ticket ticket;

    Turn(CoreSubscriber<? super T> actual, Ticket ticket) {
      super(actual);
      this.ticket = ticket;
    }

    @Override
    public void onNext(T answer) {
      ticket.answered();
      actual.onNext(answer);
    }

    @Override
    public void onComplete() {
      ticket.answered();
      actual.onComplete();
    }

    @Override
    public void onError(Throwable error) {
      ticket.failed(error);
      actual.onError(error);
    }

    @Override
    public void cancel() {
      super.cancel();
      ticket.release();
    }
  }

  /** One request's turn, from the queue to its end; only the first end counts. */
  final class Ticket {
    private final AsyncSemaphore.Permit permit;
    private final AtomicReference<State> state = new AtomicReference<>(State.WAITING);
    private volatile int begunIn;
    private volatile long begunAt;
    private volatile int begunAs; // the requests in flight at that time, with this one

    private Ticket(AsyncSemaphore.Permit permit) {
      this.permit = permit;
    }

    /** Completes when the request may begin: at once, or on the thread that ended another one. */
    Mono<Void> await() {
      return permit.acquire().doOnSuccess(granted -> begin());
    }

    /**
     * Begins the turn if it need not wait; returns false if it must be {@linkplain #await awaited}.
     */
    boolean tryBegin() {
      boolean isHeld = permit.tryAcquire();
      if (isHeld) {
        begin();
      }
      return isHeld;
    }

    /** Ends the turn with an answer; the next request begins before this returns. */
    void answered() {
      State before = state.getAndSet(State.OVER);
      if (before == State.OVER) {
        return;
      }
      if (adaptive != null && before == State.BEGUN) {
        long now = nanoClock.getAsLong();
        lastHeard.set(now);
        boolean inFullUse = permits.available() <= 0;
        boolean sawFullUse = inFullUse || lastFull - begunAt >= 0;
        change(
            isDown.get() && isDown.getAndSet(false)
                ? adaptive.forget()
                : adaptive.answered(begunIn, begunAs, inFullUse, sawFullUse, now - begunAt));
      }
      end(before);
    }

    /** Ends the turn with an error. */
    void failed(Throwable error) {
      State before = state.getAndSet(State.OVER);
      if (before == State.OVER) {
        return;
      }
      if (adaptive != null && before == State.BEGUN && error instanceof TransientStoreException) {
        lastHeard.set(nanoClock.getAsLong());
        if (Outage.isSaidBy(error)) {
          isDown.set(true);
        } else {
          change(adaptive.refused(begunIn, underWay.get() - 1));
        }
      }
      end(before);
    }

    /** Ends the turn of a cancelled request; has no effect after another end. */
    void release() {
      State before = state.getAndSet(State.OVER);
      if (before != State.OVER) {
        end(before);
      }
    }

    private void end(State before) {
      if (before == State.BEGUN) {
        underWay.decrementAndGet();
      }
      permit.release();
    }

    /** Begins the turn, unless it was cancelled after its permit was granted. */
    void begin() {
      begunAs = underWay.incrementAndGet();
      if (adaptive != null) {
        begunAt = nanoClock.getAsLong();
        long heard = lastHeard.getAndSet(begunAt);
        if (begunAt - heard > SILENCE) {
          change(adaptive.forget());
        }
        begunIn = adaptive.change();
        if (permits.available() <= 0) {
          lastFull = begunAt;
        }
      }
      if (!state.compareAndSet(State.WAITING, State.BEGUN)) {
        underWay.decrementAndGet();
      }
    }

    private void change(int by) {
      if (by != 0) {
        permits.add(by);
      }
    }
  }

  /** A store with a bounded number of requests in flight. */
  static final class LimitedStore extends UniformStore {
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
      private final AtomicReference<RequestLimit.@Nullable Ticket> waiting =
          new AtomicReference<>();

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
}
