package dev.zarrreactive.simulation;

import dev.zarrreactive.ZarrHierarchy;
import java.util.concurrent.TimeUnit;

/**
 * Judges the bytes that the operations of one hierarchy hold. They exceed the bound only where a
 * consumer or a request may hold bytes for long, by one lease at a time, by a quarter or one larger
 * lease in all, and only after a silence in which no bytes were leased or released. An operation is
 * refused only where they exceed the bound, after a longer silence.
 */
final class HeldBytes {
  /** The least silence; it is a second until such a lease, and then this until one fits again. */
  private static final long SILENCE = TimeUnit.MILLISECONDS.toNanos(50);

  /** The least silence before an operation is refused. */
  private static final long LONG_SILENCE = TimeUnit.MINUTES.toNanos(1);

  /** An operation hears a little later, on a codec thread, when bytes may be released already. */
  private static final long DELAY = TimeUnit.SECONDS.toNanos(1);

  private final Simulation run;
  private final ZarrHierarchy hierarchy;
  private final long bound;
  private final boolean mayExceed;
  private long held;
  private long lastChange;
  private long lastRefusal;
  private boolean hasRefused;

  HeldBytes(Simulation run, ZarrHierarchy hierarchy, long bound, boolean mayExceed) {
    this.run = run;
    this.hierarchy = hierarchy;
    this.bound = bound;
    this.mayExceed = mayExceed;
  }

  /**
   * Returns true where an operation may be refused now, because others hold all bytes for long, or
   * hears now that it was.
   */
  boolean mayRefuse() {
    return isRefusing() || (hasRefused && run.time().now() - lastRefusal < DELAY);
  }

  private boolean isRefusing() {
    return mayExceed && held > bound && run.time().now() - lastChange >= LONG_SILENCE;
  }

  /** Judges the bytes that are held between two events. */
  void check() {
    long now = hierarchy.bytesInFlight();
    if (now == held) {
      return;
    }
    long silence = run.time().now() - lastChange;
    boolean isExcess = now > bound && now > held;
    boolean isBeyondTheExcess = held > bound && now > bound + bound / 4;
    if (isExcess && (!mayExceed || silence < SILENCE || now > held + bound || isBeyondTheExcess)) {
      run.found(
          Rule.BYTES,
          now + " bytes in flight of " + bound + ", " + held + " until " + silence + " ns ago");
    }
    if (isRefusing()) {
      hasRefused = true;
      lastRefusal = run.time().now();
    }
    held = now;
    lastChange = run.time().now();
  }
}
