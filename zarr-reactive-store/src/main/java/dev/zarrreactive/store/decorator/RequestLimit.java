package dev.zarrreactive.store.decorator;

import dev.zarrreactive.error.TransientStoreException;
import dev.zarrreactive.internal.flow.AsyncSemaphore;
import dev.zarrreactive.internal.flow.Relay;
import dev.zarrreactive.internal.threads.Environment;
import dev.zarrreactive.observation.InFlightRequests;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import reactor.core.CoreSubscriber;
import reactor.core.publisher.Mono;
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
}
