package dev.zarrreactive.internal.flow;

import java.util.concurrent.RejectedExecutionException;
import reactor.core.Disposable;
import reactor.core.Disposables;
import reactor.core.publisher.Flux;
import reactor.core.scheduler.Scheduler;

/**
 * Signals that are handed over to a scheduler, one value at a time.
 *
 * <p>A cancel ends the worker of {@link Flux#publishOn}. The worker refuses a signal that arrives
 * at that moment, and Reactor logs an error of an operation that is over. Here the signal is
 * dropped with the rest of the operation. A refusal without a cancel stays an error.
 */
public final class HandedOver {
  private HandedOver() {}

  /** Returns the signals of {@code source} on a thread of {@code scheduler}. */
  public static <T> Flux<T> to(Scheduler scheduler, Flux<T> source) {
    return source.publishOn(new Workers(scheduler), 1);
  }

  private record Workers(Scheduler scheduler) implements Scheduler {
    @Override
    public Disposable schedule(Runnable task) {
      return scheduler.schedule(task);
    }

    @Override
    public Worker createWorker() {
      return new EndedByCancel(scheduler.createWorker());
    }
  }

  private static final class EndedByCancel implements Scheduler.Worker {
    private final Scheduler.Worker worker;
    private volatile boolean isEnded;

    EndedByCancel(Scheduler.Worker worker) {
      this.worker = worker;
    }

    @Override
    public Disposable schedule(Runnable task) {
      try {
        return worker.schedule(task);
      } catch (RejectedExecutionException e) {
        if (isEnded) {
          return Disposables.disposed();
        }
        throw e;
      }
    }

    @Override
    public void dispose() {
      isEnded = true;
      worker.dispose();
    }
  }
}
