package dev.zarrreactive.internal.observation;

import dev.zarrreactive.internal.flow.Guard;
import dev.zarrreactive.internal.threads.Environment;
import dev.zarrreactive.observation.OperationOutcome;
import dev.zarrreactive.observation.StoreObserver;
import dev.zarrreactive.observation.ZarrObserver;
import dev.zarrreactive.observation.ZarrOperation;
import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;
import reactor.util.context.Context;
import reactor.util.context.ContextView;

/** An operation in flight and its observer, which is told of the end once. */
final class ObservedOperation {
  private static final AtomicLong IDS = new AtomicLong();

  private final ZarrObserver observer;
  private final ZarrOperation operation;
  private final long startNanos = Environment.current().nanoTime();
  private final AtomicBoolean ended = new AtomicBoolean();
  private final ContextView more;

  ObservedOperation(
      ZarrObserver observer, ZarrOperation.Kind kind, String path, ContextView subscriber) {
    this.observer = observer;
    this.operation = new ZarrOperation(IDS.getAndIncrement(), kind, path);
    this.more =
        Guard.get(
            () -> Objects.requireNonNull(observer.onStart(operation, subscriber)), Context.empty());
  }

  /**
   * Returns the context of the operation's upstream, in which decorators of stores find the
   * observer.
   */
  Context context(Context subscriber) {
    return subscriber.put(StoreObserver.KEY, observer).putAll(more);
  }

  void end(OperationOutcome.Kind kind, @Nullable Throwable error) {
    if (ended.compareAndSet(false, true)) {
      Duration duration = Duration.ofNanos(Environment.current().nanoTime() - startNanos);
      Guard.run(() -> observer.onEnd(operation, new OperationOutcome(kind, duration, error)));
    }
  }
}
