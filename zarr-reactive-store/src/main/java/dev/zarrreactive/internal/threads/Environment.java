package dev.zarrreactive.internal.threads;

import java.security.SecureRandom;
import java.time.Instant;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import reactor.core.scheduler.Scheduler;

/**
 * The clock, the random numbers and the threads of the library. They are the only sources of
 * nondeterminism, so that a simulation can replay a run exactly. A simulation installs its own
 * environment for one thread; all other threads use the real one.
 */
public abstract class Environment {
  private static final ThreadLocal<@Nullable Environment> INSTALLED = new ThreadLocal<>();

  /** Creates an environment. */
  protected Environment() {}

  /** Returns the environment of the calling thread. */
  public static Environment current() {
    Environment installed = INSTALLED.get();
    return installed == null ? Real.INSTANCE : installed;
  }

  /** Runs {@code work} with this environment installed for the calling thread. */
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

  /** Returns a random number from {@code least}, inclusive, to {@code bound}, exclusive. */
  public abstract long random(long least, long bound);

  /** Returns the time of day. */
  public Instant now() {
    return Instant.now();
  }

  /** Returns random bytes that nobody can guess; blocks until the operating system has some. */
  public byte[] secret(int size) {
    byte[] bytes = new byte[size];
    new SecureRandom().nextBytes(bytes);
    return bytes;
  }

  /** Returns the number of cores. */
  public abstract int processors();

  /**
   * Returns the scheduler that encodes and decodes; its tasks never block. All arrays of the
   * process share its threads, daemons, one for each core. They are separate from Reactor's
   * schedulers, where a long decode would delay the timers of the application.
   */
  public abstract Scheduler codecScheduler();

  /** Returns the single-threaded scheduler of timers; its tasks are short. */
  public abstract Scheduler timer();

  /**
   * Returns the threads of a module's own, which may block; a simulation has others in their place.
   */
  public Scheduler blockingThreads(Supplier<Scheduler> own) {
    return own.get();
  }

  /** The environment of every thread outside of a simulation. */
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
