package dev.zarrreactive.store;

import java.util.Map;
import java.util.concurrent.ConcurrentNavigableMap;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;
import reactor.core.publisher.MonoSink;

/**
 * An asynchronous semaphore: a permit signals when it is granted. Operations take turns, and the
 * permits of one operation are granted in order. A waiting permit occupies no thread, and a
 * cancelled one leaves the queue at once.
 */
final class Permits {
  private final AtomicLong available;
  private final Turns turns = new Turns();
  private final ThreadLocal<Boolean> serving = new ThreadLocal<>();
  private final ConcurrentNavigableMap<Turns.Turn, Permit> waiting = new ConcurrentSkipListMap<>();

  Permits(long available) {
    this.available = new AtomicLong(available);
  }

  /** Returns a permit that is not granted yet, for one call of {@link Permit#granted()}. */
  Permit permit(Object asker) {
    return new Permit(asker);
  }

  /**
   * Adds {@code count} permits, or removes permits if it is negative. The number of held permits
   * may exceed the limit then, until enough of them are released.
   */
  void add(long count) {
    available.accumulateAndGet(count, Permits::sum);
    serve();
  }

  int waiting() {
    return waiting.size();
  }

  long available() {
    return available.get();
  }

  /**
   * Grants permits to the waiting requests. A request that releases its permit at once is served by
   * the same loop instead of recursion, and other threads do not wait for it.
   */
  private void serve() {
    if (serving.get() != null) {
      return;
    }
    serving.set(true);
    try {
      for (Permit next = next(); next != null; next = next()) {
        next.tell();
      }
    } finally {
      serving.remove();
    }
  }

  /** Returns the next granted permit of the queue; null if there is none. */
  private @Nullable Permit next() {
    while (take()) {
      Map.Entry<Turns.Turn, Permit> first = waiting.pollFirstEntry();
      if (first != null) {
        turns.served(first.getKey());
        if (first.getValue().hold()) {
          return first.getValue();
        }
      }
      available.accumulateAndGet(1, Permits::sum);
      if (first == null && waiting.isEmpty()) {
        return null;
      }
    }
    return null;
  }

  /** Returns the sum; an unbounded number stays unbounded. */
  private static long sum(long available, long count) {
    return count > 0 && available > Long.MAX_VALUE - count ? Long.MAX_VALUE : available + count;
  }

  private boolean take() {
    long before = available.getAndUpdate(count -> count > 0 ? count - 1 : count);
    return before > 0;
  }

  private enum State {
    UNUSED,
    WAITING,
    HELD,
    RELEASED
  }

  /** A permit: waiting, granted or released. */
  final class Permit {
    private final AtomicReference<State> state = new AtomicReference<>(State.UNUSED);
    private final Object asker;
    private volatile Turns.@Nullable Turn place;
    private @Nullable MonoSink<Void> waiter;

    private Permit(Object asker) {
      this.asker = asker;
    }

    /** Completes when the permit is granted: at once, or on the thread that released it. */
    Mono<Void> granted() {
      return Mono.create(this::queue);
    }

    /** Releases the permit, or leaves the queue. Only the first call has an effect. */
    void release() {
      State before = state.getAndSet(State.RELEASED);
      if (before == State.WAITING) {
        leave();
      } else if (before == State.HELD) {
        add(1);
      }
    }

    private void queue(MonoSink<Void> sink) {
      waiter = sink;
      if (!state.compareAndSet(State.UNUSED, State.WAITING)) {
        return;
      }
      if (waiting.isEmpty() && take()) {
        if (hold()) {
          tell();
        } else {
          add(1);
        }
        return;
      }
      Turns.Turn mine = turns.turn(asker);
      place = mine;
      waiting.put(mine, this);
      if (state.get() == State.RELEASED) {
        leave();
      }
      serve();
    }

    private void leave() {
      Turns.Turn mine = place;
      if (mine != null && waiting.remove(mine, this)) {
        turns.left(mine);
      }
    }

    private boolean hold() {
      return state.compareAndSet(State.WAITING, State.HELD);
    }

    private void tell() {
      MonoSink<Void> sink = waiter;
      if (sink != null) {
        sink.success();
      }
    }
  }
}
