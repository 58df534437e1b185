package dev.zarrreactive.internal.threads;

import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.atomic.AtomicInteger;
import reactor.core.scheduler.NonBlocking;
import reactor.core.scheduler.Scheduler;
import reactor.core.scheduler.Schedulers;

/**
 * Factory of schedulers with daemon threads. It bypasses {@code Schedulers}, whose factory a test
 * with virtual time may have replaced.
 */
public final class Daemons {
  private Daemons() {}

  /** Returns a scheduler of at most {@code threads} threads, which may block and end when idle. */
  public static Scheduler mayBlock(int threads, String name, int idleSeconds) {
    return started(
        new Schedulers.Factory() {}.newBoundedElastic(
            threads, Integer.MAX_VALUE, named(name), idleSeconds));
  }

  /** Returns a scheduler of one thread, for timers with short tasks only. */
  public static Scheduler timer(String name) {
    return parallel(1, named(name));
  }

  /** Returns a scheduler of {@code threads} threads, which never block. */
  public static Scheduler parallel(int threads, ThreadFactory factory) {
    return started(new Schedulers.Factory() {}.newParallel(threads, factory));
  }

  /**
   * Returns a scheduler of {@code threads} threads that encode and decode. Reactor refuses a call
   * that blocks one of them. The threads share one queue: none is idle while a task waits.
   */
  public static Scheduler codecs(int threads) {
    AtomicInteger made = new AtomicInteger();
    ScheduledThreadPoolExecutor pool =
        new ScheduledThreadPoolExecutor(
            threads, work -> new CodecThread(work, made.incrementAndGet()));
    pool.setRemoveOnCancelPolicy(true);
    return started(Schedulers.fromExecutorService(pool, "zarr-codec"));
  }

  static Scheduler started(Scheduler scheduler) {
    scheduler.init();
    return scheduler;
  }

  private static ThreadFactory named(String name) {
    return named(name, Thread::new);
  }

  static ThreadFactory named(String name, Kind kind) {
    AtomicInteger made = new AtomicInteger();
    return work -> daemon(work, name + "-" + made.incrementAndGet(), kind);
  }

  /**
   * Returns a new daemon in the topmost thread group, so that a container which interrupts the
   * group of the starting thread does not interrupt the daemon.
   */
  public static Thread daemon(Runnable work, String name) {
    return daemon(work, name, Thread::new);
  }

  private static Thread daemon(Runnable work, String name, Kind kind) {
    ThreadGroup group = Thread.currentThread().getThreadGroup();
    while (group.getParent() != null) {
      group = group.getParent();
    }
    Thread thread = kind.of(group, work, name);
    thread.setDaemon(true);
    return thread;
  }

  /** A constructor of threads. */
  interface Kind {
    Thread of(ThreadGroup group, Runnable work, String name);
  }

  /**
   * A thread on which Reactor and BlockHound refuse blocking calls, since they would delay every
   * array.
   */
  private static final class CodecThread extends Thread implements NonBlocking {
    CodecThread(Runnable work, int number) {
      super(work, "zarr-codec-" + number);
      setDaemon(true);
    }
  }
}
