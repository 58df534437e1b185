package dev.zarrreactive.internal.read;

import dev.zarrreactive.array.ElementMemory;
import dev.zarrreactive.array.NdArray;
import dev.zarrreactive.base.Bytes;
import dev.zarrreactive.codec.ChunkCodec;
import dev.zarrreactive.codec.ChunkRepresentation;
import dev.zarrreactive.error.Location;
import dev.zarrreactive.error.MemoryExhaustedException;
import dev.zarrreactive.error.ZarrException;
import dev.zarrreactive.internal.context.ArrayStorage;
import dev.zarrreactive.internal.context.DecodedChunkCache;
import dev.zarrreactive.internal.context.SharedFetch;
import dev.zarrreactive.internal.context.SharedFetch.Told;
import dev.zarrreactive.internal.flow.Concurrently;
import dev.zarrreactive.internal.flow.Relay;
import dev.zarrreactive.internal.guard.MemoryGuard;
import dev.zarrreactive.internal.observation.Instrumentation;
import dev.zarrreactive.internal.read.ChunkSink.Delivery;
import dev.zarrreactive.internal.threads.Environment;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.IntConsumer;
import java.util.function.LongFunction;
import org.jspecify.annotations.Nullable;
import reactor.core.CoreSubscriber;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Scheduler;

/**
 * Decodes the pieces of a fetch in a plain loop on the calling thread; many pieces are split over
 * several codec threads.
 */
final class Decoder {
  /** The pieces that a thread takes at a time. */
  static final int TOGETHER = 16;

  private final ReadOperation operation;
  private final ArrayStorage array;
  private final DecodedChunkCache cache;
  private final Scheduler codecScheduler;

  Decoder(ReadOperation operation) {
    this.operation = operation;
    this.array = operation.array();
    this.cache = array.context().decodedChunks();
    this.codecScheduler = array.limits().codecScheduler();
  }

  /** The first piece that could not be decoded. */
  private record Failure(Piece piece, Throwable error) {}

  /**
   * Decodes all pieces into the result. Called on a codec thread, or for a small fetch on the file
   * thread that has read it; emits only completion or an error.
   */
  <T> Flux<T> placed(Fetch fetch, ArraySink sink) {
    AtomicReference<@Nullable Failure> failure = new AtomicReference<>();
    if (threads(fetch) == 1) {
      place(fetch, sink, failure);
      return end(fetch, failure.get());
    }
    return onThreads(threads(fetch), thread -> place(fetch, sink, failure))
        .then(Mono.fromSupplier(() -> Decoder.<T>end(fetch, failure.get())))
        .flatMapMany(end -> end);
  }

  /**
   * Places a chunk that is stored as a value of its own on the thread on which it arrives. Emits
   * only completion, or a located error.
   */
  Mono<Void> placed(Fetch fetch, Mono<Fetch> loaded, ArraySink sink) {
    return new Mono<>() {
      @Override
      public void subscribe(CoreSubscriber<? super Void> actual) {
        loaded.subscribe(new Placing(actual, fetch, sink));
      }
    };
  }

  /**
   * Places the chunk when it arrives: one operator in place of a map of the value and its error.
   */
  private final class Placing extends Relay<Fetch, Void> {
    private final Fetch fetch;
    private final ArraySink sink;
    private boolean hasFailed;

    Placing(CoreSubscriber<? super Void> actual, Fetch fetch, ArraySink sink) {
      super(actual);
      this.fetch = fetch;
      this.sink = sink;
    }

    @Override
    public void onNext(Fetch arrived) {
      AtomicReference<@Nullable Failure> failure = new AtomicReference<>();
      place(arrived, sink, failure);
      Failure first = failure.get();
      if (first == null) {
        arrived.release();
      } else {
        cancel();
        onError(first.error());
        hasFailed = true;
      }
    }

    @Override
    public void onError(Throwable error) {
      if (!hasFailed) {
        boolean isKnown = error instanceof ZarrException;
        actual.onError(
            isKnown ? OpenShard.located((ZarrException) error, fetch.location()) : error);
      }
    }

    @Override
    public void onComplete() {
      if (!hasFailed) {
        actual.onComplete();
      }
    }
  }

  /** Does the work on several codec threads. */
  private Flux<Void> onThreads(int threads, IntConsumer work) {
    return Concurrently.map(
        Flux.range(0, threads),
        threads,
        thread -> Mono.<Void>fromRunnable(() -> work.accept(thread)).subscribeOn(codecScheduler));
  }

  private static int threads(Fetch fetch) {
    return fetch.isWholeShard() || fetch.planned().size() > TOGETHER
        ? Environment.current().processors()
        : 1;
  }

  private void place(Fetch fetch, ArraySink sink, AtomicReference<@Nullable Failure> failure) {
    List<Piece> pieces = fetch.take(TOGETHER, Long.MAX_VALUE);
    while (!pieces.isEmpty()) {
      for (Piece piece : pieces) {
        if (failure.get() != null || operation.isOver()) {
          return;
        }
        try {
          decode(fetch, piece, sink);
        } catch (RuntimeException | Error e) {
          failure.compareAndSet(null, new Failure(piece, e));
        }
      }
      pieces = fetch.take(TOGETHER, Long.MAX_VALUE);
    }
  }

  private static <T> Flux<T> end(Fetch fetch, @Nullable Failure failure) {
    if (failure == null) {
      fetch.release();
      return Flux.empty();
    }
    fetch.failedAt(failure.piece());
    fetch.putBack(null);
    return Flux.error(failure.error());
  }

  /**
   * Decodes the pieces that the sink admits, and further pieces as chunks are delivered. Called on
   * a codec thread.
   */
  <T> Flux<Delivery<T>> delivered(Fetch fetch, ChunkSink<T> sink) {
    Flux<Delivery<T>> first = admitted(fetch, sink);
    return fetch.hasNext()
        ? Flux.concat(
            List.of(
                first,
                Flux.defer(() -> admitted(fetch, sink))
                    .subscribeOn(codecScheduler, false)
                    .repeat(fetch::hasNext)))
        : first;
  }

  private <T> Flux<Delivery<T>> admitted(Fetch fetch, ChunkSink<T> sink) {
    if (!fetch.hasNext()) {
      return Flux.empty();
    }
    Mono<Void> admitted = sink.admitted(fetch.nextNumber());
    return admitted == null
        ? batch(fetch, sink)
        : admitted.then(Mono.fromSupplier(() -> batch(fetch, sink))).flatMapMany(batch -> batch);
  }

  /** Decodes the pieces that are admitted now. */
  private <T> Flux<Delivery<T>> batch(Fetch fetch, ChunkSink<T> sink) {
    int threads = threads(fetch);
    List<Piece> pieces = fetch.take(TOGETHER * threads, sink.bound());
    @SuppressWarnings({"unchecked", "rawtypes"})
    Delivery<T>[] decoded = new Delivery[pieces.size()];
    if (threads == 1 || pieces.size() <= TOGETHER) {
      Failure failure = decodeInto(fetch, pieces, 0, pieces.size(), sink, decoded);
      return deliveries(fetch, decoded, failure);
    }
    int each = (pieces.size() + threads - 1) / threads;
    Failure[] failures = new Failure[threads];
    return onThreads(
            threads,
            thread -> {
              int from = Math.min(thread * each, pieces.size());
              int to = Math.min(from + each, pieces.size());
              failures[thread] = decodeInto(fetch, pieces, from, to, sink, decoded);
            })
        .then(
            Mono.fromSupplier(
                () ->
                    deliveries(
                        fetch,
                        decoded,
                        Arrays.stream(failures).filter(Objects::nonNull).findFirst().orElse(null))))
        .flatMapMany(deliveries -> deliveries);
  }

  private <T> @Nullable Failure decodeInto(
      Fetch fetch, List<Piece> pieces, int from, int to, ChunkSink<T> sink, Delivery<T>[] decoded) {
    for (int i = from; i < to && !operation.isOver(); i++) {
      Piece piece = pieces.get(i);
      try {
        decoded[i] =
            new Delivery<>(decode(fetch, piece, sink), piece.number(), fetch.lease(), piece.held());
      } catch (RuntimeException | Error e) {
        return new Failure(piece, e);
      }
    }
    return null;
  }

  /** Returns the chunks before the failure, then the failure. */
  private <T> Flux<Delivery<T>> deliveries(
      Fetch fetch, Delivery<T>[] decoded, @Nullable Failure failure) {
    if (failure == null && !fetch.hasNext()) {
      fetch.release();
    }
    List<Delivery<T>> before = new ArrayList<>(decoded.length);
    for (int i = 0; i < decoded.length && decoded[i] != null; i++) {
      before.add(decoded[i]);
    }
    if (failure == null) {
      return before.size() == 1 ? Flux.just(before.get(0)) : Flux.fromIterable(before);
    }
    fetch.failedAt(failure.piece());
    fetch.putBack(failure.piece());
    return Flux.concat(List.of(Flux.fromIterable(before), Mono.error(failure.error())));
  }

  private <T> T decode(Fetch fetch, Piece piece, Sink<T> sink) {
    try { // without the guard's lambda: a piece costs little else
      return decodeNow(fetch, piece, sink);
    } catch (OutOfMemoryError e) {
      throw new MemoryExhaustedException(
          "of a chunk; fewer chunks are held at a time with a smaller maxInFlightBytes",
          piece.decodedBytes(),
          Location.UNKNOWN,
          e);
    }
  }

  private <T> T decodeNow(Fetch fetch, Piece piece, Sink<T> sink) {
    NdArray known = piece.known();
    if (known != null) {
      if (piece.isCached()) {
        cache.countHit();
      }
      return sink.decoded(piece, known);
    }
    SharedFetch shared = fetch.shared();
    NdArray given = shared == null ? null : shared.decoded(piece.inner());
    if (given != null) {
      return sink.decoded(piece, given);
    }
    Bytes encoded = fetch.bytes(piece);
    if (piece.isTooLarge()) {
      throw piece.tooLarge();
    }
    if (encoded == null) {
      return sink.missing(piece);
    }
    if (array.keepsDecodedChunks()) {
      return sink.decoded(
          piece, kept(fetch, piece.inner(), encoded, fetch.asked(), fetch.generation()));
    }
    Instrumentation observed = array.context().instrumentation();
    return observed.isObserved()
        ? observed
            .decoding(piece.decodedBytes(), (Bytes bytes) -> sink.stored(piece, bytes))
            .apply(encoded)
        : sink.stored(piece, encoded);
  }

  private NdArray kept(Fetch fetch, long inner, Bytes encoded, long asked, long generation) {
    ChunkCodec codec = fetch.codec();
    NdArray chunk =
        array
            .context()
            .instrumentation()
            .decoding(codec.representation().byteSize(), (Bytes bytes) -> decodeAlone(codec, bytes))
            .apply(encoded);
    if (array.keepsDecodedChunks()) {
      cache.put(
          new DecodedChunkCache.Id(fetch.key(), array.form(), inner), chunk, asked, generation);
    }
    return chunk;
  }

  /**
   * Decodes a chunk for other operations. They are told the error, too, if it cannot be decoded.
   *
   * @param stored returns the stored bytes of a chunk; null if it is missing
   */
  Told told(Fetch fetch, SharedFetch shared, long inner, LongFunction<@Nullable Bytes> stored) {
    try {
      return MemoryGuard.allocating(
          "of a chunk",
          fetch.codec().representation().byteSize(),
          Location.UNKNOWN,
          () -> {
            Bytes encoded = stored.apply(inner);
            return encoded == null
                ? new Told.Missing()
                : new Told.Decoded(
                    kept(fetch, inner, encoded, shared.asked(), shared.generation()));
          });
    } catch (ZarrException e) {
      return new Told.Failed(e);
    }
  }

  /**
   * Decodes a chunk into memory of its own, since a view of a part would retain the whole response.
   */
  static NdArray decodeAlone(ChunkCodec codec, Bytes encoded) {
    if (encoded.unsafeArray().length / 2 <= encoded.size()) {
      return codec.decode(encoded);
    }
    ChunkRepresentation decoded = codec.representation();
    ElementMemory memory = ElementMemory.allocate(decoded.dataType(), decoded.shape());
    codec.decodeInto(encoded, memory, 0);
    return memory.toNdArray(decoded.shape());
  }
}
