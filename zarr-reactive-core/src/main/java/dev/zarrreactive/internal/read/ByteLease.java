package dev.zarrreactive.internal.read;

import dev.zarrreactive.internal.flow.ByteBudget;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;

/**
 * The lease for the bytes of fetches that were planned together: for the stored bytes until they
 * are decoded, and for the decoded chunks until they are placed or delivered. All of these fetches
 * share one lease, so that a fetch which holds bytes never waits for another one's lease.
 */
final class ByteLease {
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
   */
  ByteLease(ByteBudget.Share share, long bytes, int fetches, boolean isHandedOn) {
    this(share, bytes, fetches, isHandedOn, null);
  }

  private ByteLease(
      ByteBudget.Share share,
      long bytes,
      int fetches,
      boolean isHandedOn,
      @Nullable ByteLease outer) {
    this.outer = outer;
    this.share = share;
    this.bytes = bytes;
    this.fetches = new AtomicInteger(fetches);
    this.isHandedOn = isHandedOn;
  }

  /**
   * Joins the operation's queue of leases at the first call. Completes when the lease is granted;
   * null if it is granted already.
   */
  @Nullable Mono<Void> acquire() {
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
    return taken.isHeld() ? null : taken.granted();
  }

  /** Releases the stored bytes of one fetch, whose pieces are all decoded. */
  void decoded(long encoded) {
    if (outer != null) {
      return;
    }
    if (fetches.decrementAndGet() == 0 && !isHandedOn) {
      end();
    } else {
      giveBack(encoded);
    }
  }

  /** Releases the bytes of a decoded chunk that was delivered to the subscriber. */
  void handedOn(long decoded) {
    if (outer != null) {
      outer.handedOn(decoded);
    } else {
      giveBack(decoded);
    }
  }

  /**
   * Returns a lease for the fetches that replace one of this lease's fetches. It is granted
   * already; the stored bytes are still released by the replaced fetch.
   */
  ByteLease within() {
    return new ByteLease(share, 0, Integer.MAX_VALUE, isHandedOn, this);
  }

  private void giveBack(long some) {
    ByteBudget.Lease taken = taken();
    if (taken != null) {
      taken.giveBack(some);
    }
  }

  private void end() {
    ByteBudget.Lease taken = taken();
    if (taken != null) {
      taken.end();
    }
  }

  private synchronized ByteBudget.@Nullable Lease taken() {
    return lease;
  }
}
