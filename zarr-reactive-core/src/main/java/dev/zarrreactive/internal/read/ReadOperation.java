package dev.zarrreactive.internal.read;

import dev.zarrreactive.array.NdArray;
import dev.zarrreactive.internal.context.ArrayStorage;
import dev.zarrreactive.internal.context.DecodedChunkCache;
import dev.zarrreactive.internal.context.SharedFetch;
import dev.zarrreactive.internal.flow.ByteBudget;
import dev.zarrreactive.internal.flow.CodecScheduler;
import dev.zarrreactive.internal.threads.Environment;
import dev.zarrreactive.store.file.FileSystemStore;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import reactor.core.publisher.Flux;

/** One subscription to chunks of an array, with its share of the budget and its limits. */
final class ReadOperation {
  /** The destination of decoded chunks. */
  enum Kind {
    /** They are placed in one result array. */
    ASSEMBLED,
    /** They are delivered one by one, on demand. */
    STREAMED
  }

  private final ArrayStorage array;
  private final Kind kind;
  private final ByteBudget budget;
  private final int growth;
  private final ByteBudget.Share share;
  private final ByteBudget.Share indexShare;
  private final long began = Environment.current().nanoTime();
  private final Set<SharedFetch> serving = ConcurrentHashMap.newKeySet();
  private volatile boolean isOver;
  private final Scratch.Pool scratch = new Scratch.Pool();

  ReadOperation(ArrayStorage array, Kind kind) {
    this(array, kind, array.context().budget());
  }

  /**
   * Creates a stream.
   *
   * @param growth the bytes that are held for each decoded byte, at least 1
   */
  static ReadOperation streamed(ArrayStorage array, int growth) {
    return new ReadOperation(array, Kind.STREAMED, array.context().budget(), growth);
  }

  /** Creates an operation whose bytes, with the bytes of indexes, count in a budget of its own. */
  ReadOperation(ArrayStorage array, Kind kind, ByteBudget budget) {
    this(array, kind, budget, 1);
  }

  private ReadOperation(ArrayStorage array, Kind kind, ByteBudget budget, int growth) {
    this.growth = growth;
    this.array = array;
    this.kind = kind;
    this.budget = budget;
    this.share = budget.share();
    this.indexShare = share.another();
  }

  ArrayStorage array() {
    return array;
  }

  boolean isStreamed() {
    return kind == Kind.STREAMED;
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

  /** Returns the results of the operation, which waits for bytes only while they are demanded. */
  <T> Flux<T> onDemand(Flux<T> results) {
    return share.onDemand(results);
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
    return new ByteLease(share, ByteBudget.sum(encoded, decoded), fetches, isStreamed());
  }

  /** Returns the bytes to hold for a decoded chunk, with what is made of it. */
  long held(long decoded) {
    return ByteBudget.product(growth, decoded);
  }

  /** Returns the number of chunks that are decoded in memory at the same time. */
  long decodedAtOnce(long chunks) {
    return isStreamed() ? chunks : Math.min(chunks, Environment.current().processors());
  }

  /** Returns the identity of a piece in the cache of decoded chunks. */
  DecodedChunkCache.Id id(Piece piece) {
    return new DecodedChunkCache.Id(piece.chunk().key(), array.form(), piece.inner());
  }

  /** Returns true if bytes are fresh that the store was asked for at a time. */
  boolean isFresh(Fetch fetch, long asked) {
    return array.context().decodedChunks().isFresh(fetch.key(), asked, began);
  }

  /** Sets the decoded chunk of a piece if it is cached; returns true if it is. */
  boolean takeCached(Piece piece) {
    if (!array.keepsDecodedChunks()) {
      return false;
    }
    NdArray found = array.context().decodedChunks().find(id(piece), began);
    if (found != null) {
      piece.cached(found);
    }
    return found != null;
  }

  /**
   * Sets the decoded chunk of a piece from a revalidated cache entry; returns true if the piece has
   * its chunk.
   */
  boolean takeRevalidated(Piece piece) {
    if (piece.known() == null) {
      NdArray kept = array.context().decodedChunks().revalidatedChunk(id(piece));
      if (kept != null) {
        piece.known(kept);
      }
    }
    return piece.known() != null;
  }

  /**
   * Returns true if file threads decode the small chunks that they have read, and the operation
   * borrows their bytes until then: with no decorator between that could keep the bytes. A
   * subscriber gets its signals on codec threads all the same, and a scheduler of the user decodes
   * all chunks.
   */
  boolean borrowsFromFileThreads() {
    return !isStreamed()
        && array.store() instanceof FileSystemStore
        && array.limits().codecScheduler() == CodecScheduler.shared()
        && !array.keepsDecodedChunks();
  }

  /** Keeps a fetch open for other operations until its chunks are cached, or this one ends. */
  void serve(Fetch fetch, SharedFetch shared) {
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

  /** Ends the operation and releases all its leases. */
  void end() {
    isOver = true;
    serving.forEach(SharedFetch::close);
    share.close();
    scratch.end();
  }
}
