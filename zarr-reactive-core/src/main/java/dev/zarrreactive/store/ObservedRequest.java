package dev.zarrreactive.store;

import dev.zarrreactive.store.StoreOutcome.Kind;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;
import reactor.core.Exceptions;
import reactor.core.publisher.Operators;
import reactor.util.context.Context;

/** A request under way, and its observer, who is told of its end once. */
final class ObservedRequest {
  private final StoreObserver observer;
  private final StoreRequest request;
  private final long startNanos = System.nanoTime();
  private final AtomicBoolean ended = new AtomicBoolean();
  private final AtomicLong count = new AtomicLong();
  private final AtomicLong bytes = new AtomicLong();

  private ObservedRequest(StoreObserver observer, StoreRequest request) {
    this.observer = observer;
    this.request = request;
  }

  static ObservedRequest start(StoreObserver observer, StoreRequest request) {
    guarded(() -> observer.onStart(request));
    return new ObservedRequest(observer, request);
  }

  void add(long moreCount, long moreBytes) {
    count.addAndGet(moreCount);
    bytes.addAndGet(moreBytes);
  }

  void end(Kind kind, @Nullable Throwable error) {
    if (ended.compareAndSet(false, true)) {
      Duration duration = Duration.ofNanos(System.nanoTime() - startNanos);
      StoreOutcome outcome = new StoreOutcome(kind, bytes.get(), count.get(), duration, error);
      guarded(() -> observer.onEnd(request, outcome));
    }
  }

  private static void guarded(Runnable call) {
    try {
      call.run();
    } catch (Throwable thrown) {
      Exceptions.throwIfFatal(thrown);
      Operators.onErrorDropped(thrown, Context.empty());
    }
  }
}
