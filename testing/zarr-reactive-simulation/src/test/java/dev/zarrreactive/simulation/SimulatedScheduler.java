package dev.zarrreactive.simulation;

import java.util.ArrayDeque;
import java.util.Queue;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import reactor.core.Disposable;
import reactor.core.Disposables;
import reactor.core.scheduler.Scheduler;

/**
 * Threads in virtual time. Tasks of one worker run in their order, all others in any: each begins
 * after a pause that the seed decides, as if its thread had been busy.
 */
final class SimulatedScheduler implements Scheduler {
  private final VirtualTime time;
  private final SplittableRandom chance;
  private final long longestPause;

  /** Threads that begin a task at most {@code longestPause} nanoseconds late. */
  SimulatedScheduler(VirtualTime time, SplittableRandom chance, long longestPause) {
    this.time = time;
    this.chance = chance;
    this.longestPause = longestPause;
  }

  @Override
  public Disposable schedule(Runnable task) {
    return time.after(pause(), task);
  }

  @Override
  public Disposable schedule(Runnable task, long delay, TimeUnit unit) {
    return time.after(unit.toNanos(delay) + pause(), task);
  }

  @Override
  public long now(TimeUnit unit) {
    return unit.convert(time.now(), TimeUnit.NANOSECONDS);
  }

  @Override
  public Worker createWorker() {
    return new OneThread();
  }

  private long pause() {
    return 1 + chance.nextLong(longestPause);
  }

  private final class OneThread implements Worker {
    private final Queue<Runnable> tasks = new ArrayDeque<>();
    private final Disposable.Composite delayed = Disposables.composite();
    private boolean isBusy;
    private boolean isDisposed;

    @Override
    public Disposable schedule(Runnable task) {
      Disposable.Swap cancel = Disposables.swap();
      tasks.add(
          () -> {
            if (!cancel.isDisposed()) {
              task.run();
            }
          });
      proceed();
      return cancel;
    }

    @Override
    public Disposable schedule(Runnable task, long delay, TimeUnit unit) {
      Disposable later = SimulatedScheduler.this.schedule(() -> schedule(task), delay, unit);
      delayed.add(later);
      return later;
    }

    private void proceed() {
      if (!isBusy && !tasks.isEmpty()) {
        isBusy = true;
        time.after(
            pause(),
            () -> {
              isBusy = false;
              Runnable next = tasks.poll();
              if (next != null && !isDisposed) {
                next.run();
              }
              proceed();
            });
      }
    }

    @Override
    public void dispose() {
      isDisposed = true;
      tasks.clear();
      delayed.dispose();
    }

    @Override
    public boolean isDisposed() {
      return isDisposed;
    }
  }
}
