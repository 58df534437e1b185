package dev.zarrreactive.internal.read;

import dev.zarrreactive.array.NdArray;
import dev.zarrreactive.base.Bytes;
import dev.zarrreactive.codec.ChunkCodec;
import dev.zarrreactive.error.Location;
import dev.zarrreactive.error.MemoryExhaustedException;
import dev.zarrreactive.error.ZarrException;
import dev.zarrreactive.internal.context.ArrayStorage;
import dev.zarrreactive.internal.context.DecodedChunkCache;
import dev.zarrreactive.internal.context.SharedFetches.SharedFetch;
import dev.zarrreactive.internal.context.SharedFetches.SharedFetch.Told;
import dev.zarrreactive.internal.flow.Concurrently;
import dev.zarrreactive.internal.guard.MemoryGuard;
import dev.zarrreactive.internal.observation.Instrumentation;
import dev.zarrreactive.internal.read.ChunkRequest.Piece;
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
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Scheduler;

/**
 * Decodes the pieces of a fetch in a plain loop on the calling thread; many pieces are split over
 * several codec threads.
 */
final class Decoder {
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
   * Decodes all pieces into the result, on this thread. Returns the failure; null if there is none.
   */
  @Nullable Throwable place(Fetch fetch, ArraySink sink) {
    AtomicReference<@Nullable Failure> failure = new AtomicReference<>();
    place(fetch, sink, failure);
    return end(fetch, failure.get());
  }

  /**
   * Decodes all pieces into the result, on as many codec threads as they are worth. Emits nothing.
   */
  <T> Mono<T> placeAll(Fetch fetch, ArraySink sink) {
    AtomicReference<@Nullable Failure> failure = new AtomicReference<>();
    int threads = threads(fetch);
    if (threads > 1) {
      return onThreads(threads, thread -> place(fetch, sink, failure))
          .then(Mono.defer(() -> Decoder.<T>signal(end(fetch, failure.get()))));
    }
    place(fetch, sink, failure);
    return signal(end(fetch, failure.get()));
  }

  private static <T> Mono<T> signal(@Nullable Throwable failure) {
    return failure == null ? Mono.empty() : Mono.error(failure);
  }

  /** Does the work on several codec threads. */
  private Flux<Void> onThreads(int threads, IntConsumer work) {
    return Concurrently.map(
        Flux.range(0, threads),
        threads,
        thread -> Mono.<Void>fromRunnable(() -> work.accept(thread)).subscribeOn(codecScheduler));
  }

  private static int threads(Fetch fetch) {
    return fetch.isForOneThread() ? 1 : Environment.current().processors();
  }

  private void place(Fetch fetch, ArraySink sink, AtomicReference<@Nullable Failure> failure) {
    List<Piece> pieces = fetch.take(Fetch.TOGETHER, Long.MAX_VALUE);
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
      pieces = fetch.take(Fetch.TOGETHER, Long.MAX_VALUE);
    }
  }

  private static @Nullable Throwable end(Fetch fetch, @Nullable Failure failure) {
    if (failure == null) {
      fetch.release();
      return null;
    }
    fetch.failAt(failure.piece());
    fetch.putBack(null);
    return failure.error();
  }

  /**
   * Decodes the pieces that the sink admits, and further pieces as chunks are delivered. Called on
   * a codec thread.
   */
  <T> Flux<Delivery<T>> deliver(Fetch fetch, ChunkSink<T> sink) {
    Flux<Delivery<T>> first = deliverAdmitted(fetch, sink);
    return fetch.hasNext()
        ? Flux.concat(
            List.of(
                first,
                Flux.defer(() -> deliverAdmitted(fetch, sink))
                    .subscribeOn(codecScheduler, false)
                    .repeat(fetch::hasNext)))
        : first;
  }

  private <T> Flux<Delivery<T>> deliverAdmitted(Fetch fetch, ChunkSink<T> sink) {
    if (!fetch.hasNext()) {
      return Flux.empty();
    }
    Mono<Void> admission = sink.admission(fetch.nextNumber());
    return admission == null
        ? batch(fetch, sink)
        : admission.then(Mono.fromSupplier(() -> batch(fetch, sink))).flatMapMany(batch -> batch);
  }

  /** Decodes the pieces that are admitted now. */
  private <T> Flux<Delivery<T>> batch(Fetch fetch, ChunkSink<T> sink) {
    int threads = threads(fetch);
    List<Piece> pieces = fetch.take(Fetch.TOGETHER * threads, sink.bound());
    @SuppressWarnings({"unchecked", "rawtypes"})
    Delivery<T>[] decoded = new Delivery[pieces.size()];
    if (threads == 1 || pieces.size() <= Fetch.TOGETHER) {
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
    fetch.failAt(failure.piece());
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
    Fetch.Requested request = fetch instanceof Fetch.Requested requested ? requested : null;
    SharedFetch shared = request == null ? null : request.shared();
    NdArray given =
        request == null || shared == null ? null : shared.decoded(request.numberOf(piece));
    if (given != null) {
      return sink.decoded(piece, given);
    }
    Bytes encoded = request == null ? null : request.bytes(piece);
    if (piece.isTooLarge()) {
      throw piece.tooLarge();
    }
    if (request == null || encoded == null) {
      return sink.missing(piece);
    }
    if (array.keepsDecodedChunks()) {
      return sink.decoded(
          piece, decodeAndCache(request, request.numberOf(piece), encoded, request.generation()));
    }
    Instrumentation observed = array.context().instrumentation();
    return observed.isObserved()
        ? observed
            .decoding(piece.decodedBytes(), (Bytes bytes) -> sink.stored(piece, bytes))
            .apply(encoded)
        : sink.stored(piece, encoded);
  }

  /** Decodes a chunk, and caches it if the array's chunks are cached. */
  private NdArray decodeAndCache(
      Fetch.Requested fetch, long number, Bytes encoded, long generation) {
    ChunkCodec codec = fetch.codecOf(number);
    NdArray chunk =
        array
            .context()
            .instrumentation()
            .decoding(
                codec.representation().byteSize(), (Bytes bytes) -> Piece.decodeAlone(codec, bytes))
            .apply(encoded);
    if (array.keepsDecodedChunks()) {
      cache.put(
          new DecodedChunkCache.Id(fetch.keyOf(number), array.form(), fetch.innerOf(number)),
          chunk,
          generation);
    }
    return chunk;
  }

  /**
   * Returns what decodes the chunks of a fetch for other operations, by their numbers: the bytes as
   * they are now, on any thread. They are told the error, too, if a chunk cannot be decoded.
   */
  LongFunction<Told> teller(Fetch.Requested fetch, SharedFetch shared) {
    LongFunction<@Nullable Bytes> stored = fetch.bytesOfPieces();
    return inner -> {
      try {
        return MemoryGuard.allocating(
            "of a chunk",
            fetch.codecOf(inner).representation().byteSize(),
            Location.UNKNOWN,
            () -> {
              Bytes encoded = stored.apply(inner);
              return encoded == null
                  ? new Told.Missing()
                  : new Told.Decoded(decodeAndCache(fetch, inner, encoded, shared.generation()));
            });
      } catch (ZarrException e) {
        return new Told.Failed(e);
      }
    };
  }

  /**
   * Consumes decoded pieces. Several threads may call it at the same time.
   *
   * @param <T> the result of consuming a piece
   */
  interface Sink<T> {
    /** Decodes a piece from its stored bytes and consumes it. */
    T stored(Piece piece, Bytes encoded);

    /** Consumes the selected part of a decoded chunk. */
    T decoded(Piece piece, NdArray chunk);

    /** Consumes a missing piece, whose elements have the fill value. */
    T missing(Piece piece);
  }
}
