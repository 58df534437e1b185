package dev.zarrreactive.internal.read;

import dev.zarrreactive.array.Chunk;
import dev.zarrreactive.array.ChunkWork;
import dev.zarrreactive.array.ElementMemory;
import dev.zarrreactive.array.NdArray;
import dev.zarrreactive.array.Shape;
import dev.zarrreactive.base.Bytes;
import dev.zarrreactive.codec.ChunkCodec;
import dev.zarrreactive.internal.context.ArrayStorage;
import dev.zarrreactive.internal.planning.ChunkProjection;
import dev.zarrreactive.internal.planning.Region;
import dev.zarrreactive.internal.read.ChunkRequest.Piece;
import dev.zarrreactive.internal.read.Decoder.Sink;
import dev.zarrreactive.internal.read.ReadOperation.ByteLease;
import dev.zarrreactive.internal.read.ReadOperation.Scratch;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.PriorityQueue;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.publisher.Operators;
import reactor.core.publisher.Sinks;

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
  private final PriorityQueue<Waiting> waiting =
      new PriorityQueue<>(Comparator.comparingLong(Waiting::number));
  private final PriorityQueue<Waiting> waitingRequests =
      new PriorityQueue<>(Comparator.comparingLong(Waiting::number));
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
    this.isLocated = array.context().located() != null;
  }

  private record Waiting(long number, Sinks.Empty<Void> admitted) {}

  /**
   * The result of the work on a decoded chunk, on its way to the subscriber.
   *
   * @param number the number of its piece
   * @param bytes its part of the lease
   */
  record Delivery<T>(T result, long number, ByteLease lease, long bytes) {}

  /** Returns the number of the first piece that may not be decoded yet. */
  synchronized long bound() {
    return handedOn + ahead;
  }

  /**
   * Completes, on a codec thread, when the piece may be fetched and decoded; null if it may be now.
   */
  @Nullable Mono<Void> admission(long number) {
    synchronized (this) {
      return number < handedOn + ahead ? null : await(number, waiting);
    }
  }

  /**
   * Completes, on a codec thread, when a request for many chunks, of which this is the first, may
   * be made; null if it may be now. That is earlier than they may be decoded, where the subscriber
   * has demanded more chunks than that: the requests would follow each other otherwise.
   */
  @Nullable Mono<Void> requestAdmission(long number) {
    synchronized (this) {
      return number < requestBound() ? null : await(number, waitingRequests);
    }
  }

  private long requestBound() {
    return handedOn + Math.max(ahead, Math.min(MOST_REQUESTED, demanded - handedOn));
  }

  private Mono<Void> await(long number, PriorityQueue<Waiting> queue) {
    Sinks.Empty<Void> admitted = Sinks.empty();
    queue.add(new Waiting(number, admitted));
    return admitted.asMono().publishOn(array.limits().codecScheduler());
  }

  private static void take(PriorityQueue<Waiting> queue, long bound, List<Waiting> admitted) {
    for (Waiting next = queue.peek(); next != null && next.number() < bound; next = queue.peek()) {
      admitted.add(queue.remove());
    }
  }

  private void demand(long chunks) {
    List<Waiting> admitted = new ArrayList<>(1);
    synchronized (this) {
      demanded = Operators.addCap(demanded, chunks);
      take(waitingRequests, requestBound(), admitted);
    }
    admitted.forEach(next -> next.admitted().tryEmitEmpty());
  }

  /** Returns the chunks; the bytes of each are released as it is delivered. */
  Flux<T> deliver(Flux<Delivery<T>> decoded, boolean inOrder) {
    Flux<Delivery<T>> sorted =
        inOrder ? decoded.concatMapIterable(new Sorting<>(ahead), Integer.MAX_VALUE) : decoded;
    Flux<T> delivered = sorted.map(this::handedOn);
    return isLocated ? delivered.doOnRequest(this::demand) : delivered;
  }

  /**
   * Sorts decoded chunks by their numbers. Its demand is unbounded, since the sink admits at most
   * {@code ahead} chunks.
   */
  private static final class Sorting<T> implements Function<Delivery<T>, List<Delivery<T>>> {
    private final @Nullable Delivery<T>[] ring;
    private int next;

    @SuppressWarnings({"unchecked", "rawtypes"})
    Sorting(int ahead) {
      this.ring = new Delivery[ahead];
    }

    /** Returns the chunks whose turn it is, now that {@code arrived} is there. */
    @Override
    public List<Delivery<T>> apply(Delivery<T> arrived) {
      ring[(int) (arrived.number() % ring.length)] = arrived;
      List<Delivery<T>> ready = new ArrayList<>(1);
      for (Delivery<T> first = ring[next]; first != null; first = ring[next]) {
        ready.add(first);
        ring[next] = null;
        next = (next + 1) % ring.length;
      }
      return ready;
    }
  }

  private T handedOn(Delivery<T> delivery) {
    delivery.lease().handedOn(delivery.bytes());
    List<Waiting> admitted = new ArrayList<>(1);
    synchronized (this) {
      handedOn++;
      take(waiting, handedOn + ahead, admitted);
      take(waitingRequests, requestBound(), admitted);
    }
    admitted.forEach(next -> next.admitted().tryEmitEmpty());
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
