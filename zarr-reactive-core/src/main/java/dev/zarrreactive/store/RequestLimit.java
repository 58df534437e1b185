package dev.zarrreactive.store;

import dev.zarrreactive.error.TransientStoreException;
import dev.zarrreactive.internal.flow.AsyncSemaphore;
import dev.zarrreactive.internal.threads.Environment;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;
import reactor.util.context.Context;
import reactor.util.context.ContextView;

/**
 * How many requests may be under way at a time. Operations take turns, and the requests of one are
 * served in the order in which they came; waiting holds no thread. One limit may serve several
 * stores, such as two on the same server, which then share it. Thread-safe.
 *
 * <p>The subscriber's context tells the operation of a request: requests with an equal value of
 * {@link #OPERATION} are one operation's, requests without it are another's. Operations on arrays
 * mark their requests; where the subscriber has a mark already, such as one for each of its users,
 * that stays.
 *
 * <p>An <b>adaptive</b> limit starts with 22 requests and grows, at first twofold in the time of a
 * request, as long as all of it is in use, nothing is refused, answers are not late, and more
 * requests bring more answers in the same time. A {@link TransientStoreException} is a refusal: the
 * limit falls to three quarters, or to as many as were not refused, comes back to just below where
 * it was, and from there tries more, the less often the more often that was refused. Other errors
 * and cancelled requests teach nothing. After ten seconds without a request the limit forgets what
 * it learnt of the server, and a limit below 22 is 22 again. The limit does not repeat what was
 * refused: put retries above it, so that each attempt waits for its turn, as {@link Stores#stack}
 * does.
 */
public final class RequestLimit {
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

  private RequestLimit(int fixed, @Nullable AdaptiveLimit adaptive, LongSupplier nanoClock) {
    this.fixed = fixed;
    this.adaptive = adaptive;
    this.nanoClock = nanoClock;
    this.permits = new AsyncSemaphore(adaptive == null ? fixed : adaptive.current());
    this.lastHeard = new AtomicLong(nanoClock.getAsLong());
  }

  /**
   * Always {@code requests} at a time.
   *
   * @throws IllegalArgumentException where the number is not positive
   */
  public static RequestLimit fixed(int requests) {
    return new RequestLimit(positive(requests), null, Environment.current()::nanoTime);
  }

  /** What the server takes, at most 256 requests at a time. */
  public static RequestLimit adaptive() {
    return adaptive(MOST);
  }

  /**
   * What the server takes, at most {@code most} requests at a time.
   *
   * @throws IllegalArgumentException where the number is not positive
   */
  public static RequestLimit adaptive(int most) {
    return adaptive(most, Environment.current()::nanoTime);
  }

  static RequestLimit adaptive(int most, LongSupplier nanoClock) {
    return new RequestLimit(positive(most), new AdaptiveLimit(positive(most)), nanoClock);
  }

  /** How many requests may be under way now. */
  public int current() {
    return adaptive == null ? fixed : adaptive.current();
  }

  /** How many requests are under way. */
  public int underWay() {
    return underWay.get();
  }

  /** How many requests wait for their ticket. */
  public int waiting() {
    return permits.waiting();
  }

  @Override
  public String toString() {
    return current() + " requests" + (adaptive == null ? "" : " now");
  }

  /** The context with a mark for an operation of its own, where there is none. */
  public static Context asOperation(Context context) {
    return context.hasKey(OPERATION) ? context : context.put(OPERATION, new Object());
  }

  /**
   * What {@code request} answers, asked for when its turn has come: for a store that admits its
   * requests itself. The turn ends before the answer is handed on, and after a cancel has gone up.
   */
  public <T> Mono<T> inTurn(Supplier<Mono<T>> request) {
    return Mono.deferContextual(
        subscriber -> {
          Ticket ticket = ticket(subscriber);
          return ticket
              .begun()
              .then(Mono.defer(request))
              .doOnSuccess(value -> ticket.answered())
              .doOnError(ticket::failed)
              .doFinally(end -> ticket.release());
        });
  }

  /** Returns a new turn, good for one {@link Ticket#begun()}. */
  Ticket ticket(ContextView subscriber) {
    return new Ticket(permits.permit(subscriber.getOrDefault(OPERATION, UNMARKED)));
  }

  AsyncSemaphore permits() {
    return permits;
  }

  private static int positive(int requests) {
    if (requests < 1) {
      throw new IllegalArgumentException(
          "a store that may make " + requests + " requests at a time");
    }
    return requests;
  }

  private enum State {
    WAITING,
    BEGUN,
    OVER
  }

  /** One request's turn, from the queue to its end; only the first end counts. */
  final class Ticket {
    private final AsyncSemaphore.Permit permit;
    private final AtomicReference<State> state = new AtomicReference<>(State.WAITING);
    private volatile int begunIn;
    private volatile long begunAt;
    private volatile int begunAs; // how many were under way then, with this one

    private Ticket(AsyncSemaphore.Permit permit) {
      this.permit = permit;
    }

    /** Completes when the request may begin; on the thread that ended another one, or at once. */
    Mono<Void> begun() {
      return permit.granted().doOnSuccess(granted -> begin());
    }

    /** The request was answered; the next one begins before this returns. */
    void answered() {
      State before = state.getAndSet(State.OVER);
      if (before == State.OVER) {
        return;
      }
      if (adaptive != null && before == State.BEGUN) {
        long now = nanoClock.getAsLong();
        lastHeard.set(now);
        boolean inFullUse = permits.available() <= 0;
        change(adaptive.answered(begunIn, begunAs, inFullUse, now - begunAt));
      }
      end(before);
    }

    /** The request failed. */
    void failed(Throwable error) {
      State before = state.getAndSet(State.OVER);
      if (before == State.OVER) {
        return;
      }
      if (adaptive != null && before == State.BEGUN && error instanceof TransientStoreException) {
        lastHeard.set(nanoClock.getAsLong());
        change(adaptive.refused(begunIn, underWay.get() - 1));
      }
      end(before);
    }

    /** The request was given up, or is over already. */
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

    /** A turn that was given up after its permit was granted does not begin. */
    void begin() {
      begunAs = underWay.incrementAndGet();
      if (adaptive != null) {
        begunAt = nanoClock.getAsLong();
        long heard = lastHeard.getAndSet(begunAt);
        if (begunAt - heard > SILENCE) {
          change(adaptive.forget());
        }
        begunIn = adaptive.change();
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
