package dev.zarrreactive.store;

import java.util.Map;
import java.util.concurrent.ConcurrentNavigableMap;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;
import reactor.core.publisher.MonoSink;
import reactor.core.publisher.Operators;

/**
 * A semaphore that nobody waits in: whoever wants a permit is told when it has one, first come
 * first served. Waiting costs no thread, and who gives up leaves the queue at once.
 */
final class Permits {
  private final AtomicLong available;
  private final AtomicLong tickets = new AtomicLong();
  private final AtomicInteger drains = new AtomicInteger();
  private final ConcurrentNavigableMap<Long, Permit> waiting = new ConcurrentSkipListMap<>();

  Permits(long available) {
    this.available = new AtomicLong(available);
  }

  /** A permit that nobody holds yet; it is good for one {@link Permit#granted()}. */
  Permit permit() {
    return new Permit();
  }

  /** Adds {@code count} permits. */
  void add(long count) {
    available.accumulateAndGet(count, Operators::addCap);
    drain();
  }

  int waiting() {
    return waiting.size();
  }

  long available() {
    return available.get();
  }

  /**
   * Hands permits to those who wait. One thread at a time; what comes in meanwhile, also from what
   * the granted ones do at once, is served by the loop and not by recursion.
   */
  private void drain() {
    if (drains.getAndIncrement() != 0) {
      return;
    }
    int seen = 1;
    do {
      while (available.get() > 0) {
        Map.Entry<Long, Permit> first = waiting.pollFirstEntry();
        if (first == null) {
          break;
        }
        available.decrementAndGet();
        if (!first.getValue().grant()) {
          available.incrementAndGet();
        }
      }
      seen = drains.addAndGet(-seen);
    } while (seen != 0);
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
    private long ticket;
    private @Nullable MonoSink<Void> waiter;

    private Permit() {}

    /** Completes when the permit is held; on the thread that gave it, or at once. */
    Mono<Void> granted() {
      return Mono.create(this::queue);
    }

    /** Gives the permit back, or leaves the queue. Only the first call has an effect. */
    void release() {
      State before = state.getAndSet(State.RELEASED);
      if (before == State.WAITING) {
        waiting.remove(ticket, this);
      } else if (before == State.HELD) {
        add(1);
      }
    }

    private void queue(MonoSink<Void> sink) {
      waiter = sink;
      ticket = tickets.getAndIncrement();
      if (state.compareAndSet(State.UNUSED, State.WAITING)) {
        waiting.put(ticket, this);
        if (state.get() == State.RELEASED) {
          waiting.remove(ticket, this);
        }
        drain();
      }
    }

    private boolean grant() {
      MonoSink<Void> sink = waiter;
      if (sink == null || !state.compareAndSet(State.WAITING, State.HELD)) {
        return false;
      }
      sink.success();
      return true;
    }
  }
}
