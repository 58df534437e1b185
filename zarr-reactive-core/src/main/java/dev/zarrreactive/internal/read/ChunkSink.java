package dev.zarrreactive.internal.read;

import dev.zarrreactive.array.Chunk;
import dev.zarrreactive.array.ChunkWork;
import dev.zarrreactive.array.ElementMemory;
import dev.zarrreactive.array.NdArray;
import dev.zarrreactive.array.Shape;
import dev.zarrreactive.base.Bytes;
import dev.zarrreactive.codec.ChunkCodec;
import dev.zarrreactive.internal.context.ArrayStorage;
import dev.zarrreactive.internal.context.Scratch;
import dev.zarrreactive.internal.flow.ByteBudget.SharedLease;
import dev.zarrreactive.internal.flow.Sorting;
import dev.zarrreactive.internal.flow.Turns;
import dev.zarrreactive.internal.planning.ChunkProjection;
import dev.zarrreactive.internal.planning.Region;
import dev.zarrreactive.internal.read.ChunkRequest.Piece;
import dev.zarrreactive.internal.read.Decoder.Sink;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.publisher.Operators;

/**
 * Sink that delivers chunks to the subscriber of a stream. Pieces are numbered in the order of the
 * plan. A piece may be fetched and decoded when its number is less than the number of delivered
 * chunks plus {@code ahead}, so at most {@code ahead} chunks are ahead of the demand.
 */
final class ChunkSink<T> implements Sink<T> {
  /** The most chunks that requests are ahead of a subscriber that has demanded as many. */
  private static final int MOST_REQUESTED = 1024;

  private final ArrayStorage array;
  private final ChunkWork<T> work;
  private final Scratch.Pool scratch;
  private final int ahead;
  private final boolean isLocated;
  private final Turns turns;
  private final Turns requestTurns;
  private long handedOn;
  private long demanded;

  /**
   * Creates a sink.
   *
   * @param work makes of each chunk what is delivered, on the thread that has decoded it
   */
  ChunkSink(ReadOperation operation, ChunkWork<T> work) {
    this.work = work;
    this.array = operation.array();
    this.scratch = operation.scratch();
    this.ahead = operation.concurrency();
    this.turns = new Turns(ahead);
    this.requestTurns = new Turns(ahead);
    this.isLocated = array.context().located() != null;
  }

  /**
   * The result of the work on a decoded chunk, on its way to the subscriber.
   *
   * @param number the number of its piece
   * @param bytes its part of the lease
   */
  record Delivery<T>(T result, long number, SharedLease lease, long bytes) {}

  /** Returns the number of the first piece that may not be decoded yet. */
  long bound() {
    return turns.bound();
  }

  /**
   * Completes, on a codec thread, when the piece may be fetched and decoded; null if it may be now.
   */
  @Nullable Mono<Void> admission(long number) {
    return onCodecThread(turns.await(number));
  }

  /**
   * Completes, on a codec thread, when a request for many chunks, of which this is the first, may
   * be made; null if it may be now. That is earlier than they may be decoded, where the subscriber
   * has demanded more chunks than that: the requests would follow each other otherwise.
   */
  @Nullable Mono<Void> requestAdmission(long number) {
    return onCodecThread(requestTurns.await(number));
  }

  private @Nullable Mono<Void> onCodecThread(@Nullable Mono<Void> turn) {
    return turn == null ? null : turn.publishOn(array.limits().codecScheduler());
  }

  /** Notes delivered and demanded chunks, and admits the next pieces. */
  private void advance(long delivered, long wanted) {
    long done;
    long most;
    synchronized (this) {
      handedOn += delivered;
      demanded = Operators.addCap(demanded, wanted);
      done = handedOn;
      most = handedOn + Math.max(ahead, Math.min(MOST_REQUESTED, demanded - handedOn));
    }
    turns.grow(done + ahead);
    if (isLocated) {
      requestTurns.grow(most);
    }
  }

  /**
   * Returns the chunks; the bytes of each are released as it is delivered. The demand for decoded
   * chunks is unbounded where they are sorted, since at most {@code ahead} of them are admitted.
   */
  Flux<T> deliver(Flux<Delivery<T>> decoded, boolean inOrder) {
    Flux<Delivery<T>> sorted =
        inOrder
            ? decoded.concatMapIterable(new Sorting<>(ahead, Delivery::number), Integer.MAX_VALUE)
            : decoded;
    Flux<T> delivered = sorted.map(this::handedOn);
    return isLocated ? delivered.doOnRequest(demand -> advance(0, demand)) : delivered;
  }

  private T handedOn(Delivery<T> delivery) {
    delivery.lease().handedOn(delivery.bytes());
    advance(1, 0);
    return delivery.result();
  }

  @Override
  public T stored(Piece piece, Bytes encoded) {
    boolean isWhole = isWhole(piece);
    if (isWhole && work.retainsChunk()) {
      return chunk(piece, Piece.decodeAlone(piece.codec(), encoded));
    }
    Scratch memory = scratch.take();
    T result =
        chunk(
            piece,
            isWhole ? piece.codec().decode(encoded, memory) : selected(piece, encoded, memory));
    scratch.giveBack(memory);
    return result;
  }

  @Override
  public T decoded(Piece piece, NdArray chunk) {
    return chunk(piece, isWhole(piece) ? chunk : selected(piece, ElementMemory.of(chunk)));
  }

  @Override
  public T missing(Piece piece) {
    Shape shape = piece.projection().selected().shape();
    return chunk(piece, NdArray.filled(shape, array.metadata().fillValue()));
  }

  private static boolean isWhole(Piece piece) {
    ChunkProjection part = piece.projection();
    ChunkCodec codec = piece.codec();
    return part.region().alone().placeOfWholeChunk() == 0
        && part.selected().shape().equals(codec.representation().shape());
  }

  private NdArray selected(Piece piece, Bytes encoded, Scratch memory) {
    Region region = piece.projection().region();
    return selected(
        piece, piece.codec().decodeToMemory(encoded, memory, region.first(), region.end()));
  }

  private NdArray selected(Piece piece, ElementMemory decoded) {
    Shape shape = piece.projection().selected().shape();
    Region region = piece.projection().region().alone();
    ElementMemory result = array.newResult(shape);
    region.copyToResult(decoded, result);
    return result.toNdArray(shape);
  }

  private T chunk(Piece piece, NdArray data) {
    long[] index = piece.chunk().index();
    return work.apply(
        piece.isInShard()
            ? new Chunk(index, piece.innerIndex(), piece.projection().selected(), data)
            : new Chunk(index, piece.projection().selected(), data));
  }
}
