package dev.zarrreactive.internal.flow;

import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Supplier;
import org.reactivestreams.Publisher;
import reactor.core.CoreSubscriber;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Operators;

/**
 * The running parts of one operation. It adds two guarantees to {@code flatMap}. Of two errors at
 * the same time only one is signalled, neither composed nor logged. A cancel reaches the parts at
 * once, even while the thread that drains the results is inside the subscriber.
 */
final class OperationScope {
  private final Set<PartSubscriber<?>> underWay = ConcurrentHashMap.newKeySet();
  private final AtomicBoolean stopped = new AtomicBoolean();

  /** Returns {@code work} as a part of the operation; it begins only before the operation's end. */
  <T> Flux<T> part(Supplier<? extends Publisher<T>> work) {
    return new Flux<>() {
      @Override
      public void subscribe(CoreSubscriber<? super T> actual) {
        Publisher<T> source;
        try {
          source = stopped.get() ? Flux.never() : work.get();
        } catch (Throwable e) {
          source = Flux.error(Operators.onOperatorError(e, actual.currentContext()));
        }
        source.subscribe(new PartSubscriber<T>(OperationScope.this, actual));
      }
    };
  }

  /** Returns the same signals, until the operation stops. */
  <T> Flux<T> stoppable(Publisher<? extends T> source) {
    return part(() -> Flux.from(source));
  }

  /** Registers a part that begins; cancels it if the operation has stopped meanwhile. */
  void begun(PartSubscriber<?> part) {
    underWay.add(part);
    if (stopped.get()) {
      part.cancel();
    }
  }

  void ended(PartSubscriber<?> part) {
    underWay.remove(part);
  }

  /** Cancels all running parts; returns true for the first call only. */
  boolean stop() {
    boolean first = stopped.compareAndSet(false, true);
    if (first) {
      underWay.forEach(PartSubscriber::cancel);
    }
    return first;
  }
}
