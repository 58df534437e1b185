package dev.zarrreactive.internal.threads;

import dev.zarrreactive.error.Location;
import dev.zarrreactive.error.MemoryExhaustedException;
import dev.zarrreactive.error.StoreException;
import dev.zarrreactive.error.ZarrException;
import java.io.Closeable;
import java.io.IOException;
import java.nio.channels.ClosedByInterruptException;
import java.time.Duration;
import java.util.concurrent.Callable;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.BooleanSupplier;
import java.util.function.Function;
import java.util.function.IntFunction;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.reactivestreams.Subscription;
import reactor.core.CoreSubscriber;
import reactor.core.Disposable;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.publisher.Operators;
import reactor.core.scheduler.Scheduler;
import reactor.core.scheduler.Schedulers;
import reactor.util.context.Context;
import reactor.util.context.ContextView;

/**
 * Runs the blocking calls to the file system on dedicated daemon threads: one for each core but at
 * least four, shared by all file-system stores of the process, and ended after an idle minute. A
 * cancel drops a call that waits for a thread and interrupts a running one. Any other interrupt is
 * an error of the call, never a missing value.
 */
public final class FileThreads {
  private static final int IDLE_SECONDS = 60;

  private FileThreads() {}

  /** A call to the file system; null is an empty result. */
  public interface Call<T> {
    @Nullable T run() throws IOException;
  }

  /** A call that reads into memory, which may be longer than requested and have any content. */
  public interface Read<T> {
    @Nullable T run(IntFunction<byte[]> memory) throws IOException;
  }

  /** An iterator that one thread at a time uses; null is the end. */
  public interface Pull<T> extends Closeable {
    @Nullable T next() throws IOException;
  }

  /** Translates errors of the file system and the JVM into errors of the library. */
  public interface Errors {
    StoreException of(IOException error);

    default ZarrException of(OutOfMemoryError error) {
      return new MemoryExhaustedException(
          "to use a file", MemoryExhaustedException.UNKNOWN_SIZE, Location.UNKNOWN, error);
    }
  }

  /** A change that may have to wait for other processes. One thread at a time uses it. */
  public interface Task {
    /**
     * Makes the change.
     *
     * @return false if another process holds a lock, so that the change is not made
     */
    boolean attempt() throws IOException;

    /**
     * Abandons the change and removes its hidden files. Later calls and attempts have no effect.
     */
    void close();
  }

  /** Makes the call once per subscription; its result is emitted on the thread that made it. */
  public static <T> Mono<T> call(Call<T> call, Errors error) {
    return new FileCall<>(attempt -> run(call, error, attempt::isCancelled), Holder.SCHEDULER);
  }

  /**
   * Makes a call that needs memory for its result, as {@link #call}. Lends the result to a
   * subscriber that offers to {@linkplain Loan borrow} from {@code lender}.
   *
   * @param lender the store that reads
   */
  public static <T> Mono<T> read(Object lender, Read<T> read, Errors error) {
    return new FileCall<>(
        attempt -> {
          boolean isLent = Loan.tryTake(attempt.context(), lender);
          IntFunction<byte[]> memory = isLent ? FileThreads::memoryOfThread : byte[]::new;
          return run(() -> read.run(memory), error, attempt::isCancelled);
        },
        Holder.SCHEDULER);
  }

  /** Returns true on one of these threads, which may block. */
  public static boolean isCurrent() {
    return Thread.currentThread() instanceof SharedThread;
  }

  /**
   * Repeats a change while another process holds its lock. No thread is occupied between the
   * attempts.
   *
   * @param attempts the most attempts; the pauses between them grow to 50 ms
   * @param tooLong the error after the last one
   */
  public static Mono<Void> attempt(
      Supplier<Task> change, int attempts, Errors error, Supplier<StoreException> tooLong) {
    return attempt(change, task -> Mono.empty(), attempts, error, tooLong);
  }

  /** As above, after {@code before}, which prepares the change. */
  public static <T extends Task> Mono<Void> attempt(
      Supplier<T> change,
      Function<T, Mono<Void>> before,
      int attempts,
      Errors error,
      Supplier<StoreException> tooLong) {
    return Mono.usingWhen(
        Mono.fromSupplier(change),
        task ->
            before
                .apply(task)
                .then(
                    call(() -> task.attempt() ? task : null, error)
                        .repeatWhenEmpty(
                            Integer.MAX_VALUE,
                            busy ->
                                busy.concatMap(
                                    times ->
                                        times + 1 < attempts ? pause(times) : Mono.error(tooLong),
                                    1)))
                .then(),
        task -> Mono.empty(),
        (task, failure) -> closing(task),
        FileThreads::closing);
  }

  /**
   * Fetches elements on demand, one after another, on file threads. A file thread closes the
   * iterator at the end, after an error and after a cancel.
   */
  public static <T> Flux<T> pull(Callable<Pull<T>> open, Errors error) {
    return Flux.defer(
        () -> {
          PullCalls calls = new PullCalls();
          return Flux.<T, Pull<T>>generate(
                  open,
                  (pull, sink) -> {
                    T next = calls.next(pull, error);
                    if (next == null) {
                      sink.complete();
                    } else {
                      sink.next(next);
                    }
                    return pull;
                  },
                  FileThreads::closeLater)
              .subscribeOn(Holder.UNINTERRUPTED, true)
              .doOnCancel(calls::cancel);
        });
  }

  /**
   * The calls of one pull. A cancel interrupts the one that is running, but never the work that its
   * thread does with the result: that may be the call of another subscriber.
   */
  private static final class PullCalls {
    private @Nullable Thread running;
    private boolean isCancelled;

    <T> @Nullable T next(Pull<T> pull, Errors error) {
      synchronized (this) {
        if (isCancelled) {
          return null;
        }
        running = Thread.currentThread();
      }
      try {
        return run(pull::next, error, this::isCancelled);
      } finally {
        ended();
      }
    }

    private synchronized void ended() {
      running = null;
      if (isCancelled) {
        Thread.interrupted(); // what the cancel has left
      }
    }

    private synchronized boolean isCancelled() {
      return isCancelled;
    }

    synchronized void cancel() {
      isCancelled = true;
      if (running != null) {
        running.interrupt();
      }
    }
  }

  /**
   * Ends a long call with an error if the thread was interrupted.
   *
   * @throws ClosedByInterruptException if the thread was interrupted; it stays so
   */
  public static void checkInterrupt() throws ClosedByInterruptException {
    if (Thread.currentThread().isInterrupted()) {
      throw new ClosedByInterruptException();
    }
  }

  private static <T> @Nullable T run(Call<T> call, Errors error, BooleanSupplier isCancelled) {
    try {
      return call.run();
    } catch (ClosedByInterruptException e) {
      if (isCancelled.getAsBoolean()) {
        return null; // the cancel interrupted the thread, and its subscriber is gone
      }
      throw error.of(e);
    } catch (IOException e) {
      throw error.of(e);
    } catch (OutOfMemoryError e) {
      throw error.of(e);
    }
  }

  /** Returns a back-off with jitter, which grows from 1 ms to 50 ms. */
  private static Mono<Long> pause(long times) {
    long longest = TimeUnit.MILLISECONDS.toNanos(Math.min(50, 1L << Math.min(times, 6)));
    long pause = ThreadLocalRandom.current().nextLong(longest / 2, longest);
    return Mono.delay(Duration.ofNanos(pause), Holder.TIMER);
  }

  private static Mono<Void> closing(Task task) {
    return Mono.<Void>fromRunnable(task::close).subscribeOn(Holder.SCHEDULER);
  }

  private static void closeLater(Pull<?> pull) {
    Holder.SCHEDULER.schedule(
        () -> {
          try {
            pull.close();
          } catch (IOException e) {
            // reading is over, and a failed close loses no data
          }
        });
  }

  /**
   * Returns the scheduler of the file threads, which end when idle. The threads share one queue: a
   * call waits only while all of them are busy, and several calls at a time wake few of them, since
   * a wake costs more than a short call.
   */
  private static Scheduler sharedQueue() {
    int threads = Math.max(4, Runtime.getRuntime().availableProcessors());
    return Daemons.started(
        Schedulers.fromExecutorService(
            new SharedPool(threads, Daemons.named("zarr-file", SharedThread::new)), "zarr-file"));
  }

  /**
   * Returns an array of at least {@code size} bytes with any content. A file thread gets the same
   * array at its next call, if it is not large.
   */
  private static byte[] memoryOfThread(int size) {
    if (!(Thread.currentThread() instanceof SharedThread thread) || size > SharedThread.MOST) {
      return new byte[size];
    }
    if (thread.memory.length < size) {
      thread.memory = new byte[Math.min(SharedThread.MOST, size + size / 4)];
    }
    return thread.memory;
  }

  /** A file thread, with the memory that it lends. */
  private static final class SharedThread extends Thread {
    static final int MOST = (1 << 20) + (1 << 16);

    private byte[] memory = new byte[0];

    SharedThread(ThreadGroup group, Runnable work, String name) {
      super(group, work, name);
    }
  }

  /** The file threads, which share one queue. */
  private static final class SharedPool extends ThreadPoolExecutor {
    SharedPool(int threads, ThreadFactory factory) {
      super(threads, threads, IDLE_SECONDS, TimeUnit.SECONDS, new LinkedBlockingQueue<>(), factory);
      allowCoreThreadTimeOut(true);
    }

    /**
     * {@link FileThreadsBlockHoundIntegration} permits the queue's lock, held for a few
     * instructions.
     */
    @Override
    public void execute(Runnable task) {
      super.execute(task);
    }
  }

  /** Holds the scheduler, which is created on first use. */
  private static final class Holder {
    static final Scheduler SCHEDULER = sharedQueue();

    /** The same threads; a task that is disposed of is not interrupted. */
    static final Scheduler UNINTERRUPTED = Schedulers.fromExecutor(SCHEDULER::schedule);

    static final Scheduler TIMER = Daemons.timer("zarr-file-timer");
  }

  /**
   * A call that a thread which may block makes, once per subscription, when its result is demanded.
   * One object for each call instead of four operators, since a read of small chunks is little
   * else.
   */
  static final class FileCall<T> extends Mono<T> {
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

  /**
   * The offer of a subscriber to borrow the bytes that it reads, in its context. A store that takes
   * the offer lends the bytes for the time of {@code onNext}, on a thread on which the subscriber
   * may decode them, and uses their memory again after that.
   */
  public static final class Loan {
    private final Object lender;
    private volatile boolean isTaken;

    /**
     * Creates an offer for one request.
     *
     * @param lender the store that may take the offer: one below it would lend to a store in
     *     between, which may keep the bytes
     */
    public Loan(Object lender) {
      this.lender = lender;
    }

    /** Returns the context of a subscriber with this offer. */
    public Context in(Context subscriber) {
      return subscriber.put(Loan.class, this);
    }

    /** Takes the offer of a subscriber to a store; returns false where there is none. */
    static boolean tryTake(ContextView subscriber, Object lender) {
      Loan offer = subscriber.getOrDefault(Loan.class, null);
      if (offer == null || offer.lender != lender) {
        return false;
      }
      offer.isTaken = true;
      return true;
    }

    /** Returns true if the bytes that arrive are lent. */
    public boolean isTaken() {
      return isTaken;
    }
  }
}
