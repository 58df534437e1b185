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
 * A semaphore that nobody waits in: whoever wants a permit is told when it has one. Askers take
 * turns; those of one asker are served in the order in which they came. Waiting costs no thread,
 * and who gives up leaves the queue at once.
 */
final class Permits {
  private final AtomicLong available;
  private final Turns turns = new Turns();
  private final ThreadLocal<Boolean> serving = new ThreadLocal<>();
  private final ConcurrentNavigableMap<Turns.Turn, Permit> waiting = new ConcurrentSkipListMap<>();

  Permits(long available) {
    this.available = new AtomicLong(available);
  }

  /** A permit that nobody holds yet; it is good for one {@link Permit#granted()}. */
  Permit permit(Object asker) {
    return new Permit(asker);
  }

  /**
   * Adds {@code count} permits, or takes so many away where it is negative: those that are held
   * then are not given again until there are enough.
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
   * Hands permits to those who wait. What a granted one does at once, such as giving its permit
   * back, is served by the loop of its thread and not by recursion; other threads do not wait for
   * that.
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

  /** The first in the queue, with a permit; null where there are no permits or nobody waits. */
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

  /** Demand without bounds stays that. */
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

  /** One permit's way from the queue to its holder and back. */
  final class Permit {
    private final AtomicReference<State> state = new AtomicReference<>(State.UNUSED);
    private final Object asker;
    private volatile Turns.@Nullable Turn place;
    private @Nullable MonoSink<Void> waiter;

    private Permit(Object asker) {
      this.asker = asker;
    }

    /** Completes when the permit is held; on the thread that gave it, or at once. */
    Mono<Void> granted() {
      return Mono.create(this::queue);
    }

    /** Gives the permit back, or leaves the queue. Only the first call has an effect. */
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
