package dev.zarrreactive.store.decorator;

import dev.zarrreactive.internal.threads.Environment;
import java.net.ConnectException;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;
import reactor.core.publisher.Sinks;
import reactor.core.scheduler.Scheduler;

/**
 * The time in which the server of a store refuses connections, for example while it restarts. One
 * request at a time probes the server after a back-off, and pays for its attempt. The other
 * requests wait for the probe, and pay nothing. They go on when the server has accepted the probe.
 * A server that still refuses it after the longest waits of six attempts, which are 3.1 seconds by
 * default, ends each request with that request's own error. A server that has answered before is
 * more likely to restart than to be another one: it has twice the time. Thread-safe; signals come
 * on the timer.
 */
final class Outage {
  private static final int ATTEMPTS = 6;

  private final RetryOptions options;
  private final Scheduler timer;
  private final BooleanSupplier payment;
  private final long patience;

  /** The request that waits for its back-off, or has begun; null while the server is up. */
  private @Nullable Turn probe;

  /** The requests behind the probe, in the order of their arrival. */
  private final Set<Turn> waiting = new LinkedHashSet<>();

  private volatile boolean hasAnswered;
  private long since;
  private int probes;

  /**
   * Creates the state of a server that is up.
   *
   * @param payment pays for a probe; false where nothing is left to pay with
   */
  Outage(RetryOptions options, Scheduler timer, BooleanSupplier payment) {
    this.options = options;
    this.timer = timer;
    this.payment = payment;
    long sum = 0;
    for (int wait = 0; wait < Math.min(ATTEMPTS, options.attempts()) - 1; wait++) {
      sum += longestWait(options, wait);
    }
    this.patience = sum;
  }

  /** Returns the longest wait, in milliseconds, after a number of waits. */
  static long longestWait(RetryOptions options, long waits) {
    long longest = options.longestBackoff().toMillis();
    long first = options.firstBackoff().toMillis();
    return waits >= 62 || first > longest >> waits ? longest : first << waits;
  }

  /** Returns true for the failure of a request whose connection was refused. */
  static boolean isSaidBy(Throwable failure) {
    for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
      if (cause instanceof ConnectException
          && String.valueOf(cause.getMessage()).contains("Connection refused")) {
        return true;
      }
    }
    return false;
  }

  /**
   * Emits when the request may be made again, or signals its failure.
   *
   * @param probed the turn of the attempt that was refused; null for an attempt without one
   */
  Mono<Turn> next(Throwable failure, @Nullable Turn probed) {
    return Mono.defer(
        () -> {
          Turn turn = new Turn(failure);
          enter(turn, probed);
          return turn.begun.asMono().doOnCancel(() -> left(turn)).thenReturn(turn);
        });
  }

  /** Notes that the server has answered a request. */
  void answered() {
    if (!hasAnswered) {
      hasAnswered = true;
    }
  }

  /** Ends the outage: the server has accepted the connection of the probe. */
  void accepted(@Nullable Turn probed) {
    List<Turn> released;
    synchronized (this) {
      if (probed == null || probed != probe) {
        return;
      }
      released = end();
    }
    timer.schedule(() -> released.forEach(Turn::begin));
  }

  /** Takes a request out that was cancelled; where it was the probe, the next one probes. */
  void left(Turn turn) {
    synchronized (this) {
      if (turn == probe) {
        probe = null;
        waiting.stream().findFirst().ifPresent(this::probeNext);
      }
      waiting.remove(turn);
    }
  }

  private void enter(Turn turn, @Nullable Turn probed) {
    List<Turn> failed;
    synchronized (this) {
      boolean isRefusedAgain = probed != null && probed == probe;
      if (probe != null && !isRefusedAgain) {
        waiting.add(turn);
        return;
      }
      if (!isRefusedAgain) {
        since = now();
        probes = 0;
      }
      if (timeLeft() > 0 && payment.getAsBoolean()) {
        probeNext(turn);
        return;
      }
      failed = end();
      failed.add(turn);
    }
    timer.schedule(() -> failed.forEach(Turn::fail));
  }

  /** Forgets the outage, and returns the turns that wait. Called with the lock held. */
  private List<Turn> end() {
    List<Turn> all = new ArrayList<>(waiting);
    waiting.clear();
    probe = null;
    return all;
  }

  /** Makes a turn the probe, after a back-off. Called with the lock held. */
  private void probeNext(Turn turn) {
    waiting.remove(turn);
    probe = turn;
    long most = Math.min(longestWait(options, probes++), longestProbe());
    long wait = Environment.current().random(most / 2, most + 1);
    long next = Math.max(0, Math.min(wait, timeLeft()));
    timer.schedule(() -> begin(turn), next, TimeUnit.MILLISECONDS);
  }

  /** Begins a probe. One that is not refused soon has reached the server, whatever it answers. */
  private void begin(Turn turn) {
    synchronized (this) {
      if (turn != probe) {
        return;
      }
    }
    timer.schedule(() -> accepted(turn), longestProbe(), TimeUnit.MILLISECONDS);
    turn.isProbe = true;
    turn.begin();
  }

  /** Returns the time after which a probe was not refused, and the longest wait for a probe. */
  private long longestProbe() {
    return Math.max(patience / ATTEMPTS, options.firstBackoff().toMillis());
  }

  /** Returns the time that is left of the patience. Called with the lock held. */
  private long timeLeft() {
    return since + (hasAnswered ? 2 * patience : patience) - now();
  }

  private long now() {
    return timer.now(TimeUnit.MILLISECONDS);
  }

  /** The turn of one request to make its next attempt. */
  static final class Turn {
    private final Throwable failure;
    private final Sinks.Empty<Void> begun = Sinks.empty();
    private volatile boolean isProbe;

    private Turn(Throwable failure) {
      this.failure = failure;
    }

    /**
     * Returns true for the turn of a probe; false for one that an earlier probe has made way for.
     */
    boolean isProbe() {
      return isProbe;
    }

    private void begin() {
      begun.tryEmitEmpty();
    }

    private void fail() {
      begun.tryEmitError(failure);
    }
  }
}
