package dev.zarrreactive.internal.read;

import dev.zarrreactive.array.NdArray;
import dev.zarrreactive.internal.context.ArrayStorage;
import dev.zarrreactive.internal.context.DecodedChunkCache;
import dev.zarrreactive.internal.context.SharedFetches;
import dev.zarrreactive.internal.context.SharedFetches.SharedFetch;
import dev.zarrreactive.internal.flow.ByteBudget;
import dev.zarrreactive.internal.flow.Relay;
import dev.zarrreactive.internal.read.ChunkRequest.Piece;
import dev.zarrreactive.internal.threads.Environment;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.IntFunction;
import org.jspecify.annotations.Nullable;
import reactor.core.CoreSubscriber;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/** One subscription to chunks of an array, with its share of the budget and its limits. */
final class ReadOperation {
  private final ArrayStorage array;
  private final boolean isStreamed;
  private final ByteBudget budget;
  private final int growth;
  private final ByteBudget.Share share;
  private final ByteBudget.Share indexShare;
  private final long began = Environment.current().nanoTime();
  private final SharedFetches.Begun asking = new SharedFetches.Begun();
  private final Set<SharedFetch> serving = ConcurrentHashMap.newKeySet();
  private volatile boolean isOver;
  private final Scratch.Pool scratch = new Scratch.Pool();

  private ReadOperation(
      ArrayStorage array, boolean isStreamed, ByteBudget budget, int growth, boolean isSmall) {
    this.array = array;
    this.isStreamed = isStreamed;
    this.budget = budget;
    this.growth = growth;
    this.share = budget.share(isSmall);
    this.indexShare = share.another();
  }

  /**
   * Creates an operation that places chunks in one result. Their bytes count in the budget.
   *
   * @param size the bytes of the result
   */
  static ReadOperation assembled(ArrayStorage array, ByteBudget budget, long size) {
    return new ReadOperation(array, false, budget, 1, ByteBudget.isSmall(size));
  }

  /**
   * Creates an operation that delivers chunks one by one, on demand.
   *
   * @param growth the bytes that are held for each decoded byte, at least 1
   */
  static ReadOperation streamed(ArrayStorage array, int growth) {
    return new ReadOperation(array, true, array.context().budget(), growth, false);
  }

  ArrayStorage array() {
    return array;
  }

  boolean isStreamed() {
    return isStreamed;
  }

  ByteBudget budget() {
    return budget;
  }

  /**
   * Returns the share that leases the indexes of shards. It is a separate one, so that an index
   * never waits for bytes of this operation. A look-up may go on for other operations after this
   * one has ended.
   */
  ByteBudget.Share indexShare() {
    return indexShare;
  }

  /**
   * Returns the results of the operation, which waits for bytes only while they are demanded. The
   * operation ends before the last signal.
   */
  <T> Flux<T> onDemand(Flux<T> results) {
    Flux<T> demanded = share.onDemand(results);
    return new Flux<>() {
      @Override
      public void subscribe(CoreSubscriber<? super T> actual) {
        demanded.subscribe(new End<>(actual));
      }
    };
  }

  /** Returns the result of the operation, which ends before the last signal. */
  <T> Mono<T> whole(Mono<T> result) {
    return new Mono<>() {
      @Override
      public void subscribe(CoreSubscriber<? super T> actual) {
        result.subscribe(new End<>(actual));
      }
    };
  }

  /**
   * Ends the operation before its subscriber hears of the end, so that whoever comes after a
   * failure cannot join a request of it.
   */
  private final class End<T> extends Relay<T, T> {
    End(CoreSubscriber<? super T> actual) {
      super(actual);
    }

    @Override
    public void onNext(T result) {
      actual.onNext(result);
    }

    @Override
    public void onError(Throwable error) {
      end();
      actual.onError(error);
    }

    @Override
    public void onComplete() {
      end();
      actual.onComplete();
    }

    @Override
    public void cancel() {
      super.cancel();
      end();
    }
  }

  /** Returns when the operation began, in nanoseconds. */
  long began() {
    return began;
  }

  /** Returns the scratch memory that is reused between decodes. */
  Scratch.Pool scratch() {
    return scratch;
  }

  /** Returns the number of requests that may be in flight together. */
  int concurrency() {
    return array.limits().concurrency();
  }

  /** Returns the most bytes of pieces that are fetched together. */
  long mostTogether() {
    return budget.total() / 8;
  }

  /**
   * Returns a lease for some fetches that is not acquired yet.
   *
   * @param encoded the bytes that are fetched
   * @param chunks the number of chunks that are decoded, each of {@code decodedEach} bytes
   */
  ByteLease lease(long encoded, long chunks, long decodedEach, int fetches) {
    long decoded = ByteBudget.product(decodedAtOnce(chunks), decodedEach);
    return new ByteLease(share, ByteBudget.sum(encoded, decoded), fetches, isStreamed, null);
  }

  /** Returns the bytes to hold for a decoded chunk, with what is made of it. */
  long held(long decoded) {
    return ByteBudget.product(growth, decoded);
  }

  /** Returns the number of chunks that are decoded in memory at the same time. */
  long decodedAtOnce(long chunks) {
    return isStreamed ? chunks : Math.min(chunks, Environment.current().processors());
  }

  /** Sets the decoded chunk of a piece if it is cached; returns true if it is. */
  boolean tryTakeCached(Piece piece) {
    if (!array.keepsDecodedChunks()) {
      return false;
    }
    NdArray found =
        array
            .context()
            .decodedChunks()
            .find(new DecodedChunkCache.Id(piece.chunk().key(), array.form(), piece.inner()));
    if (found != null) {
      piece.cached(found);
    }
    return found != null;
  }

  /**
   * Returns true if the operation keeps nothing of the bytes of small chunks: a store may lend
   * them, and its threads decode them. A subscriber gets its signals on codec threads all the same,
   * and a scheduler of the user decodes all chunks.
   */
  boolean mayBorrow() {
    return !isStreamed
        && array.context().mayLend()
        && array.limits().codecScheduler() == Environment.current().codecScheduler()
        && !array.keepsDecodedChunks();
  }

  /** Notes that a request begins, which other operations may join until this one ends. */
  void begin(SharedFetch shared) {
    asking.add(shared);
  }

  /** Notes that a request has been answered, has failed or was cancelled. */
  void answered(SharedFetch shared) {
    asking.remove(shared);
  }

  /** Keeps a fetch open for other operations until its chunks are cached, or this one ends. */
  void serve(Fetch.Requested fetch, SharedFetch shared) {
    fetch.serve(shared);
    serving.removeIf(each -> !each.hasBytes()); // over since
    serving.add(shared);
    if (isOver) {
      shared.close();
    }
  }

  /** Returns true after the end of the operation. */
  boolean isOver() {
    return isOver;
  }

  /** Ends the operation: closes its requests to others, and releases all its leases. */
  void end() {
    isOver = true;
    asking.close();
    serving.forEach(SharedFetch::close);
    share.close();
    scratch.end();
  }

  /**
   * The lease for the bytes of fetches that were planned together: for the stored bytes until they
   * are decoded, and for the decoded chunks until they are placed or delivered. All of these
   * fetches share one lease, so that a fetch which holds bytes never waits for another one's lease.
   */
  static final class ByteLease {
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
    ByteLease(
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
    ByteBudget.@Nullable Lease acquire() {
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
    void decoded(long encoded) {
      if (outer == null) {
        boolean isLast = fetches.decrementAndGet() == 0;
        giveBack(encoded, isLast && !isHandedOn);
      }
    }

    /** Releases the bytes of a decoded chunk that was delivered to the subscriber. */
    void handedOn(long decoded) {
      (outer == null ? this : outer).giveBack(decoded, false);
    }

    /**
     * Returns a lease for the fetches that replace one of this lease's fetches. It is granted
     * already; the stored bytes are still released by the replaced fetch.
     */
    ByteLease within() {
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

  /**
   * Scratch memory that is reused between decodes, since an allocation costs more than a decode.
   * Used by one thread at a time.
   */
  static final class Scratch implements IntFunction<byte[]> {
    /** The most bytes that stay with an idle instance when no operation uses it. */
    private static final int MOST_KEPT = 2 << 20;

    private static final Deque<Scratch> KEPT = new ArrayDeque<>();

    private final List<byte[]> arrays = new ArrayList<>();
    private int used;

    /**
     * Returns an array of at least {@code size} bytes with any content, valid until the instance
     * goes back to its pool.
     */
    @Override
    public byte[] apply(int size) {
      if (used == arrays.size()) {
        arrays.add(new byte[size]);
      } else if (arrays.get(used).length < size) {
        arrays.set(used, new byte[size]);
      }
      return arrays.get(used++);
    }

    private boolean isSmall() {
      long bytes = 0;
      for (byte[] array : arrays) {
        bytes += array.length;
      }
      return bytes <= MOST_KEPT;
    }

    /**
     * The scratch memory of one operation: one instance for each thread that decodes for it. The
     * next operation gets the small ones.
     */
    static final class Pool {
      private final Deque<Scratch> idle = new ArrayDeque<>();

      /** Lends scratch memory. */
      Scratch take() {
        Scratch last;
        synchronized (this) {
          last = idle.pollLast();
        }
        if (last == null) {
          synchronized (KEPT) {
            last = KEPT.pollLast();
          }
        }
        return last == null ? new Scratch() : last;
      }

      /** Takes scratch memory back; nothing refers to it any more. */
      void giveBack(Scratch scratch) {
        scratch.used = 0;
        synchronized (this) {
          idle.add(scratch);
        }
      }

      /**
       * Leaves the idle memory to other operations: one instance for each processor at the most.
       */
      void end() {
        synchronized (this) {
          synchronized (KEPT) {
            while (!idle.isEmpty() && KEPT.size() < Runtime.getRuntime().availableProcessors()) {
              Scratch one = idle.removeLast();
              if (one.isSmall()) {
                KEPT.add(one);
              }
            }
          }
          idle.clear();
        }
      }
    }
  }
}
