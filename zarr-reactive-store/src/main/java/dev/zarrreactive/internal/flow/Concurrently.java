package dev.zarrreactive.internal.flow;

import java.util.Comparator;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.reactivestreams.Publisher;
import org.reactivestreams.Subscription;
import reactor.core.CoreSubscriber;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Operators;
import reactor.util.context.Context;

/**
 * Runs several parts of one operation concurrently. A part begins when an earlier one has ended and
 * its result is delivered, so at most {@code concurrency} parts are ahead of the demand. The first
 * error ends the operation; later errors of other parts are dropped. After an error or a cancel no
 * part begins. Both cancel the running parts at once, even while the subscriber works on a result.
 */
public final class Concurrently {
  private Concurrently() {}

  /** Returns the results of {@code work} in the order in which they arrive. */
  public static <P, T> Flux<T> map(
      Publisher<? extends P> parts,
      int concurrency,
      Function<? super P, ? extends Publisher<T>> work) {
    return ofOneOperation(
        scope ->
            scope
                .<P>stoppable(parts)
                .flatMap(part -> scope.part(() -> work.apply(part)), concurrency, 1));
  }

  /** Returns the results of {@code work} in the order of the parts. */
  public static <P, T> Flux<T> mapInOrder(
      Publisher<? extends P> parts,
      int concurrency,
      Function<? super P, ? extends Publisher<T>> work) {
    return ofOneOperation(
        scope ->
            scope
                .<P>stoppable(parts)
                .flatMapSequential(part -> scope.part(() -> work.apply(part)), concurrency, 1));
  }

  private static <T> Flux<T> ofOneOperation(Function<OperationScope, Flux<T>> work) {
    return Flux.defer(
        () -> {
          OperationScope scope = new OperationScope();
          return work.apply(scope).doFinally(end -> scope.stop());
        });
  }

  /**
   * The running parts of one operation. It adds two guarantees to {@code flatMap}. Of two errors at
   * the same time only one is signalled, neither composed nor logged. A cancel reaches the parts at
   * once, even while the thread that drains the results is inside the subscriber.
   */
  static final class OperationScope {
    private static final Comparator<PartSubscriber<?>> LAST_FIRST =
        Comparator.<PartSubscriber<?>>comparingInt(part -> part.number).reversed();

    private final Set<PartSubscriber<?>> underWay = ConcurrentHashMap.newKeySet();
    private final AtomicInteger numbers = new AtomicInteger();
    private final AtomicBoolean stopped = new AtomicBoolean();

    /**
     * Returns {@code work} as a part of the operation; it begins only before the operation's end.
     */
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

    /**
     * Cancels all running parts, the last one first, so that none that waits for an earlier one
     * begins a request; returns true for the first call only. When a call returns, it has cancelled
     * every part itself, also where another thread is still in the midst of its call.
     */
    boolean stop() {
      boolean first = stopped.compareAndSet(false, true);
      underWay.stream().sorted(LAST_FIRST).forEach(PartSubscriber::cancel);
      return first;
    }
  }

  /**
   * Passes on the signals of one part, but only the first error of the operation. It drops the
   * reference to its source after the last signal, because a result that waits for demand would
   * otherwise retain the operators of its part and the fetched bytes.
   */
  static final class PartSubscriber<T> implements CoreSubscriber<T>, Subscription {
    private final OperationScope scope;
    private final CoreSubscriber<? super T> actual;
    private final int number;
    private volatile @Nullable Subscription source;

    PartSubscriber(OperationScope scope, CoreSubscriber<? super T> actual) {
      this.scope = scope;
      this.actual = actual;
      this.number = scope.numbers.getAndIncrement();
    }

    @Override
    public Context currentContext() {
      return actual.currentContext();
    }

    @Override
    public void onSubscribe(Subscription subscription) {
      source = subscription;
      scope.begun(this);
      actual.onSubscribe(this);
    }

    @Override
    public void onNext(T value) {
      actual.onNext(value);
    }

    @Override
    public void onError(Throwable error) {
      end();
      if (scope.stop()) {
        actual.onError(error);
      }
    }

    @Override
    public void onComplete() {
      end();
      actual.onComplete();
    }

    @Override
    public void request(long n) {
      Subscription open = source;
      if (open != null) {
        open.request(n);
      }
    }

    @Override
    public void cancel() {
      Subscription open = source;
      if (open != null) {
        open.cancel();
      }
      end(); // not before: another thread would take the part for cancelled
    }

    private void end() {
      source = null;
      scope.ended(this);
    }
  }
}
