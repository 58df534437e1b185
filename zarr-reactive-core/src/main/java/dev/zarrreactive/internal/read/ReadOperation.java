package dev.zarrreactive.internal.read;

import dev.zarrreactive.array.NdArray;
import dev.zarrreactive.internal.context.ArrayStorage;
import dev.zarrreactive.internal.context.DecodedChunkCache;
import dev.zarrreactive.internal.flow.ByteBudget;
import dev.zarrreactive.internal.threads.Environment;

/** One subscription to chunks of an array: its share of the budget, and how far it may run. */
final class ReadOperation {
  /** What becomes of decoded chunks. */
  enum Delivery {
    /** They are placed in one result, which is the subscriber's. */
    ASSEMBLED,
    /** They are handed on one by one, as they are demanded. */
    STREAMED
  }

  private final ArrayStorage array;
  private final Delivery delivery;
  private final ByteBudget budget;
  private final ByteBudget.Share share;
  private final ByteBudget.Share indexShare;
  private final long began = Environment.current().nanoTime();
  private volatile boolean isOver;
  private final Scratch.Pool scratch = new Scratch.Pool();

  ReadOperation(ArrayStorage array, Delivery delivery) {
    this(array, delivery, array.context().budget());
  }

  /** An operation whose bytes, with those of indexes, count in a budget of its own. */
  ReadOperation(ArrayStorage array, Delivery delivery, ByteBudget budget) {
    this.array = array;
    this.delivery = delivery;
    this.budget = budget;
    this.share = budget.share();
    this.indexShare = budget.share();
  }

  ArrayStorage array() {
    return array;
  }

  boolean isStreamed() {
    return delivery == Delivery.STREAMED;
  }

  ByteBudget budget() {
    return budget;
  }

  /**
   * Returns the share of the indexes of shards. They wait for no bytes that the operation holds
   * itself; a look-up may go on for other operations after this one.
   */
  ByteBudget.Share indexShare() {
    return indexShare;
  }

  /** Returns when the operation began, in nanoseconds. */
  long began() {
    return began;
  }

  /** Returns the memory that decodes use again and again. */
  Scratch.Pool scratch() {
    return scratch;
  }

  /** Returns how many requests are planned to be under way together. */
  int concurrency() {
    return array.limits().concurrency();
  }

  /** Returns the most bytes of pieces that are fetched together. */
  long mostTogether() {
    return budget.total() / 8;
  }

  /**
   * Returns a lease for some fetches, not yet taken.
   *
   * @param encoded the bytes that are fetched
   * @param chunks the number of chunks that are decoded, each of {@code decodedEach} bytes
   */
  ByteLease lease(long encoded, long chunks, long decodedEach, int fetches) {
    long decoded = ByteBudget.product(decodedAtOnce(chunks), decodedEach);
    return new ByteLease(share, ByteBudget.sum(encoded, decoded), fetches, isStreamed());
  }

  /** Returns how many of the chunks are held decoded at a time. */
  long decodedAtOnce(long chunks) {
    return isStreamed() ? chunks : Math.min(chunks, Environment.current().processors());
  }

  /** Returns the identity of a piece in the cache of decoded chunks. */
  DecodedChunkCache.Id id(Piece piece) {
    return new DecodedChunkCache.Id(piece.chunk().key(), array.form(), piece.inner());
  }

  /** Makes a piece known where its chunk is in memory; returns true where it is. */
  boolean isCached(Piece piece) {
    if (!array.keepsDecodedChunks()) {
      return false;
    }
    NdArray found = array.context().decodedChunks().find(id(piece), began);
    if (found != null) {
      piece.cached(found);
    }
    return found != null;
  }

  /** Makes a piece known that is cached, of a value that has not changed; true where it is. */
  boolean isRevalidated(Piece piece) {
    if (piece.known() == null) {
      NdArray kept = array.context().decodedChunks().revalidatedChunk(id(piece));
      if (kept != null) {
        piece.known(kept);
      }
    }
    return piece.known() != null;
  }

  /** Returns true after the end of the operation. */
  boolean isOver() {
    return isOver;
  }

  /** Ends the operation: all that it holds is given back. */
  void end() {
    isOver = true;
    share.close();
  }
}
