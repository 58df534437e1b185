package dev.zarrreactive.store;

import dev.zarrreactive.error.TransientStoreException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;

/**
 * How many requests may be under way at a time. Whoever comes first is served first, over all
 * subscribers together; waiting holds no thread. One limit may serve several stores, such as two on
 * the same server, which then share it. Thread-safe.
 *
 * <p>An <b>adaptive</b> limit starts with 4 requests and grows as long as all of it is in use,
 * nothing is refused, and more requests bring more answers in the same time. A {@link
 * TransientStoreException} is a refusal: the limit falls to three quarters at once, comes back to
 * just below where it was, and from there tries more, the less often the more often that was
 * refused. Other errors and cancelled requests teach nothing. After ten seconds without a request
 * what was learnt of the server is forgotten, and a limit below 4 is 4 again. The limit does not
 * repeat what was refused: put retries in front of it, so that each attempt waits for its turn.
 */
public final class RequestLimit {
  private static final int MOST = 256;
  private static final long SILENCE = TimeUnit.SECONDS.toNanos(10);

  private final Permits permits;
  private final int fixed;
  private final @Nullable AdaptiveLimit adaptive;
  private final LongSupplier nanoClock;
  private final AtomicLong lastHeard;

  private RequestLimit(int fixed, @Nullable AdaptiveLimit adaptive, LongSupplier nanoClock) {
    this.fixed = fixed;
    this.adaptive = adaptive;
    this.nanoClock = nanoClock;
    this.permits = new Permits(adaptive == null ? fixed : adaptive.current());
    this.lastHeard = new AtomicLong(nanoClock.getAsLong());
  }

  /**
   * Always {@code requests} at a time.
   *
   * @throws IllegalArgumentException where the number is not positive
   */
  public static RequestLimit fixed(int requests) {
    return new RequestLimit(positive(requests), null, System::nanoTime);
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
    return adaptive(most, System::nanoTime);
  }

  static RequestLimit adaptive(int most, LongSupplier nanoClock) {
    return new RequestLimit(positive(most), new AdaptiveLimit(positive(most)), nanoClock);
  }

  /** How many requests may be under way now. */
  public int current() {
    return adaptive == null ? fixed : adaptive.current();
  }

  @Override
  public String toString() {
    return current() + " requests" + (adaptive == null ? "" : " now");
  }

  /** A turn that nobody has yet; it is good for one {@link Turn#begun()}. */
  Turn turn() {
    return new Turn();
  }

  Permits permits() {
    return permits;
  }

  private static int positive(int requests) {
    if (requests < 1) {
      throw new IllegalArgumentException(
          "a store that may make " + requests + " requests at a time");
    }
    return requests;
  }

  /** One request's turn, from the queue to its end; only the first end counts. */
  final class Turn {
    private final Permits.Permit permit = permits.permit();
    private final AtomicBoolean over = new AtomicBoolean();
    private volatile int begunIn;
    private volatile long begunAt;

    private Turn() {}

    /** Completes when the request may begin; on the thread that ended another one, or at once. */
    Mono<Void> begun() {
      return permit.granted().doOnSuccess(granted -> begin());
    }

    /** The request was answered; the next one begins before this returns. */
    void answered() {
      if (over.compareAndSet(false, true)) {
        if (adaptive != null) {
          long now = nanoClock.getAsLong();
          lastHeard.set(now);
          boolean inFullUse = permits.available() <= 0;
          change(adaptive.answered(begunIn, inFullUse, now - begunAt));
        }
        permit.release();
      }
    }

    /** The request failed. */
    void failed(Throwable error) {
      if (over.compareAndSet(false, true)) {
        if (adaptive != null && error instanceof TransientStoreException) {
          lastHeard.set(nanoClock.getAsLong());
          change(adaptive.refused(begunIn));
        }
        permit.release();
      }
    }

    /** The request was given up, or is over already. */
    void release() {
      if (over.compareAndSet(false, true)) {
        permit.release();
      }
    }

    private void begin() {
      if (adaptive != null) {
        begunAt = nanoClock.getAsLong();
        long heard = lastHeard.getAndSet(begunAt);
        if (begunAt - heard > SILENCE) {
          change(adaptive.forget());
        }
        begunIn = adaptive.change();
      }
    }

    private void change(int by) {
      if (by != 0) {
        permits.add(by);
      }
    }
  }
}
