package dev.zarrreactive.internal.flow;

import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Function;
import java.util.function.Supplier;
import org.reactivestreams.Publisher;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Operators;

/**
 * The parts of one operation that are under way. It adds to {@code flatMap} two guarantees: two
 * errors at the same time do not become a composite one or a line in a log, and a cancel does not
 * wait until the thread that drains the results returns from its subscriber.
 */
final class OperationScope {
  private final Set<PartSubscriber<?>> underWay = ConcurrentHashMap.newKeySet();
  private final AtomicBoolean stopped = new AtomicBoolean();

  /** Returns the work as a part of the operation; it is not begun after the operation's end. */
  <T> Flux<T> part(Supplier<? extends Publisher<T>> work) {
    return stoppable(Flux.defer(() -> stopped.get() ? Flux.never() : work.get()));
  }

  /** Returns the same signals, until the operation stops. */
  <T> Flux<T> stoppable(Publisher<? extends T> source) {
    Function<? super Publisher<T>, ? extends Publisher<T>> lift =
        Operators.<T, T>lift((scannable, actual) -> new PartSubscriber<T>(this, actual));
    return Flux.<T>from(source).transform(lift);
  }

  /** Notes a part that begins; it is cancelled where the operation has stopped meanwhile. */
  void begun(PartSubscriber<?> part) {
    underWay.add(part);
    if (stopped.get()) {
      part.cancel();
    }
  }

  void ended(PartSubscriber<?> part) {
    underWay.remove(part);
  }

  /** Cancels all parts under way; true for the first call alone. */
  boolean stop() {
    boolean first = stopped.compareAndSet(false, true);
    if (first) {
      underWay.forEach(PartSubscriber::cancel);
    }
    return first;
  }
}
