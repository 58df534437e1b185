package dev.zarrreactive.simulation;

import dev.zarrreactive.ZarrHierarchy;
import java.util.concurrent.TimeUnit;

/**
 * Judges the bytes that the operations of one hierarchy hold. They exceed the bound only where a
 * consumer or a request may hold bytes for long, by one lease at a time, and only after a second in
 * which no bytes were leased or released. After such a lease a twentieth of a second is enough,
 * until a lease fits into the bound again.
 */
final class HeldBytes {
  private static final long PATIENCE = TimeUnit.SECONDS.toNanos(1);
  private static final long LESS_PATIENCE = TimeUnit.MILLISECONDS.toNanos(50);

  private final Simulation run;
  private final ZarrHierarchy hierarchy;
  private final long bound;
  private final boolean mayExceed;
  private long held;
  private long lastChange;
  private boolean hasExceeded;

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
    long patience = hasExceeded ? LESS_PATIENCE : PATIENCE;
    if (now > bound && now > held) {
      if (!mayExceed || silence < patience || now > held + bound) {
        run.found(
            Rule.BYTES,
            now + " bytes in flight of " + bound + ", " + held + " until " + silence + " ns ago");
      }
      hasExceeded = true;
    } else if (now > held) {
      hasExceeded = false; // a lease within the bound
    }
    held = now;
    lastChange = run.time().now();
  }
}
