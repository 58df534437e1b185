package dev.zarrreactive.store;

import dev.zarrreactive.internal.guard.Guard;
import dev.zarrreactive.internal.threads.Environment;
import dev.zarrreactive.store.StoreOutcome.Kind;
import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;
import reactor.util.context.Context;
import reactor.util.context.ContextView;

/** A request in flight, and its observer, which is told of its end exactly once. */
final class ObservedRequest {
  private final StoreObserver observer;
  private final StoreRequest request;
  private final long startNanos = Environment.current().nanoTime();
  private final AtomicBoolean ended = new AtomicBoolean();
  private final AtomicLong count = new AtomicLong();
  private final AtomicLong bytes = new AtomicLong();
  private final ContextView more;

  private ObservedRequest(StoreObserver observer, StoreRequest request, ContextView more) {
    this.observer = observer;
    this.request = request;
    this.more = more;
  }

  static ObservedRequest start(
      StoreObserver observer, StoreRequest request, ContextView subscriber) {
    ContextView more =
        Guard.get(
            () -> Objects.requireNonNull(observer.onStart(request, subscriber)), Context.empty());
    return new ObservedRequest(observer, request, more);
  }

  /** The context of what is below. */
  Context context(Context subscriber) {
    return subscriber.put(StoreObserver.KEY, observer).putAll(more);
  }

  void add(long moreCount, long moreBytes) {
    count.addAndGet(moreCount);
    bytes.addAndGet(moreBytes);
  }

  void end(Kind kind, @Nullable Throwable error) {
    if (ended.compareAndSet(false, true)) {
      Duration duration = Duration.ofNanos(Environment.current().nanoTime() - startNanos);
      StoreOutcome outcome = new StoreOutcome(kind, bytes.get(), count.get(), duration, error);
      Guard.run(() -> observer.onEnd(request, outcome));
    }
  }
}
