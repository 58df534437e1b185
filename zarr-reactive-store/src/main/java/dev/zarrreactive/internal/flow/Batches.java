package dev.zarrreactive.internal.flow;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import org.reactivestreams.Subscription;
import reactor.core.CoreSubscriber;
import reactor.core.publisher.Flux;
import reactor.core.publisher.FluxOperator;
import reactor.util.context.Context;

/**
 * The values of a source in batches. A batch is given out when the subscriber demands one: with all
 * values that came while it was busy, and those that the source has at once. It never waits for a
 * value while it has one. Values are demanded one at a time until the batch is full. An error of
 * the source waits until the subscriber has taken the values before it, and demands another batch.
 */
public final class Batches<T> extends FluxOperator<T, List<T>> {
  private final Predicate<List<T>> isFull;

  /**
   * Creates the batches of one subscription.
   *
   * @param isFull is asked after each value, by one thread at a time
   */
  public Batches(Flux<T> source, Predicate<List<T>> isFull) {
    super(source);
    this.isFull = isFull;
  }

  @Override
  public void subscribe(CoreSubscriber<? super List<T>> actual) {
    source.subscribe(new Gathering<>(actual, isFull));
  }

  private static final class Gathering<T> implements CoreSubscriber<T>, Subscription {
    private final CoreSubscriber<? super List<T>> actual;
    private final Predicate<List<T>> isFull;
    private final AtomicInteger work = new AtomicInteger();
    private final AtomicLong demanded = new AtomicLong();
    private volatile @Nullable Subscription source;
    private volatile @Nullable T arrived;
    private volatile @Nullable Throwable error;
    private volatile boolean isOver;
    private volatile boolean isCancelled;

    // of the thread that works
    private List<T> batch = new ArrayList<>();
    private boolean isAsked;
    private boolean isComplete;
    private boolean hasEnded;

    Gathering(CoreSubscriber<? super List<T>> actual, Predicate<List<T>> isFull) {
      this.actual = actual;
      this.isFull = isFull;
    }

    @Override
    public Context currentContext() {
      return actual.currentContext();
    }

    @Override
    public void onSubscribe(Subscription subscription) {
      source = subscription;
      actual.onSubscribe(this);
      work();
    }

    @Override
    public void onNext(T value) {
      arrived = value;
      work();
    }

    @Override
    public void onError(Throwable cause) {
      error = cause;
      isOver = true;
      work();
    }

    @Override
    public void onComplete() {
      isOver = true;
      work();
    }

    @Override
    public void request(long n) {
      demanded.accumulateAndGet(n, ByteBudget::sum);
      work();
    }

    @Override
    public void cancel() {
      isCancelled = true;
      Subscription open = source;
      if (open != null) {
        open.cancel();
      }
      work();
    }

    private void work() {
      if (work.getAndIncrement() != 0) {
        return; // the thread that works takes another turn
      }
      int turns = 1;
      do {
        boolean goesOn = true;
        while (goesOn) {
          goesOn = step();
        }
        turns = work.addAndGet(-turns);
      } while (turns != 0);
    }

    /** Takes one step; returns true if another one may follow. */
    private boolean step() {
      if (isCancelled || hasEnded) {
        batch = new ArrayList<>();
        arrived = null;
        return false;
      }
      boolean isLast = isOver; // read before the value that came before it
      T value = arrived;
      if (value != null) {
        arrived = null;
        isAsked = false;
        batch.add(value);
        isComplete = isFull.test(batch);
        return true;
      }
      Subscription open = source;
      if (open != null && !isLast && !isComplete && !isAsked) {
        isAsked = true;
        open.request(1);
        return true;
      }
      boolean isDemanded = demanded.get() > 0;
      if (!batch.isEmpty()) {
        return isDemanded && give();
      }
      Throwable cause = error;
      if (isLast && (isDemanded || cause == null)) {
        hasEnded = true;
        if (cause == null) {
          actual.onComplete();
        } else {
          actual.onError(cause);
        }
      }
      return false;
    }

    private boolean give() {
      List<T> full = batch;
      batch = new ArrayList<>();
      isComplete = false;
      demanded.decrementAndGet();
      actual.onNext(full);
      return true;
    }
  }
}
