package dev.zarrreactive.internal.threads;

import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.reactivestreams.Subscription;
import reactor.core.CoreSubscriber;
import reactor.core.Disposable;
import reactor.core.publisher.Mono;
import reactor.core.publisher.Operators;
import reactor.core.scheduler.Scheduler;
import reactor.util.context.ContextView;

/**
 * A call that a thread which may block makes, once per subscription, when its result is demanded.
 * One object for each call instead of four operators, since a read of small chunks is little else.
 */
final class FileCall<T> extends Mono<T> {
  /** Makes the call; told whether the subscriber has cancelled. */
  private final Function<Attempt<T>, @Nullable T> call;

  private final Scheduler scheduler;

  FileCall(Function<Attempt<T>, @Nullable T> call, Scheduler scheduler) {
    this.call = call;
    this.scheduler = scheduler;
  }

  @Override
  public void subscribe(CoreSubscriber<? super T> actual) {
    actual.onSubscribe(new Attempt<>(this, actual));
  }

  /** The call of one subscription. */
  static final class Attempt<T> implements Subscription, Runnable {
    private final FileCall<T> source;
    private final CoreSubscriber<? super T> actual;
    private final AtomicBoolean isBegun = new AtomicBoolean();
    private volatile boolean isCancelled;
    private volatile boolean isMade;
    private volatile @Nullable Disposable scheduled;

    private Attempt(FileCall<T> source, CoreSubscriber<? super T> actual) {
      this.source = source;
      this.actual = actual;
    }

    ContextView context() {
      return actual.currentContext();
    }

    boolean isCancelled() {
      return isCancelled;
    }

    @Override
    public void request(long n) {
      if (!Operators.validate(n) || isCancelled || !isBegun.compareAndSet(false, true)) {
        return;
      }
      Disposable task = source.scheduler.schedule(this);
      scheduled = task;
      if (isCancelled && !isMade) {
        task.dispose();
      }
    }

    @Override
    public void cancel() {
      isCancelled = true; // before the cancel interrupts the thread
      Disposable task = scheduled;
      if (task != null && !isMade) {
        task.dispose();
      }
    }

    @Override
    public void run() {
      if (isCancelled) {
        return;
      }
      @Nullable T result;
      try {
        result = source.call.apply(this);
        isMade = true; // from here on a cancel interrupts nothing
      } catch (Throwable e) {
        isMade = true;
        if (!isCancelled) {
          actual.onError(e);
        }
        return;
      }
      if (isCancelled) {
        return;
      }
      if (result != null) {
        actual.onNext(result);
      }
      actual.onComplete();
    }
  }
}
