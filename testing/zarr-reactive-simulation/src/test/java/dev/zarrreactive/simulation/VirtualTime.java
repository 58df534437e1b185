package dev.zarrreactive.simulation;

import java.util.PriorityQueue;
import java.util.SplittableRandom;
import reactor.core.Disposable;

/**
 * The clock and the queue of everything that is still to happen. Time stands still while an event
 * runs, and jumps to the next event then. The seed decides the order of events of one nanosecond.
 */
final class VirtualTime {
  private final PriorityQueue<Event> events = new PriorityQueue<>();
  private final SplittableRandom lots;
  private long now = 1_000_000_000L;
  private long scheduled;

  VirtualTime(long seed) {
    this.lots = new SplittableRandom(seed);
  }

  /** Returns the nanoseconds since a fixed moment. */
  long now() {
    return now;
  }

  /** Runs {@code work} after {@code nanos}, unless the result is disposed of before. */
  Disposable after(long nanos, Runnable work) {
    Event event = new Event(now + Math.max(0, nanos), lots.nextInt(), scheduled++, work);
    events.add(event);
    return event;
  }

  /** Runs the next event; returns false where nothing is left to run. */
  boolean step() {
    Event next = events.poll();
    while (next != null && next.isDisposed) {
      next = events.poll();
    }
    if (next == null) {
      return false;
    }
    now = next.time;
    next.isDisposed = true;
    next.work.run();
    return true;
  }

  private static final class Event implements Disposable, Comparable<Event> {
    private final long time;
    private final int lot;
    private final long number;
    private final Runnable work;
    private boolean isDisposed;

    Event(long time, int lot, long number, Runnable work) {
      this.time = time;
      this.lot = lot;
      this.number = number;
      this.work = work;
    }

    @Override
    public int compareTo(Event other) {
      int byTime = Long.compare(time, other.time);
      int byLot = byTime != 0 ? byTime : Integer.compare(lot, other.lot);
      return byLot != 0 ? byLot : Long.compare(number, other.number);
    }

    @Override
    public void dispose() {
      isDisposed = true;
    }

    @Override
    public boolean isDisposed() {
      return isDisposed;
    }
  }
}
