package dev.zarrreactive.internal.threads;

import java.util.concurrent.ThreadLocalRandom;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import reactor.core.scheduler.Scheduler;

/**
 * The clock, the chance and the threads that the library works with. Everything that time, chance
 * or another thread decides comes from here, so that a simulation can replay a run exactly: it puts
 * its own environment in place for what one thread does. Everywhere else the environment is the
 * real one.
 */
public abstract class Environment {
  private static final ThreadLocal<@Nullable Environment> INSTALLED = new ThreadLocal<>();

  /** For subclasses. */
  protected Environment() {}

  /** Returns the environment of the calling thread. */
  public static Environment current() {
    Environment installed = INSTALLED.get();
    return installed == null ? Real.INSTANCE : installed;
  }

  /** Does {@code work}, in which this is the environment of the calling thread. */
  public final <T> T within(Supplier<T> work) {
    Environment before = INSTALLED.get();
    INSTALLED.set(this);
    try {
      return work.get();
    } finally {
      if (before == null) {
        INSTALLED.remove();
      } else {
        INSTALLED.set(before);
      }
    }
  }

  /** Returns the time in nanoseconds since any fixed moment. */
  public abstract long nanoTime();

  /** Returns a random number from {@code least} to {@code bound}, which is not one of them. */
  public abstract long random(long least, long bound);

  /** Returns the number of cores. */
  public abstract int processors();

  /** Returns the threads that encode and decode, with their timer; they are never blocked. */
  public abstract Scheduler codecScheduler();

  /** Returns the one thread that wakes up requests that wait; it never works long. */
  public abstract Scheduler timer();

  /** The environment of every thread that no simulation runs on. */
  private static final class Real extends Environment {
    static final Environment INSTANCE = new Real();

    @Override
    public long nanoTime() {
      return System.nanoTime();
    }

    @Override
    public long random(long least, long bound) {
      return ThreadLocalRandom.current().nextLong(least, bound);
    }

    @Override
    public int processors() {
      return Runtime.getRuntime().availableProcessors();
    }

    @Override
    public Scheduler codecScheduler() {
      return CodecThreads.SCHEDULER;
    }

    @Override
    public Scheduler timer() {
      return TimerThread.SCHEDULER;
    }
  }

  /** Made when first needed. */
  private static final class CodecThreads {
    static final Scheduler SCHEDULER = Daemons.codecs(Runtime.getRuntime().availableProcessors());
  }

  /** Made when first needed. */
  private static final class TimerThread {
    static final Scheduler SCHEDULER = Daemons.timer("zarr-timer");
  }
}
