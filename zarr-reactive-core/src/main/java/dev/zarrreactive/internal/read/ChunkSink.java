package dev.zarrreactive.internal.read;

import dev.zarrreactive.array.Chunk;
import dev.zarrreactive.array.ChunkWork;
import dev.zarrreactive.array.ElementMemory;
import dev.zarrreactive.array.NdArray;
import dev.zarrreactive.array.Shape;
import dev.zarrreactive.codec.ChunkCodec;
import dev.zarrreactive.internal.context.ArrayStorage;
import dev.zarrreactive.internal.planning.ChunkProjection;
import dev.zarrreactive.internal.planning.Region;
import dev.zarrreactive.store.Bytes;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.PriorityQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.reactivestreams.Publisher;
import org.reactivestreams.Subscription;
import reactor.core.CoreSubscriber;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.publisher.Operators;
import reactor.core.publisher.Sinks;
import reactor.util.context.Context;

/**
 * Sink that delivers chunks to the subscriber of a stream. Pieces are numbered in the order of the
 * plan. A piece may be fetched and decoded when its number is less than the number of delivered
 * chunks plus {@code ahead}, so at most {@code ahead} chunks are ahead of the demand.
 */
final class ChunkSink<T> implements Sink<T> {
  private final ArrayStorage array;
  private final ChunkWork<T> work;
  private final Scratch.Pool scratch;
  private final int ahead;
  private final PriorityQueue<Waiting> waiting =
      new PriorityQueue<>(Comparator.comparingLong(Waiting::number));
  private long handedOn;

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
      if (number < handedOn + ahead) {
        return null;
      }
      Sinks.Empty<Void> admitted = Sinks.empty();
      waiting.add(new Waiting(number, admitted));
      return admitted.asMono().publishOn(array.limits().codecScheduler());
    }
  }

  /** Returns the chunks; the bytes of each are released as it is delivered. */
  Flux<T> deliver(Flux<Delivery<T>> decoded, boolean inOrder) {
    Flux<Delivery<T>> sorted = inOrder ? sort(decoded, ahead) : decoded;
    return sorted.map(this::handedOn);
  }

  private T handedOn(Delivery<T> delivery) {
    delivery.lease().handedOn(delivery.bytes());
    List<Waiting> admitted = new ArrayList<>(1);
    synchronized (this) {
      handedOn++;
      for (Waiting next = waiting.peek();
          next != null && next.number() < handedOn + ahead;
          next = waiting.peek()) {
        admitted.add(waiting.remove());
      }
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

  private static <T> Flux<Delivery<T>> sort(Flux<Delivery<T>> decoded, int ahead) {
    Function<? super Publisher<Delivery<T>>, ? extends Publisher<Delivery<T>>> lift =
        Operators.<Delivery<T>, Delivery<T>>lift(
            (scannable, subscriber) -> new InPlanOrder<>(subscriber, ahead));
    return decoded.transform(lift);
  }

  /**
   * Sorts decoded chunks by their numbers. Its demand is unbounded, since the sink admits at most
   * {@code ahead} chunks.
   */
  private static final class InPlanOrder<T> implements CoreSubscriber<Delivery<T>>, Subscription {
    private final CoreSubscriber<? super Delivery<T>> actual;
    private final AtomicReferenceArray<@Nullable Delivery<T>> ring;
    private final AtomicLong requested = new AtomicLong();
    private final AtomicInteger work = new AtomicInteger();
    private volatile boolean isComplete;
    private volatile @Nullable Throwable failure;
    private volatile boolean isCancelled;
    private volatile @Nullable Subscription upstream;
    private long next;
    private boolean isOver;

    private InPlanOrder(CoreSubscriber<? super Delivery<T>> actual, int ahead) {
      this.actual = actual;
      this.ring = new AtomicReferenceArray<>(ahead);
    }

    @Override
    public Context currentContext() {
      return actual.currentContext();
    }

    @Override
    public void onSubscribe(Subscription subscription) {
      upstream = subscription;
      actual.onSubscribe(this);
      subscription.request(Long.MAX_VALUE);
    }

    @Override
    public void onNext(Delivery<T> delivery) {
      ring.set((int) (delivery.number() % ring.length()), delivery);
      drain();
    }

    @Override
    public void onError(Throwable error) {
      failure = error;
      drain();
    }

    @Override
    public void onComplete() {
      isComplete = true;
      drain();
    }

    @Override
    public void request(long n) {
      if (Operators.validate(n)) {
        requested.accumulateAndGet(n, Operators::addCap);
        drain();
      }
    }

    @Override
    public void cancel() {
      isCancelled = true;
      Subscription open = upstream;
      if (open != null) {
        open.cancel();
      }
    }

    private void drain() {
      if (work.getAndIncrement() != 0) {
        return;
      }
      int missed = 1;
      while (missed != 0) {
        emit();
        missed = work.addAndGet(-missed);
      }
    }

    private void emit() {
      while (!isCancelled && !isOver) {
        Throwable error = failure;
        if (error != null) {
          isOver = true;
          actual.onError(error);
          return;
        }
        boolean wasComplete = isComplete;
        int slot = (int) (next % ring.length());
        Delivery<T> delivery = ring.get(slot);
        if (delivery == null) {
          if (wasComplete) {
            isOver = true;
            actual.onComplete();
          }
          return;
        }
        if (requested.get() == 0) {
          return;
        }
        ring.set(slot, null);
        next++;
        if (requested.get() != Long.MAX_VALUE) {
          requested.decrementAndGet();
        }
        actual.onNext(delivery);
      }
    }
  }
}
