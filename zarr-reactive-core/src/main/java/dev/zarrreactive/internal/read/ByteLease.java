package dev.zarrreactive.internal.read;

import dev.zarrreactive.internal.flow.ByteBudget;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;

/**
 * The lease of the bytes of fetches that were planned together: of the stored bytes, until they are
 * decoded, and of the decoded chunks, until they are placed or handed on. One lease for all of them
 * keeps a fetch that has its bytes from waiting for a fetch that has none.
 */
final class ByteLease {
  private final ByteBudget.Share share;
  private final long bytes;
  private final AtomicInteger fetches;
  private final boolean isHandedOn;
  private final @Nullable ByteLease outer;
  private ByteBudget.@Nullable Lease lease;

  /**
   * A lease, not yet taken.
   *
   * @param bytes of everything
   * @param fetches the number of fetches
   * @param isHandedOn true where each chunk is given back on its own, not with the last fetch
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
   * Takes its place in the line of the operation, the first time that it is called; completes when
   * the bytes are leased. Null where they are already.
   */
  @Nullable Mono<Void> acquired() {
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

  /** Gives back the stored bytes of one fetch, whose pieces are all decoded. */
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

  /** Gives back a decoded chunk, which is the subscriber's. */
  void handedOn(long decoded) {
    if (outer != null) {
      outer.handedOn(decoded);
    } else {
      giveBack(decoded);
    }
  }

  /**
   * Returns a lease for fetches that take the place of one of this lease's: it is there already,
   * and the stored bytes stay with the fetch that is replaced.
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
