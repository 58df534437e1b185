package dev.zarrreactive.internal.pipeline;

import java.util.concurrent.atomic.AtomicInteger;
import reactor.core.publisher.Mono;

/**
 * The bytes of chunks that are fetched together: leased at once, given back one by one as the
 * chunks are decoded and handed on. Leases for each chunk alone would stop for ever where those
 * that hold bytes wait for others of the same request.
 */
final class HeldBytes {
  private final ByteBudget.Lease lease;
  private final long encoded;
  private final long decodedEach;
  private final AtomicInteger undecoded;
  private final AtomicInteger unheard;

  /**
   * The bytes of some chunks.
   *
   * @param chunks how many chunks there are
   * @param encoded what is to be given back when the last of them is decoded
   * @param decodedEach what is to be given back when one of them is handed on
   */
  HeldBytes(ByteBudget.Share share, int chunks, long encoded, long decodedEach) {
    this.encoded = encoded;
    this.decodedEach = decodedEach;
    this.undecoded = new AtomicInteger(chunks);
    this.unheard = new AtomicInteger(chunks);
    this.lease = share.lease(sum(encoded, product(chunks, decodedEach)));
  }

  /** Completes when there is room for all of them. */
  Mono<Void> granted() {
    return lease.granted();
  }

  /** One chunk more is decoded. */
  void decoded() {
    if (undecoded.decrementAndGet() == 0) {
      lease.giveBack(encoded);
    }
  }

  /** One chunk more is the subscriber's. */
  void handedOn() {
    if (unheard.decrementAndGet() == 0) {
      lease.end();
    } else {
      lease.giveBack(decodedEach);
    }
  }

  /** None of the chunks comes. */
  void release() {
    lease.end();
  }

  static long product(long count, long bytes) {
    return bytes > 0 && count > Long.MAX_VALUE / bytes ? Long.MAX_VALUE : count * bytes;
  }

  static long sum(long a, long b) {
    return a > Long.MAX_VALUE - b ? Long.MAX_VALUE : a + b;
  }
}
