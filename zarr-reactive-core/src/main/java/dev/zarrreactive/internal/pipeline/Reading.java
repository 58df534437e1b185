package dev.zarrreactive.internal.pipeline;

import dev.zarrreactive.array.NdArray;
import dev.zarrreactive.array.ResolvedSelection;
import dev.zarrreactive.codec.SizeBound;
import dev.zarrreactive.internal.planning.ChunkPlan;
import dev.zarrreactive.internal.planning.ChunkProjection;
import dev.zarrreactive.internal.planning.Connections;
import dev.zarrreactive.internal.threads.Environment;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.publisher.Sinks;

/** One operation that reads chunks of an array, and the bytes that it holds. */
final class Reading {
  /** What becomes of decoded chunks. */
  enum Result {
    /** They are copied into one result, which is the subscriber's. */
    ASSEMBLED,
    /** They are handed on one by one as they come. */
    STREAMED,
    /** They are handed on one by one in the order of the plan. */
    STREAMED_IN_ORDER
  }

  private static final long INNER_CHUNKS_OF_A_REQUEST = 64;
  private static final long MOST_INNER_CHUNKS = 8192;

  private final ArrayStorage array;
  private final Result result;
  private final ByteBudget budget;
  private final ByteBudget.Share share;
  private final ByteBudget.Share indexShare;
  private final int concurrency;
  private volatile Connections connections;
  private final long began = Environment.current().nanoTime();
  private final Sinks.Empty<Void> over = Sinks.empty();
  private Turn turn;

  Reading(ArrayStorage array, Result result) {
    this(array, result, array.client().budget(), array.client().shardIndexes().share());
  }

  /**
   * An operation that assembles chunks. They count in a budget of its own, as do indexes of shards:
   * it never waits for bytes that other operations hold.
   */
  Reading(ArrayStorage array, ByteBudget budget) {
    this(array, Result.ASSEMBLED, budget, budget.share());
  }

  private Reading(
      ArrayStorage array, Result result, ByteBudget budget, ByteBudget.Share indexShare) {
    this.indexShare = indexShare;
    this.array = array;
    this.budget = budget;
    this.result = result;
    this.concurrency = array.limits().concurrency();
    this.connections = Connections.all(concurrency);
    this.share = budget.share();
    this.turn = result == Result.STREAMED_IN_ORDER ? Turn.first() : Turn.any();
  }

  ArrayStorage array() {
    return array;
  }

  /**
   * What is to be fetched and decoded, in C order: chunks, or the inner chunks of shards. Made one
   * by one as they are demanded; nothing is asked for before their bytes are.
   */
  Flux<EncodedChunk> chunks(ResolvedSelection selection) {
    array.checks().readable();
    ChunkPlan plan = ChunkPlan.of(selection, array.grid());
    if (!array.isSharded()) {
      return Flux.fromIterable(plan).map(this::chunk);
    }
    connections = Connections.sharedBy(plan.size(), concurrency);
    return Flux.fromIterable(plan)
        .concatMap(part -> new ShardReader(this, array.wantedChunk(part)).chunks(), 0);
  }

  /**
   * How many chunks are worked on at a time. Of a stream, as many are ahead of the demand. Where
   * the inner chunks of shards are assembled, many of them may share a request: then requests and
   * bytes are what is bounded.
   */
  int concurrency() {
    return array.isSharded() && !isStreamed()
        ? (int) Math.min(MOST_INNER_CHUNKS, INNER_CHUNKS_OF_A_REQUEST * concurrency)
        : concurrency;
  }

  /** How many requests for one shard can be under way together. */
  Connections connections() {
    return connections;
  }

  private EncodedChunk chunk(ChunkProjection part) {
    WantedChunk wanted = array.wantedChunk(part);
    NdArray known = known(wanted);
    if (known != null) {
      return new EncodedChunk(wanted, ChunkBytes.NONE, known);
    }
    SizeBound encoded = wanted.codec().encodedSize();
    return new EncodedChunk(
        wanted,
        new StoredChunk(
            array.stored(wanted.codec(), part.chunkIndex()),
            () ->
                hold(
                    1,
                    encoded.exact() ? encoded.bytes() : expected(wanted.decodedBytes()),
                    wanted.decodedBytes())));
  }

  /** The chunk where it is in memory. */
  @Nullable NdArray known(WantedChunk wanted) {
    DecodedChunks decoded = array.client().decodedChunks();
    DecodedChunks.Id id = array.decodedId(wanted);
    return decoded == null || id == null ? null : decoded.find(id, began);
  }

  /** What a compressor makes of bytes that it cannot make smaller. */
  static long expected(long decoded) {
    return HeldBytes.sum(decoded, decoded / 64 + 64);
  }

  /**
   * Leases bytes for chunks that are fetched together, behind all that this operation has leased
   * before.
   *
   * @param encoded how many bytes are fetched
   * @param decodedEach how many one of the chunks has when it is decoded
   */
  HeldBytes hold(int chunks, long encoded, long decodedEach) {
    return isStreamed()
        ? new HeldBytes(share, chunks, encoded, decodedEach)
        : new HeldBytes(
            share, chunks, HeldBytes.sum(encoded, decodedAtOnce(chunks, decodedEach)), 0);
  }

  /** How many decoded bytes of chunks that are fetched together are held at a time. */
  long decodedAtOnce(long chunks, long decodedEach) {
    long held = isStreamed() ? chunks : Math.min(chunks, Environment.current().processors());
    return HeldBytes.product(held, decodedEach);
  }

  /** What leases the bytes of indexes. */
  ByteBudget.Share indexShare() {
    return indexShare;
  }

  /** The most bytes that the operation may hold. */
  long mostBytes() {
    return budget.total();
  }

  boolean isStreamed() {
    return result != Result.ASSEMBLED;
  }

  boolean isInOrder() {
    return result == Result.STREAMED_IN_ORDER;
  }

  /** The turn of the next shard of the plan. */
  Turn nextTurn() {
    Turn mine = turn;
    turn = turn.next();
    return mine;
  }

  /** A turn that nobody needs, of the last shard so far: all that is wanted of it is known. */
  void giveUp(Turn unused) {
    turn = isInOrder() ? unused : turn;
  }

  /** The operation is over. */
  void close() {
    over.tryEmitEmpty();
    share.close();
  }

  /** Completes when the operation is over, in whatever way. */
  Mono<Void> over() {
    return over.asMono();
  }
}
