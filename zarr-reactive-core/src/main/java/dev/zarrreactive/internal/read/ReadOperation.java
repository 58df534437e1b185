package dev.zarrreactive.internal.read;

import dev.zarrreactive.array.NdArray;
import dev.zarrreactive.internal.context.ArrayStorage;
import dev.zarrreactive.internal.context.DecodedChunkCache;
import dev.zarrreactive.internal.context.SharedFetch;
import dev.zarrreactive.internal.flow.ByteBudget;
import dev.zarrreactive.internal.flow.CodecScheduler;
import dev.zarrreactive.internal.flow.Relay;
import dev.zarrreactive.internal.threads.Environment;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
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
  private final Set<SharedFetch> asking = ConcurrentHashMap.newKeySet();
  private final Set<SharedFetch> serving = ConcurrentHashMap.newKeySet();
  private volatile boolean isOver;
  private final Scratch.Pool scratch = new Scratch.Pool();

  private ReadOperation(ArrayStorage array, boolean isStreamed, ByteBudget budget, int growth) {
    this.array = array;
    this.isStreamed = isStreamed;
    this.budget = budget;
    this.growth = growth;
    this.share = budget.share();
    this.indexShare = share.another();
  }

  /** Creates an operation that places chunks in one result. Their bytes count in the budget. */
  static ReadOperation assembled(ArrayStorage array, ByteBudget budget) {
    return new ReadOperation(array, false, budget, 1);
  }

  /**
   * Creates an operation that delivers chunks one by one, on demand.
   *
   * @param growth the bytes that are held for each decoded byte, at least 1
   */
  static ReadOperation streamed(ArrayStorage array, int growth) {
    return new ReadOperation(array, true, array.context().budget(), growth);
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
    return new ByteLease(share, ByteBudget.sum(encoded, decoded), fetches, isStreamed);
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
        && array.limits().codecScheduler() == CodecScheduler.shared()
        && !array.keepsDecodedChunks();
  }

  /** Notes that a request begins, which other operations may join until this one ends. */
  void begin(SharedFetch shared) {
    asking.add(shared);
    if (isOver) {
      shared.close();
    }
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
    asking.forEach(SharedFetch::close);
    serving.forEach(SharedFetch::close);
    share.close();
    scratch.end();
  }
}
