package dev.zarrreactive.internal.context;

import dev.zarrreactive.internal.flow.ByteBudget;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * The lease for the bytes of fetches that were planned together: for the stored bytes until they
 * are decoded, and for the decoded chunks until they are placed or delivered. All of these fetches
 * share one lease, so that a fetch which holds bytes never waits for another one's lease.
 */
public final class ByteLease {
  private final ByteBudget.Share share;
  private final long bytes;
  private final AtomicInteger fetches;
  private final boolean isHandedOn;
  private final @Nullable ByteLease outer;
  private ByteBudget.@Nullable Lease lease;

  /**
   * Creates a lease that is not acquired yet.
   *
   * @param bytes the stored and the decoded bytes of all fetches
   * @param fetches the number of fetches
   * @param isHandedOn true if each chunk is released when it is delivered, false if with the last
   *     fetch
   * @param outer the lease that has these bytes already; null for none
   */
  public ByteLease(
      ByteBudget.Share share,
      long bytes,
      int fetches,
      boolean isHandedOn,
      @Nullable ByteLease outer) {
    this.share = share;
    this.bytes = bytes;
    this.fetches = new AtomicInteger(fetches);
    this.isHandedOn = isHandedOn;
    this.outer = outer;
  }

  /**
   * Joins the operation's queue of leases at the first call. Returns the lease that is awaited;
   * null if it is granted already.
   */
  public ByteBudget.@Nullable Lease acquire() {
    if (bytes == 0) {
      return null;
    }
    ByteBudget.Lease taken;
    synchronized (this) {
      if (lease == null) {
        lease = share.lease(bytes);
      }
      taken = lease;
    }
    return taken.isHeld() ? null : taken;
  }

  /** Releases the stored bytes of one fetch, whose pieces are all decoded. */
  public void decoded(long encoded) {
    if (outer == null) {
      boolean isLast = fetches.decrementAndGet() == 0;
      giveBack(encoded, isLast && !isHandedOn);
    }
  }

  /** Releases the bytes of a decoded chunk that was delivered to the subscriber. */
  public void handedOn(long decoded) {
    (outer == null ? this : outer).giveBack(decoded, false);
  }

  /**
   * Returns a lease for the fetches that replace one of this lease's fetches. It is granted
   * already; the stored bytes are still released by the replaced fetch.
   */
  public ByteLease within() {
    return new ByteLease(share, 0, Integer.MAX_VALUE, isHandedOn, outer == null ? this : outer);
  }

  private void giveBack(long some, boolean isLast) {
    ByteBudget.Lease taken;
    synchronized (this) {
      taken = lease;
    }
    if (taken != null && isLast) {
      taken.end();
    } else if (taken != null) {
      taken.giveBack(some);
    }
  }
}
