package dev.zarrreactive.internal.flow;

import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;
import reactor.core.publisher.Sinks;
import reactor.core.scheduler.Scheduler;

/**
 * How many bytes all operations of one client hold at a time: those that are fetched or about to
 * be, and what is decoded of them. Nobody blocks. Operations take turns; within one, leases are
 * granted in the order in which they were made. Whoever holds nothing waits until there is room,
 * and the others wait for it. Whoever holds something gets more only as long as it holds at most
 * three times what stays free, so that a stream that nobody consumes leaves room for the others. A
 * lease that is larger than the whole budget is granted alone.
 *
 * <p>Where two streams wait for each other's consumer, this bound would hold them for ever: after a
 * second in which nothing was granted or given back, an operation that holds nothing gets its first
 * lease beyond the bound. Until a lease fits into the bound again, it waits for a twentieth of a
 * second only: a reader beside streams that stopped is slow, and not a chunk a second.
 */
public final class ByteBudget {
  private static final Duration PATIENCE = Duration.ofSeconds(1);
  private static final Duration LESS_PATIENCE = Duration.ofMillis(50);

  private final long total;
  private final Scheduler timer;
  private final FairQueue<Share, Lease> waiting = new FairQueue<>();
  private long held;
  private long moves;
  private boolean watched;
  private boolean isStalled; // the last lease was granted beyond the bound

  /** A budget of so many bytes, which looks at the time on {@code timer}. */
  public ByteBudget(long bytes, Scheduler timer) {
    this.total = bytes;
    this.timer = timer;
  }

  /** Returns {@code count} times so many bytes, or the most that there are. */
  public static long product(long count, long bytes) {
    return bytes > 0 && count > Long.MAX_VALUE / bytes ? Long.MAX_VALUE : count * bytes;
  }

  /** Returns the sum of two numbers of bytes, or the most that there are. */
  public static long sum(long a, long b) {
    return a > Long.MAX_VALUE - b ? Long.MAX_VALUE : a + b;
  }

  /** Returns the bytes that a compressor makes of bytes that it cannot make smaller. */
  public static long expected(long decoded) {
    return sum(decoded, decoded / 64 + 64);
  }

  /** The bytes that are held now. */
  public synchronized long held() {
    return held;
  }

  /** Returns the most bytes. */
  public long total() {
    return total;
  }

  /** The part of one operation. */
  public Share share() {
    return new Share();
  }

  private void serve() {
    for (Lease next = next(); next != null; next = next()) {
      next.granted.tryEmitEmpty();
    }
  }

  private synchronized @Nullable Lease next() {
    int turns = waiting.operations().size();
    for (Lease first = waiting.peek(); first != null && turns > 0; first = waiting.peek()) {
      if (first.share.mayHave(first.charge)) {
        isStalled = false;
        waiting.poll();
        return first.share.take(first);
      }
      if (first.share.held == 0) {
        return null;
      }
      waiting.pass(first.share);
      turns--;
    }
    return null;
  }

  private void move(long bytes) {
    held += bytes;
    moves++;
  }

  /** Looks again in a while; called with the lock held, by a share that begins to wait. */
  private void watch() {
    if (!watched) {
      watched = true;
      long before = moves;
      Duration patience = isStalled ? LESS_PATIENCE : PATIENCE;
      timer.schedule(() -> insist(before), patience.toMillis(), TimeUnit.MILLISECONDS);
    }
  }

  private void insist(long before) {
    Lease taken = null;
    synchronized (this) {
      watched = false;
      if (moves == before) {
        taken = beyondTheBound();
      }
      if (waiting.size() > 0) {
        watch();
      }
    }
    if (taken != null) {
      taken.granted.tryEmitEmpty();
    }
  }

  private @Nullable Lease beyondTheBound() {
    for (Share share : waiting.operations()) {
      Lease first = share.held == 0 ? waiting.peek(share) : null;
      if (first != null) {
        waiting.remove(share, first);
        waiting.pass(share);
        isStalled = true;
        return share.take(first);
      }
    }
    return null;
  }

  /** What one operation holds. */
  public final class Share {
    private long held;
    private boolean closed;

    private Share() {}

    /** A lease that has its place in the line, or is granted already. */
    public Lease lease(long bytes) {
      synchronized (ByteBudget.this) {
        Lease lease = new Lease(this, bytes);
        if (closed) {
          return lease; // of an operation that is over; nobody waits for it
        }
        boolean isNext =
            !waiting.isWaiting(this)
                && waiting.operations().stream().allMatch(other -> other.held > 0);
        if (isNext && mayHave(lease.charge)) {
          isStalled = false;
          take(lease).granted.tryEmitEmpty();
        } else {
          waiting.add(this, lease);
          watch();
        }
        return lease;
      }
    }

    /** Gives everything back: the operation is over. */
    public void close() {
      synchronized (ByteBudget.this) {
        closed = true;
        waiting.removeAll(this);
        move(-held);
        held = 0;
      }
      serve();
    }

    private boolean mayHave(long bytes) {
      long free = total - ByteBudget.this.held - bytes;
      return free >= 0 && (held == 0 || held + bytes <= 3 * free);
    }

    private Lease take(Lease lease) {
      held += lease.charge;
      move(lease.charge);
      lease.isHeld = true;
      return lease;
    }

    private void giveBack(long bytes) {
      if (!closed) {
        held -= bytes;
        move(-bytes);
      }
    }
  }

  /** Some bytes of one operation's share. */
  public final class Lease {
    private final Share share;
    private final Sinks.Empty<Void> granted = Sinks.empty();
    private long bytes;
    private long charge;
    private boolean isHeld;

    private Lease(Share share, long bytes) {
      this.share = share;
      this.bytes = bytes;
      this.charge = Math.min(bytes, total);
    }

    /** Returns true where the bytes are held now. */
    public boolean isHeld() {
      synchronized (ByteBudget.this) {
        return isHeld;
      }
    }

    /** Completes when the bytes are held. */
    public Mono<Void> granted() {
      return granted.asMono();
    }

    /** Gives some of the bytes back, also where they are not held yet. */
    public void giveBack(long some) {
      synchronized (ByteBudget.this) {
        bytes = Math.max(0, bytes - some);
        long less = charge - Math.min(bytes, total);
        charge -= less;
        if (isHeld) {
          share.giveBack(less);
        }
      }
      serve();
    }

    /** Gives back what is left, or the place in the line. */
    public void end() {
      synchronized (ByteBudget.this) {
        if (isHeld) {
          share.giveBack(charge);
        } else {
          waiting.remove(share, this);
        }
        isHeld = false;
        charge = 0;
      }
      serve();
    }
  }
}
