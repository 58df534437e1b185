package dev.zarrreactive.internal.flow;

import dev.zarrreactive.error.Location;
import dev.zarrreactive.error.TransientStoreException;
import dev.zarrreactive.internal.sharing.AttemptShield;
import dev.zarrreactive.internal.text.Durations;
import dev.zarrreactive.internal.threads.Environment;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;
import reactor.core.publisher.MonoSink;
import reactor.core.scheduler.Scheduler;

/**
 * Mutual exclusion of the writers of a key within this process. Writers get their turns in the
 * order of arrival. A waiting writer holds no thread.
 *
 * <p>A writer that is cancelled, or whose deadline has passed, keeps the lock until the store has
 * answered the attempt in flight, which could otherwise replace the value of the next writer. That
 * attempt is not retried. A store that never answers keeps the key for {@link #LONGEST_LOCK}.
 */
public final class KeyLocks {
  /** The time that other writers wait for the attempt of a cancelled writer, before they fail. */
  static final Duration PATIENCE = Duration.ofMinutes(1);

  /** The time until the attempt of a cancelled writer is cancelled, too. */
  static final Duration LONGEST_ATTEMPT = Duration.ofMinutes(10);

  /**
   * The time until the key of a cancelled writer is free, and its store can be collected, where the
   * store has never answered. The cancelled attempt has that long to arrive or to be dropped on its
   * way.
   */
  static final Duration LONGEST_LOCK = LONGEST_ATTEMPT.plus(PATIENCE);

  /** For each key in use the writer that works on it and, behind, the writers that wait. */
  private static final ConcurrentMap<Lock, Set<Holder>> LINES = new ConcurrentHashMap<>();

  /** The writers that a thread has to start; null while it starts none. */
  private static final ThreadLocal<@Nullable Queue<Holder>> STARTING = new ThreadLocal<>();

  private KeyLocks() {}

  /**
   * Runs {@code work} while it holds the lock of the key. The turn ends when the work has
   * completed, failed or been cancelled, and its {@linkplain Holder#store request} has ended. A
   * writer that is cancelled while it waits leaves the queue. Fails with a {@link
   * TransientStoreException} if an earlier writer was cancelled and its request is still unanswered
   * after {@link #PATIENCE}.
   *
   * @param store compared by identity
   * @param key of a value in the store; errors name it by its text
   */
  public static <T> Mono<T> exclusively(Object store, Object key, Function<Holder, Mono<T>> work) {
    return exclusively(store, key, Environment.current().codecScheduler(), work);
  }

  /** As {@link #exclusively(Object, Object, Function)}, with times measured by {@code timer}. */
  static <T> Mono<T> exclusively(
      Object store, Object key, Scheduler timer, Function<Holder, Mono<T>> work) {
    return Mono.defer(
        () -> {
          Holder holder = new Holder(new Lock(store, key), timer);
          return atTheEnd(holder.turn().then(Mono.defer(() -> work.apply(holder))), holder::end);
        });
  }

  /**
   * Runs {@code end} before a completion or an error is signalled, or after a cancel was passed on.
   */
  private static <T> Mono<T> atTheEnd(Mono<T> mono, Runnable end) {
    return mono.doOnTerminate(end).doFinally(signal -> end.run());
  }

  /** Returns the number of keys in use. */
  static int lockedKeys() {
    return LINES.size();
  }

  /**
   * Starts {@code holder}; a writer that this leads to is started by the loop and not by recursion.
   */
  private static void start(Holder holder) {
    Queue<Holder> running = STARTING.get();
    if (running != null) {
      running.add(holder);
      return;
    }
    Queue<Holder> queue = new ArrayDeque<>();
    STARTING.set(queue);
    try {
      for (Holder next = holder; next != null; next = queue.poll()) {
        next.startNow();
      }
    } finally {
      STARTING.remove();
    }
  }

  /** A store is compared by identity: two stores may be equal and hold different values. */
  private record Lock(Object store, Object key) {
    @Override
    public boolean equals(@Nullable Object other) {
      return other instanceof Lock that && store == that.store && key.equals(that.key);
    }

    @Override
    public int hashCode() {
      return 31 * System.identityHashCode(store) + key.hashCode();
    }
  }

  /** One writer that holds a key, or waits for it. */
  public static final class Holder {
    private final Lock lock;
    private final Scheduler timer;
    private @Nullable MonoSink<Void> start;
    private boolean storing;
    private boolean over;

    /**
     * True if the writer was cancelled {@link #PATIENCE} ago and its request is still unanswered.
     */
    private boolean overdue;

    /** True if the attempt was cancelled, too, so that it may still arrive for a while. */
    private volatile boolean isUnknown;

    private Holder(Lock lock, Scheduler timer) {
      this.lock = lock;
      this.timer = timer;
    }

    /**
     * Returns the request that ends the work. It is made only if the work is not cancelled yet.
     * After a cancel or a deadline the attempt in flight goes on without retries, and the next turn
     * begins at its end. After {@link #PATIENCE} all waiting and later writers fail. After {@link
     * #LONGEST_ATTEMPT} the attempt is cancelled. Its outcome is unknown then, so later writers
     * still fail. After {@link #LONGEST_LOCK} the next turn may begin.
     */
    public <T> Mono<T> store(Mono<T> request) {
      return Mono.defer(
          () -> {
            AttemptShield shield = new AttemptShield();
            // takes the key where a cancel is seen: one before it leaves nothing to end
            Mono<Mono<T>> attempt =
                Mono.fromSupplier(() -> tryBegin() ? shield.shield(request) : Mono.never());
            Mono<Void> end = Mono.fromRunnable(this::endRequest);
            Mono<T> stores =
                Mono.usingWhen(
                    attempt,
                    running -> running,
                    running -> end,
                    (running, error) -> end,
                    running -> awaitUnheard(shield, running));
            return Mono.firstWithSignal(stores, shield.expiry()); // a late error cancels the first
          });
    }

    /** Begins the request that ends the work; returns false if the writer was cancelled. */
    private boolean tryBegin() {
      change(line -> storing = !over);
      return storing;
    }

    /**
     * Waits for the end of the attempt in flight, of which the writer does not hear any more, at
     * most {@link #LONGEST_ATTEMPT}, and then for what may still arrive of it.
     */
    private Mono<Void> awaitUnheard(AttemptShield shield, Mono<?> running) {
      Mono<Void> ended =
          running
              .then()
              .onErrorComplete()
              .then(Mono.defer(this::awaitArrival))
              .then(Mono.fromRunnable(this::endRequest));
      Mono<Void> late =
          Mono.delay(PATIENCE, timer)
              .doOnNext(time -> refuseOthers())
              .then(Mono.delay(LONGEST_ATTEMPT.minus(PATIENCE), timer))
              .doOnNext(time -> giveUp(shield))
              .then(Mono.never()); // the attempt ends by that
      return Mono.defer(
          () -> {
            shield.cancel();
            return isStoring() ? Mono.firstWithSignal(ended, late) : Mono.empty();
          });
    }

    /** Completes when nothing may arrive any more of the attempt that has ended. */
    private Mono<Void> awaitArrival() {
      return isUnknown
          ? Mono.delay(LONGEST_LOCK.minus(LONGEST_ATTEMPT), timer).then()
          : Mono.empty();
    }

    private boolean isStoring() {
      boolean[] now = new boolean[1];
      change(line -> now[0] = storing);
      return now[0];
    }

    /** Completes when the turn begins: at once, or on the thread of the writer before. */
    private Mono<Void> turn() {
      return Mono.create(
          sink -> {
            start = sink;
            boolean[] refused = new boolean[1];
            change(
                line -> {
                  refused[0] = !line.isEmpty() && line.iterator().next().overdue;
                  if (!over && !refused[0]) {
                    line.add(this);
                  }
                });
            if (refused[0]) {
              refuse();
            }
          });
    }

    private void refuseOthers() {
      List<Holder> others = new ArrayList<>();
      change(
          line -> {
            if (line.contains(this)) {
              overdue = true;
              others.addAll(line);
              others.remove(this);
              others.forEach(line::remove);
            }
          });
      others.forEach(Holder::refuse);
    }

    private void refuse() {
      MonoSink<Void> waiter = start;
      if (waiter != null) {
        waiter.error(
            new TransientStoreException(
                "not written: an earlier write of the same key was cancelled or took too long, and the"
                    + " store has not answered it within "
                    + Durations.text(PATIENCE)
                    + ". It may still replace the stored value. Write again later; "
                    + Durations.text(LONGEST_LOCK)
                    + " after the cancel the key is free again, even if the store never answers",
                Location.ofKey(lock.key().toString())));
      }
    }

    /** Cancels the attempt, whose outcome is unknown then. */
    private void giveUp(AttemptShield shield) {
      isUnknown = true;
      shield.abandon();
    }

    private void endRequest() {
      change(
          line -> {
            storing = false;
            if (over) {
              line.remove(this);
            }
          });
    }

    private void end() {
      change(
          line -> {
            over = true;
            if (!storing) {
              line.remove(this);
            }
          });
    }

    /** Changes the line and this turn's state, alone; then the first turn of the line may begin. */
    private void change(Consumer<Set<Holder>> change) {
      Holder[] first = new Holder[1];
      LINES.compute(
          lock,
          (key, line) -> {
            Set<Holder> changed = line == null ? new LinkedHashSet<>() : line;
            change.accept(changed);
            if (changed.isEmpty()) {
              return null;
            }
            first[0] = changed.iterator().next();
            return changed;
          });
      if (first[0] != null) {
        start(first[0]);
      }
    }

    /** Signals that the turn has begun. Has no effect if it has begun before. */
    private void startNow() {
      MonoSink<Void> waiter = start;
      if (waiter != null) {
        waiter.success();
      }
    }
  }
}
