package dev.zarrreactive.internal.flow;

import dev.zarrreactive.error.Location;
import dev.zarrreactive.error.MemoryExhaustedException;
import dev.zarrreactive.internal.flow.AsyncSemaphore.FairQueue;
import dev.zarrreactive.internal.text.Durations;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;
import reactor.core.CoreSubscriber;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.publisher.Operators;
import reactor.core.publisher.Sinks;
import reactor.core.scheduler.Scheduler;

/**
 * A bound on the bytes, encoded and decoded, that all operations of one hierarchy hold. A lease is
 * awaited without blocking a thread. Operations take turns, and the leases of one operation are
 * granted in the order in which they were made. An operation that holds no lease waits until there
 * is room, and the others wait for it. An operation that holds leases gets another one only if it
 * then holds at most three times the bytes that stay free. So a stream with a stopped subscriber
 * leaves room for the others. A lease larger than the budget counts as the whole budget.
 *
 * <p>An operation that holds bytes until it ends, and needs others in the meantime, takes a lasting
 * lease. Beside all lasting leases, the bytes that each holder needs stay free for it. So such
 * operations never wait for each other with bytes in hand. One that would not leave that room waits
 * for the end of another, and lets others pass.
 *
 * <p>Two streams whose subscribers wait for each other would deadlock. So after a second without a
 * grant, a release or progress, a waiting operation gets its first lease beyond the bound. The next
 * wait takes only a twentieth of a second, until a lease fits into the bound again. So a reader
 * beside stopped streams gets more than one chunk a second.
 *
 * <p>A stream reads ahead while its subscriber has no demand. The lease for that exceeds the bound
 * by an eighth at most. Beyond that it lets other operations pass, and is never refused.
 *
 * <p>All leases beyond the bound are at most a quarter of it, or one larger lease. The other
 * operations wait until a holder gives bytes back. The subscriber of each holder may wait for one
 * of them. So after a minute without a move they are refused with an error, one after the other,
 * until something moves. Operations for the clients of a service are independent of each other, and
 * are never refused, unless they are given a longest wait.
 *
 * <p>A service has a reserve beside. Only small operations lease bytes of it, whose results a
 * connection takes at once. They pass the others there: a slow client of a large result holds its
 * bytes for long, and those of a small one are back as soon as they are decoded. All other leases
 * share the rest of the budget.
 */
public final class ByteBudget {
  private static final Duration PATIENCE = Duration.ofSeconds(1);

  /** The most bytes of a small result: a fraction of what Reactor Netty queues for a connection. */
  public static final int SMALL = 256 << 10;

  private static final Duration LESS_PATIENCE = Duration.ofMillis(50);

  /** The time without a move after which a waiting operation is refused. */
  static final Duration LONGEST_WAIT = Duration.ofMinutes(1);

  private final long total;
  private final Scheduler timer;
  private final boolean isForIndependent;

  /** The bytes that only small operations lease; 0 for none. */
  private final long reserve;

  /** The bytes that all operations lease in turn. */
  private final long common;

  /** The longest wait of an operation for its first bytes; null for any. */
  private final @Nullable Duration mostWait;

  private final FairQueue<Share, Lease> waiting = new FairQueue<>();
  private final List<Lease> lasting = new ArrayList<>();
  private long held;
  private long reservedHeld; // of the reserve
  private long moves;
  private boolean watched;
  private boolean isStalled; // the last lease was granted beyond the bound
  private Duration still = Duration.ZERO; // the time without a move, as far as it was looked at

  /** Creates a budget of {@code bytes}, which measures time by {@code timer}. */
  public ByteBudget(long bytes, Scheduler timer) {
    this(bytes, timer, false);
  }

  /**
   * Creates a budget.
   *
   * @param isForIndependent true where no operation waits for another one's subscriber
   */
  public ByteBudget(long bytes, Scheduler timer, boolean isForIndependent) {
    this(bytes, timer, isForIndependent, 0, null);
  }

  private ByteBudget(
      long bytes,
      Scheduler timer,
      boolean isForIndependent,
      long reserve,
      @Nullable Duration mostWait) {
    this.total = bytes;
    this.timer = timer;
    this.isForIndependent = isForIndependent;
    this.reserve = reserve;
    this.common = bytes - reserve;
    this.mostWait = mostWait;
  }

  /**
   * Creates the budget of a service, whose operations do not wait for another one's subscriber. A
   * quarter of it is the reserve for small operations.
   *
   * @param mostWait the longest wait of an operation for its first bytes, after which it is
   *     refused; null for any
   */
  public static ByteBudget ofService(long bytes, Scheduler timer, @Nullable Duration mostWait) {
    return new ByteBudget(bytes, timer, true, bytes / 4, mostWait);
  }

  /**
   * Returns true for a result that a connection takes at once, so that its bytes are soon given
   * back.
   */
  public static boolean isSmall(long bytes) {
    return bytes <= SMALL;
  }

  /** Returns the product, saturated at {@link Long#MAX_VALUE}. */
  public static long product(long count, long bytes) {
    return bytes > 0 && count > Long.MAX_VALUE / bytes ? Long.MAX_VALUE : count * bytes;
  }

  /** Returns the sum, saturated at {@link Long#MAX_VALUE}. */
  public static long sum(long a, long b) {
    return a > Long.MAX_VALUE - b ? Long.MAX_VALUE : a + b;
  }

  /** Returns the encoded size of incompressible bytes. */
  public static long expected(long decoded) {
    return sum(decoded, decoded / 64 + 64);
  }

  /** Returns the bytes that are leased now. */
  public synchronized long held() {
    return held;
  }

  /** Returns the bound. */
  public long total() {
    return total;
  }

  /** Returns a new share, for one operation. */
  public Share share() {
    return share(false);
  }

  /**
   * Returns a new share, for one operation.
   *
   * @param isSmall true for an operation whose result is {@linkplain #isSmall small}
   */
  public Share share(boolean isSmall) {
    return new Share(new AtomicLong(Long.MAX_VALUE), new AtomicBoolean(), isSmall);
  }

  /** Returns true if an operation that leases so many bytes now would have to wait. */
  public synchronized boolean isCrowded(long bytes) {
    return waiting.size() > 0 || common - (held - reservedHeld) < Math.min(bytes, common);
  }

  /** Returns the bytes that only small operations lease; 0 for none. */
  public long reserve() {
    return reserve;
  }

  private void serve() {
    for (Lease next = next(); next != null; next = next()) {
      next.turn.tryEmitEmpty();
    }
  }

  private synchronized @Nullable Lease next() {
    Lease first = nextInTurn();
    return first == null && reserve > 0 ? nextOfReserve() : first;
  }

  private @Nullable Lease nextOfReserve() {
    for (Share share : waiting.operations()) {
      Lease first = waiting.peek(share);
      if (first != null && share.mayHaveReserved(first)) {
        waiting.remove(share, first);
        waiting.pass(share);
        return share.takeReserved(first);
      }
    }
    return null;
  }

  private @Nullable Lease nextInTurn() {
    int turns = waiting.operations().size();
    for (Lease first = waiting.peek(); first != null && turns > 0; first = waiting.peek()) {
      if (first.share.mayHave(first)) {
        isStalled = false;
        waiting.poll();
        return first.share.take(first);
      }
      if (first.mustBeNext()) {
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

  /** Schedules a check for a deadlock. Called with the lock held, when a share begins to wait. */
  private void watch() {
    if (!watched) {
      watched = true;
      long before = moves;
      boolean isRefusing = still.compareTo(LONGEST_WAIT) >= 0;
      Duration patience = isStalled || isRefusing ? LESS_PATIENCE : PATIENCE;
      timer.schedule(() -> insist(before, patience), patience.toMillis(), TimeUnit.MILLISECONDS);
    }
  }

  private void insist(long before, Duration waited) {
    Lease taken = null;
    Lease refused = null;
    long beside;
    synchronized (this) {
      watched = false;
      still = moves == before ? still.plus(waited) : Duration.ZERO;
      if (moves == before) {
        taken = beyondTheBound();
        if (taken == null && !isForIndependent && still.compareTo(LONGEST_WAIT) >= 0) {
          refused = firstStarved();
        }
      }
      beside = held;
      if (waiting.size() > 0) {
        watch();
      } else {
        still = Duration.ZERO;
      }
    }
    if (taken != null) {
      taken.turn.tryEmitEmpty();
    }
    if (refused != null) {
      refused.turn.tryEmitError(refusal(refused.bytes, beside));
    }
  }

  private @Nullable Lease beyondTheBound() {
    Lease first = firstBeyondTheBound(true);
    if (first == null) {
      first = firstBeyondTheBound(false);
    }
    isStalled = first != null; // look again in a second, if not
    return first;
  }

  private @Nullable Lease firstBeyondTheBound(boolean isDemanded) {
    for (Share share : waiting.operations()) {
      Lease first =
          share.held == 0 && share.isDemanded() == isDemanded ? waiting.peek(share) : null;
      if (first != null && mayExceed(first.charge, isDemanded)) {
        waiting.remove(share, first);
        waiting.pass(share);
        still = Duration.ZERO;
        return share.take(first);
      }
    }
    return null;
  }

  /** Leases for what streams read ahead leave half of the excess to the others. */
  private boolean mayExceed(long bytes, boolean isDemanded) {
    long heldInTurn = held - reservedHeld;
    return isDemanded
        ? heldInTurn <= common || sum(heldInTurn, bytes) <= sum(common, total / 4)
        : sum(heldInTurn, bytes) <= sum(common, total / 8);
  }

  /** Takes the first lease of an operation that holds no bytes out of the queue. */
  private @Nullable Lease firstStarved() {
    for (Share share : waiting.operations()) {
      Lease first = share.isStarved() ? waiting.peek(share) : null;
      if (first != null) {
        waiting.remove(share, first);
        return first;
      }
    }
    return null;
  }

  /** Refuses the first lease of an operation that has waited as long as it may. */
  private void refuseLate(Lease late, Duration waited) {
    long beside;
    synchronized (this) {
      if (late.share.hasBegun.get() || !waiting.remove(late.share, late)) {
        return;
      }
      if (!late.share.isDemanded()) {
        waiting.add(late.share, late); // its subscriber has stopped, and waits for nothing
        late.limit(waited);
        return;
      }
      beside = held;
    }
    late.turn.tryEmitError(
        new MemoryExhaustedException(
            "no room for "
                + late.bytes
                + " bytes in "
                + Durations.text(waited)
                + ": other operations of the same hierarchy hold "
                + beside
                + " bytes, of at most "
                + total
                + " in flight. Try again later, or allow more bytes by"
                + " ZarrOptions.withMaxInFlightBytes or a longer wait by ZarrOptions.withMaxWait",
            late.bytes,
            Location.UNKNOWN));
    serve();
  }

  private MemoryExhaustedException refusal(long bytes, long beside) {
    return new MemoryExhaustedException(
        "no room for "
            + bytes
            + " bytes: other operations of the same hierarchy hold "
            + beside
            + " bytes, of at most "
            + total
            + " in flight, and none of them has moved for "
            + Durations.text(LONGEST_WAIT)
            + ". Their subscribers have stopped, or wait for this operation. Cancel streams that are"
            + " not read on, or allow more bytes by ZarrOptions.withMaxInFlightBytes",
        bytes,
        Location.UNKNOWN);
  }

  /** The leases of one operation. */
  public final class Share {
    /** The open demand of a stream's subscriber; more than 0 for all other operations. */
    private final AtomicLong demand;

    /** The operation has had bytes. */
    private final AtomicBoolean hasBegun;

    private final boolean isSmall;
    private long held;
    private long reserved; // of the bytes that are held
    private boolean closed;

    private Share(AtomicLong demand, AtomicBoolean hasBegun, boolean isSmall) {
      this.demand = demand;
      this.hasBegun = hasBegun;
      this.isSmall = isSmall;
    }

    /** Returns another share of the same operation, whose leases are granted independently. */
    public Share another() {
      return new Share(demand, hasBegun, isSmall);
    }

    /**
     * Returns {@code stream}, the results of this operation, for one subscriber. The operation
     * waits for bytes only while the subscriber demands more than it has received.
     */
    public <T> Flux<T> onDemand(Flux<T> stream) {
      return new Flux<>() {
        @Override
        public void subscribe(CoreSubscriber<? super T> actual) {
          demand.set(0);
          stream.subscribe(new Demanding<>(actual, Share.this));
        }
      };
    }

    private void demanded(long more) {
      if (demand.getAndUpdate(now -> Operators.addCap(now, more)) == 0) {
        synchronized (ByteBudget.this) {
          moves++;
        }
      }
    }

    private void received() {
      if (demand.updateAndGet(now -> now == Long.MAX_VALUE ? now : Math.max(0, now - 1)) == 0) {
        serve(); // it lets others pass now
      }
    }

    private boolean isDemanded() {
      return demand.get() > 0;
    }

    /** Returns true for an operation that cannot go on until it gets its first bytes. */
    private boolean isStarved() {
      return held == 0 && isDemanded();
    }

    /** Returns a lease that is in the queue or granted already. */
    public Lease lease(long bytes) {
      return asked(new Lease(this, bytes, -1));
    }

    /**
     * Returns a lease that lasts as long as the operation, in the queue or granted already.
     *
     * @param beside the most bytes of another lease, which the operation takes to get on
     */
    public Lease lastingLease(long bytes, long beside) {
      return asked(new Lease(this, bytes, Math.min(beside, common)));
    }

    private Lease asked(Lease lease) {
      synchronized (ByteBudget.this) {
        if (closed) {
          return lease; // the operation is over: the lease is never granted
        }
        boolean isNext =
            !waiting.isWaiting(this) && waiting.operations().stream().noneMatch(Share::mustBeNext);
        if (isNext && mayHave(lease)) {
          isStalled = false;
          take(lease).isHeldAtOnce = true;
        } else if (!waiting.isWaiting(this) && mayHaveReserved(lease)) {
          takeReserved(lease).isHeldAtOnce = true;
        } else {
          lease.isFirst = !hasBegun.get() && !waiting.isWaiting(this);
          waiting.add(this, lease);
          watch();
          if (mostWait != null && !hasBegun.get()) {
            lease.limit(mostWait);
          }
        }
        return lease;
      }
    }

    /** Releases all leases at the end of the operation. */
    public void close() {
      synchronized (ByteBudget.this) {
        closed = true;
        waiting.removeAll(this);
        lasting.removeIf(lease -> lease.share == this);
        if (held > 0) {
          move(-held);
        }
        held = 0;
        reservedHeld -= reserved;
        reserved = 0;
      }
      serve();
    }

    private boolean mayHave(Lease lease) {
      long free = common - (ByteBudget.this.held - reservedHeld) - lease.charge;
      return free >= 0
          && (held == 0 || held + lease.charge <= 3 * free)
          && lease.leavesRoomForLasting();
    }

    private boolean mayHaveReserved(Lease lease) {
      return isSmall && !lease.isLasting() && sum(reservedHeld, lease.charge) <= reserve;
    }

    private boolean mustBeNext() {
      Lease first = waiting.peek(this);
      return first != null && first.mustBeNext();
    }

    private Lease takeReserved(Lease lease) {
      lease.isReserved = true;
      reserved += lease.charge;
      reservedHeld += lease.charge;
      return take(lease);
    }

    private Lease take(Lease lease) {
      hasBegun.set(true);
      if (lease.isLasting()) {
        lasting.add(lease);
      }
      held += lease.charge;
      move(lease.charge);
      lease.isHeld = true;
      return lease;
    }

    private void giveBack(long bytes, boolean isReserved) {
      if (!closed && bytes > 0) {
        if (isReserved) {
          reserved -= bytes;
          reservedHeld -= bytes;
        }
        held -= bytes;
        move(-bytes);
      }
    }
  }

  /** Counts what the subscriber of a stream demands and receives. */
  private static final class Demanding<T> extends Relay<T, T> {
    private final Share share;

    Demanding(CoreSubscriber<? super T> actual, Share share) {
      super(actual);
      this.share = share;
    }

    @Override
    public void onNext(T value) {
      share.received();
      actual.onNext(value);
    }

    @Override
    public void request(long n) {
      share.demanded(n);
      super.request(n);
    }
  }

  /** A number of bytes leased to one operation. */
  public final class Lease {
    private final Share share;
    private final Sinks.Empty<Void> turn = Sinks.empty(); // of a lease that waits
    private final long beside; // negative unless it is a lasting lease
    private long bytes;
    private long charge;
    private boolean isHeld;
    private boolean isHeldAtOnce;
    private boolean isReserved; // it is of the reserve
    private boolean isFirst; // the operation waits with it, and has had no bytes

    private Lease(Share share, long bytes, long beside) {
      this.share = share;
      this.beside = beside;
      this.bytes = bytes;
      this.charge = Math.min(bytes, common);
    }

    /** Ends the wait at a time. The check finds nothing where the lease waits no longer. */
    private void limit(Duration mostWaited) {
      timer.schedule(
          () -> refuseLate(this, mostWaited), mostWaited.toNanos(), TimeUnit.NANOSECONDS);
    }

    private boolean isLasting() {
      return beside >= 0;
    }

    /** Returns false for a lasting lease that waits for the end of others. */
    private boolean leavesRoomForLasting() {
      if (!isLasting()) {
        return true;
      }
      long sum = charge;
      long most = beside;
      for (Lease other : lasting) {
        sum += other.charge;
        most = Math.max(most, other.beside);
      }
      return sum(sum, most) <= common || lasting.isEmpty();
    }

    /** Returns true if the leases behind this one wait until there is room for it. */
    private boolean mustBeNext() {
      return share.held == 0
          && leavesRoomForLasting()
          && (share.isDemanded() || mayExceed(charge, false));
    }

    /** Returns true if the lease is granted and not ended. */
    public boolean isHeld() {
      synchronized (ByteBudget.this) {
        return isHeld;
      }
    }

    /**
     * Completes when the lease is granted. Fails with a {@link MemoryExhaustedException} if nothing
     * moves for {@link #LONGEST_WAIT} and the excess over the bound is used up, or at the end of a
     * service's longest wait.
     */
    public Mono<Void> grant() {
      return isHeldAtOnce ? Mono.empty() : turn.asMono();
    }

    /** Returns true for the first lease of an operation, if it has to wait or had to. */
    public boolean isAwaitedFirst() {
      synchronized (ByteBudget.this) {
        return isFirst;
      }
    }

    /** Notes that the holder goes on, so that others wait for it instead of exceeding the bound. */
    public void progress() {
      synchronized (ByteBudget.this) {
        moves++;
      }
    }

    /** Releases some of the bytes, even before the lease is granted. */
    public void giveBack(long some) {
      synchronized (ByteBudget.this) {
        bytes = Math.max(0, bytes - some);
        long less = charge - Math.min(bytes, common);
        charge -= less;
        if (isHeld) {
          share.giveBack(less, isReserved);
        }
      }
      serve();
    }

    /** Releases the rest of the bytes, or leaves the queue. */
    public void end() {
      synchronized (ByteBudget.this) {
        if (isHeld) {
          share.giveBack(charge, isReserved);
        } else {
          waiting.remove(share, this);
        }
        lasting.remove(this);
        isHeld = false;
        charge = 0;
      }
      serve();
    }
  }

  /**
   * The lease for the bytes of fetches that were planned together: for the stored bytes until they
   * are decoded, and for the decoded chunks until they are placed or delivered. All of these
   * fetches share one lease, so that a fetch which holds bytes never waits for another one's lease.
   */
  public static final class SharedLease {
    private final Share share;
    private final long bytes;
    private final AtomicInteger fetches;
    private final boolean isHandedOn;
    private final @Nullable SharedLease outer;
    private @Nullable Lease lease;

    /**
     * Creates a lease that is not acquired yet.
     *
     * @param bytes the stored and the decoded bytes of all fetches
     * @param fetches the number of fetches
     * @param isHandedOn true if each chunk is released when it is delivered, false if with the last
     *     fetch
     * @param outer the lease that has these bytes already; null for none
     */
    public SharedLease(
        Share share, long bytes, int fetches, boolean isHandedOn, @Nullable SharedLease outer) {
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
    public @Nullable Lease acquire() {
      if (bytes == 0) {
        return null;
      }
      Lease taken;
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
    public SharedLease within() {
      return new SharedLease(share, 0, Integer.MAX_VALUE, isHandedOn, outer == null ? this : outer);
    }

    private void giveBack(long some, boolean isLast) {
      Lease taken;
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
}
