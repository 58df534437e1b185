package dev.zarrreactive.internal.threads;

import java.util.concurrent.ThreadFactory;
import java.util.concurrent.atomic.AtomicInteger;
import reactor.core.scheduler.NonBlocking;
import reactor.core.scheduler.Scheduler;
import reactor.core.scheduler.Schedulers;

/**
 * Schedulers of daemons. Not made through {@code Schedulers}, whose factory a test with virtual
 * time may have replaced.
 */
public final class Daemons {
  private Daemons() {}

  /** So many threads at most, which may block, and are gone when idle for a while. */
  public static Scheduler mayBlock(int threads, String name, int idleSeconds) {
    return started(
        new Schedulers.Factory() {}.newBoundedElastic(
            threads, Integer.MAX_VALUE, named(name), idleSeconds));
  }

  /** One thread, which wakes up what waits and never works long. */
  public static Scheduler timer(String name) {
    return parallel(1, named(name));
  }

  /** So many threads, which never block. */
  public static Scheduler parallel(int threads, ThreadFactory factory) {
    return started(new Schedulers.Factory() {}.newParallel(threads, factory));
  }

  /** So many threads, which encode and decode. A call that blocks one of them is refused. */
  public static Scheduler codecs(int threads) {
    AtomicInteger made = new AtomicInteger();
    return parallel(threads, work -> new CodecThread(work, made.incrementAndGet()));
  }

  private static Scheduler started(Scheduler scheduler) {
    scheduler.init();
    return scheduler;
  }

  private static ThreadFactory named(String name) {
    AtomicInteger made = new AtomicInteger();
    return work -> daemon(work, name + "-" + made.incrementAndGet());
  }

  /**
   * A new daemon in the topmost thread group. A container that interrupts the group of the thread
   * that happened to start it does not interrupt the daemon.
   */
  public static Thread daemon(Runnable work, String name) {
    ThreadGroup group = Thread.currentThread().getThreadGroup();
    while (group.getParent() != null) {
      group = group.getParent();
    }
    Thread thread = new Thread(group, work, name);
    thread.setDaemon(true);
    return thread;
  }

  /** A blocked thread would delay every array: Reactor and BlockHound refuse the call. */
  private static final class CodecThread extends Thread implements NonBlocking {
    CodecThread(Runnable work, int number) {
      super(work, "zarr-codec-" + number);
      setDaemon(true);
    }
  }
}
