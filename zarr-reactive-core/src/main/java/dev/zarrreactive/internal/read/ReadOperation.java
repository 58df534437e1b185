package dev.zarrreactive.internal.read;

import dev.zarrreactive.array.NdArray;
import dev.zarrreactive.internal.context.ArrayStorage;
import dev.zarrreactive.internal.context.DecodedChunkCache;
import dev.zarrreactive.internal.context.Scratch;
import dev.zarrreactive.internal.context.SharedFetches;
import dev.zarrreactive.internal.flow.ByteBudget;
import dev.zarrreactive.internal.flow.ByteBudget.SharedLease;
import dev.zarrreactive.internal.flow.Relay;
import dev.zarrreactive.internal.read.ChunkRequest.Piece;
import dev.zarrreactive.internal.threads.Environment;
import java.util.ArrayList;
import java.util.List;
import java.util.function.ToLongFunction;
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
  private final SharedFetches.Joinable joinable = new SharedFetches.Joinable();
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
    return Relay.ended(share.onDemand(results), this::end);
  }

  /** Returns the result of the operation, which ends before the last signal. */
  <T> Mono<T> whole(Mono<T> result) {
    return Relay.ended(result, this::end);
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
   * Divides successive pieces into windows that may be fetched together, at least one.
   *
   * @param size the bytes of a piece
   */
  <T> List<List<T>> windows(List<T> pieces, ToLongFunction<T> size) {
    List<List<T>> windows = new ArrayList<>();
    int first = 0;
    long bytes = 0;
    for (int i = 0; i < pieces.size(); i++) {
      long next = size.applyAsLong(pieces.get(i));
      if (i > first && next > mostTogether() - bytes) {
        windows.add(pieces.subList(first, i));
        first = i;
        bytes = 0;
      }
      bytes = ByteBudget.sum(bytes, next);
    }
    windows.add(pieces.subList(first, pieces.size()));
    return windows;
  }

  /**
   * Returns a lease for some fetches that is not acquired yet.
   *
   * @param encoded the bytes that are fetched
   * @param chunks the number of chunks that are decoded, each of {@code decodedEach} bytes
   */
  SharedLease lease(long encoded, long chunks, long decodedEach, int fetches) {
    long decoded = ByteBudget.product(decodedAtOnce(chunks), decodedEach);
    return new SharedLease(share, ByteBudget.sum(encoded, decoded), fetches, isStreamed, null);
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

  /** Returns the requests of the operation that others may join. */
  SharedFetches.Joinable joinable() {
    return joinable;
  }

  /** Returns true after the end of the operation. */
  boolean isOver() {
    return joinable.isOver();
  }

  /** Ends the operation: closes its requests to others, and releases all its leases. */
  void end() {
    joinable.close();
    share.close();
    scratch.end();
  }
}
