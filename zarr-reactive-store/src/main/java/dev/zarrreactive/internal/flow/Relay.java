package dev.zarrreactive.internal.flow;

import dev.zarrreactive.internal.threads.FileThreads;
import java.util.Objects;
import java.util.concurrent.RejectedExecutionException;
import org.jspecify.annotations.Nullable;
import org.reactivestreams.Subscription;
import reactor.core.CoreSubscriber;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.publisher.Operators;
import reactor.core.scheduler.Scheduler;
import reactor.util.context.Context;

/**
 * The subscriber of a publisher that changes the signals of its source. It passes on every signal
 * that a subclass leaves alone.
 *
 * @param <I> the values of the source
 * @param <O> the values of the publisher
 */
public abstract class Relay<I, O> implements CoreSubscriber<I>, Subscription {
  /** The subscriber of the publisher. */
  protected final CoreSubscriber<? super O> actual;

  private @Nullable Subscription source;

  /** Creates a subscriber for the source of {@code actual}'s publisher. */
  protected Relay(CoreSubscriber<? super O> actual) {
    this.actual = actual;
  }

  @Override
  public Context currentContext() {
    return actual.currentContext();
  }

  @Override
  public void onSubscribe(Subscription subscription) {
    source = subscription;
    actual.onSubscribe(this);
  }

  @Override
  public void onError(Throwable error) {
    actual.onError(error);
  }

  @Override
  public void onComplete() {
    actual.onComplete();
  }

  @Override
  public void request(long n) {
    Objects.requireNonNull(source).request(n);
  }

  @Override
  public void cancel() {
    Objects.requireNonNull(source).cancel();
  }

  /**
   * Returns the same signals. {@code end} runs before the last one, so that whoever comes after it
   * finds the work ended, and after a cancel.
   */
  public static <T> Flux<T> ended(Flux<T> source, Runnable end) {
    return new Flux<>() {
      @Override
      public void subscribe(CoreSubscriber<? super T> actual) {
        source.subscribe(new Ended<>(actual, end));
      }
    };
  }

  /** Returns the same signals, as the method for several values does. */
  public static <T> Mono<T> ended(Mono<T> source, Runnable end) {
    return new Mono<>() {
      @Override
      public void subscribe(CoreSubscriber<? super T> actual) {
        source.subscribe(new Ended<>(actual, end));
      }
    };
  }

  private static final class Ended<T> extends Relay<T, T> {
    private final Runnable end;

    Ended(CoreSubscriber<? super T> actual, Runnable end) {
      super(actual);
      this.end = end;
    }

    @Override
    public void onNext(T value) {
      actual.onNext(value);
    }

    @Override
    public void onError(Throwable error) {
      end.run();
      actual.onError(error);
    }

    @Override
    public void onComplete() {
      end.run();
      actual.onComplete();
    }

    @Override
    public void cancel() {
      super.cancel();
      end.run();
    }
  }

  /**
   * The same signals, on a codec thread where they arrive on a file thread: a subscriber never
   * works on a file thread.
   */
  public static final class OffFileThread<T> extends Mono<T> {
    private final Mono<T> source;
    private final Scheduler codecScheduler;

    /** Creates a publisher of the signals of {@code source}. */
    public OffFileThread(Mono<T> source, Scheduler codecScheduler) {
      this.source = source;
      this.codecScheduler = codecScheduler;
    }

    @Override
    public void subscribe(CoreSubscriber<? super T> actual) {
      source.subscribe(new Signals(actual));
    }

    private final class Signals extends Relay<T, T> {
      private @Nullable T value;
      private volatile boolean isCancelled;

      Signals(CoreSubscriber<? super T> actual) {
        super(actual);
      }

      @Override
      public void onNext(T result) {
        value = result;
      }

      @Override
      public void onComplete() {
        onCodecThread(
            () -> {
              T result = value;
              if (result != null) {
                actual.onNext(result);
              }
              actual.onComplete();
            });
      }

      @Override
      public void onError(Throwable error) {
        onCodecThread(() -> actual.onError(error));
      }

      private void onCodecThread(Runnable signals) {
        if (!FileThreads.isCurrent()) {
          signals.run();
          return;
        }
        try {
          codecScheduler.schedule(
              () -> {
                if (!isCancelled) {
                  signals.run();
                }
              });
        } catch (RejectedExecutionException e) {
          actual.onError(Operators.onRejectedExecution(e, currentContext()));
        }
      }

      @Override
      public void cancel() {
        isCancelled = true;
        super.cancel();
      }
    }
  }
}
