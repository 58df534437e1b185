package dev.zarrreactive.internal.pipeline;

import java.util.ArrayDeque;
import java.util.Queue;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;
import reactor.core.publisher.MonoSink;

/**
 * How many fetched bytes one operation may hold. Who wants more than is free waits in line, first
 * come, first served, and nobody blocks; who wants more than there is goes alone. The line is
 * forgotten with the operation, which ends as a whole.
 */
final class ByteBudget {
  private final long total;
  private final Queue<Lease> line = new ArrayDeque<>();
  private long free;

  ByteBudget(long bytes) {
    this.total = bytes;
    this.free = bytes;
  }

  /** A lease of so many bytes, not granted yet, with one holder. */
  Lease lease(long bytes) {
    return new Lease(Math.min(bytes, total));
  }

  /** A lease that is granted already; null where others wait or too little is free. */
  synchronized @Nullable Lease leaseNow(long bytes) {
    Lease lease = lease(bytes);
    if (!line.isEmpty() || lease.bytes > free) {
      return null;
    }
    free -= lease.bytes;
    lease.granted = true;
    return lease;
  }

  private void grant() {
    for (Lease next = next(); next != null; next = next()) {
      MonoSink<Boolean> waiting = next.waiting;
      if (waiting != null) {
        waiting.success(true);
      }
    }
  }

  private synchronized @Nullable Lease next() {
    Lease first = line.peek();
    if (first == null || first.bytes > free) {
      return null;
    }
    free -= first.bytes;
    first.granted = true;
    return line.remove();
  }

  private synchronized void enter(Lease lease) {
    line.add(lease);
  }

  private synchronized void giveBack(Lease lease) {
    if (lease.granted) {
      free += lease.bytes;
    }
  }

  /** Some bytes of the budget, given back when the last holder releases them. */
  final class Lease {
    private final long bytes;
    private final AtomicInteger holders = new AtomicInteger(1);
    private @Nullable MonoSink<Boolean> waiting;
    private boolean granted;

    private Lease(long bytes) {
      this.bytes = bytes;
    }

    /** True when the bytes are there; to be subscribed to once. */
    Mono<Boolean> granted() {
      return granted
          ? Mono.just(true)
          : Mono.create(
              sink -> {
                waiting = sink;
                enter(this);
                grant();
              });
    }

    /** One more holder. */
    void retain() {
      holders.incrementAndGet();
    }

    /** One holder less. */
    void release() {
      if (holders.decrementAndGet() == 0) {
        giveBack(this);
        grant();
      }
    }
  }
}
