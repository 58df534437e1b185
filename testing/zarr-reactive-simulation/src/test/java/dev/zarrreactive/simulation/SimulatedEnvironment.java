package dev.zarrreactive.simulation;

import dev.zarrreactive.internal.threads.Environment;
import java.time.Instant;
import java.util.SplittableRandom;
import java.util.function.Supplier;
import reactor.core.scheduler.Scheduler;
import reactor.core.scheduler.Schedulers;

/** Gives the library the clock, the chance and the threads of one simulation. */
final class SimulatedEnvironment extends Environment {
  private static final Instant BEGINNING = Instant.parse("2026-01-01T00:00:00Z");
  private static final int PROCESSORS = 4;
  private static final long LONGEST_DECODE = 200_000;
  private static final long LATEST_TIMER = 50_000;

  private final VirtualTime time;
  private final SplittableRandom chance;
  private final Scheduler codecs;
  private final Scheduler timer;

  SimulatedEnvironment(VirtualTime time, SplittableRandom chance) {
    this.time = time;
    this.chance = chance;
    this.codecs = new SimulatedScheduler(time, chance.split(), LONGEST_DECODE);
    this.timer = new SimulatedScheduler(time, chance.split(), LATEST_TIMER);
  }

  @Override
  public long nanoTime() {
    return time.now();
  }

  @Override
  public long random(long least, long bound) {
    return chance.nextLong(least, bound);
  }

  @Override
  public Instant now() {
    return BEGINNING.plusNanos(time.now());
  }

  @Override
  public byte[] secret(int size) {
    byte[] bytes = new byte[size];
    chance.nextBytes(bytes);
    return bytes;
  }

  @Override
  public int processors() {
    return PROCESSORS;
  }

  @Override
  public Scheduler codecScheduler() {
    return codecs;
  }

  @Override
  public Scheduler blockingThreads(Supplier<Scheduler> own) {
    return codecs;
  }

  @Override
  public Scheduler timer() {
    return timer;
  }

  /** Does what needs no time, after the last event. */
  static void withoutTime(Runnable work) {
    new Timeless()
        .within(
            () -> {
              work.run();
              return work;
            });
  }

  /** An environment in which all happens at once. */
  private static final class Timeless extends Environment {
    @Override
    public long nanoTime() {
      return 0;
    }

    @Override
    public long random(long least, long bound) {
      return least;
    }

    @Override
    public int processors() {
      return 1;
    }

    @Override
    public Scheduler codecScheduler() {
      return Schedulers.immediate();
    }

    @Override
    public Scheduler blockingThreads(Supplier<Scheduler> own) {
      return Schedulers.immediate();
    }

    @Override
    public Scheduler timer() {
      return Schedulers.immediate();
    }
  }
}
