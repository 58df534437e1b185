package dev.zarrreactive.internal.flow;

import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Sinks;

/**
 * The signals of several threads for one subscriber. A thread queues its signals, under its lock
 * where their order matters, and emits behind the lock: an emission runs the subscriber, which may
 * take other locks. One thread at a time emits, in the order of the queue, and emits what others
 * queue meanwhile. Thread-safe.
 *
 * @param <T> the values
 */
public final class Outbox<T> {
  private final Sinks.Many<T> sink = Sinks.unsafe().many().unicast().onBackpressureBuffer();
  private final Queue<Consumer<Sinks.Many<T>>> queued = new ConcurrentLinkedQueue<>();

  /** The calls of {@link #emit} that are not answered yet. */
  private final AtomicInteger calls = new AtomicInteger();

  /** Returns the signals, for one subscriber; they wait until it demands them. */
  public Flux<T> flux() {
    return sink.asFlux();
  }

  /** Queues a value. */
  public void add(T value) {
    queued.add(to -> to.tryEmitNext(value));
  }

  /** Queues the completion; what is queued behind it is dropped. */
  public void complete() {
    queued.add(Sinks.Many::tryEmitComplete);
  }

  /** Queues an error; what is queued behind it is dropped. */
  public void fail(Throwable error) {
    queued.add(to -> to.tryEmitError(error));
  }

  /**
   * Emits what is queued. Not to be called under a lock. Returns at once if another thread emits,
   * or this thread does further up; that call emits the rest, too.
   */
  public void emit() {
    if (calls.getAndIncrement() > 0) {
      return;
    }
    int answered = 1;
    do {
      for (Consumer<Sinks.Many<T>> next = queued.poll(); next != null; next = queued.poll()) {
        next.accept(sink);
      }
      answered = calls.addAndGet(-answered);
    } while (answered > 0);
  }
}
