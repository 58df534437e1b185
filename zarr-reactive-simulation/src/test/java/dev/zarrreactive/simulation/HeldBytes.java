package dev.zarrreactive.simulation;

import dev.zarrreactive.ZarrHierarchy;
import java.util.concurrent.TimeUnit;

/**
 * Judges the bytes that the operations of one hierarchy hold. They exceed the bound only where a
 * consumer or a request may hold bytes for long, by one lease at a time, and only after a silence
 * in which no bytes were leased or released.
 */
final class HeldBytes {
  /** The least silence; it is a second until such a lease, and then this until one fits again. */
  private static final long SILENCE = TimeUnit.MILLISECONDS.toNanos(50);

  private final Simulation run;
  private final ZarrHierarchy hierarchy;
  private final long bound;
  private final boolean mayExceed;
  private long held;
  private long lastChange;

  HeldBytes(Simulation run, ZarrHierarchy hierarchy, long bound, boolean mayExceed) {
    this.run = run;
    this.hierarchy = hierarchy;
    this.bound = bound;
    this.mayExceed = mayExceed;
  }

  /** Judges the bytes that are held between two events. */
  void check() {
    long now = hierarchy.bytesInFlight();
    if (now == held) {
      return;
    }
    long silence = run.time().now() - lastChange;
    boolean isExcess = now > bound && now > held;
    if (isExcess && (!mayExceed || silence < SILENCE || now > held + bound)) {
      run.found(
          Rule.BYTES,
          now + " bytes in flight of " + bound + ", " + held + " until " + silence + " ns ago");
    }
    held = now;
    lastChange = run.time().now();
  }
}
