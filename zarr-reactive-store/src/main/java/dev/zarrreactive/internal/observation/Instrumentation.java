package dev.zarrreactive.internal.observation;

import dev.zarrreactive.base.Bytes;
import dev.zarrreactive.internal.flow.Guard;
import dev.zarrreactive.internal.threads.Environment;
import dev.zarrreactive.observation.CacheOutcome;
import dev.zarrreactive.observation.ChunkDecoding;
import dev.zarrreactive.observation.InFlightBytes;
import dev.zarrreactive.observation.OperationOutcome.Kind;
import dev.zarrreactive.observation.RangeRequest;
import dev.zarrreactive.observation.ZarrObserver;
import dev.zarrreactive.observation.ZarrOperation;
import dev.zarrreactive.store.Store;
import dev.zarrreactive.store.decorator.Stores;
import java.time.Duration;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.publisher.SignalType;

/**
 * Tells an observer of operations. With no observer publishers are returned as they are,
 * unmeasured.
 */
public final class Instrumentation {
  /** The name of the cache of shard indexes. */
  public static final String SHARD_INDEXES = "shard-indexes";

  /** The name of the cache of decoded chunks. */
  public static final String CHUNKS = "chunks";

  private final @Nullable ZarrObserver observer;

  /** Creates an instrumentation for {@code observer}, or for none. */
  public Instrumentation(@Nullable ZarrObserver observer) {
    this.observer = observer;
  }

  /** Returns true if there is an observer. */
  public boolean isObserved() {
    return observer != null;
  }

  /** Observes an operation on the node at {@code path}. */
  public <T> Mono<T> of(ZarrOperation.Kind kind, String path, Mono<T> operation) {
    ZarrObserver told = observer;
    if (told == null) {
      return operation;
    }
    return Mono.deferContextual(
        subscriber -> {
          ObservedOperation seen = new ObservedOperation(told, kind, path, subscriber);
          return operation
              .doOnSuccess(value -> seen.end(Kind.COMPLETED, null))
              .doOnError(error -> seen.end(Kind.FAILED, error))
              .doFinally(signal -> endIfCancelled(signal, seen))
              .contextWrite(seen::context);
        });
  }

  /** Observes an operation with many results. */
  public <T> Flux<T> of(ZarrOperation.Kind kind, String path, Flux<T> operation) {
    ZarrObserver told = observer;
    if (told == null) {
      return operation;
    }
    return Flux.deferContextual(
        subscriber -> {
          ObservedOperation seen = new ObservedOperation(told, kind, path, subscriber);
          return operation
              .doOnComplete(() -> seen.end(Kind.COMPLETED, null))
              .doOnError(error -> seen.end(Kind.FAILED, error))
              .doFinally(signal -> endIfCancelled(signal, seen))
              .contextWrite(seen::context);
        });
  }

  private static void endIfCancelled(SignalType signal, ObservedOperation seen) {
    if (signal == SignalType.CANCEL) {
      seen.end(Kind.CANCELLED, null);
    }
  }

  /** Returns {@code store} with observed requests. */
  public Store requests(Store store) {
    return observer == null ? store : Stores.observed(store, observer);
  }

  /** Reports that a hierarchy was opened. */
  public void opened(InFlightBytes bytes) {
    tell(told -> told.onOpen(bytes));
  }

  /** Observes an operation's wait for its first bytes. */
  public Mono<Void> waiting(Mono<Void> grant) {
    ZarrObserver told = observer;
    if (told == null) {
      return grant;
    }
    return Mono.defer(
        () -> {
          long start = Environment.current().nanoTime();
          return grant.doFinally(
              end -> {
                Duration waited = Duration.ofNanos(Environment.current().nanoTime() - start);
                Guard.run(() -> told.onInFlightWait(waited));
              });
        });
  }

  /** Observes the decoding of chunks of {@code decodedBytes} bytes. */
  public <T> Function<Bytes, T> decoding(long decodedBytes, Function<Bytes, T> decode) {
    ZarrObserver told = observer;
    return told == null ? decode : encoded -> decoded(told, encoded, decodedBytes, decode);
  }

  private static <T> T decoded(
      ZarrObserver told, Bytes encoded, long decodedBytes, Function<Bytes, T> decode) {
    long start = Environment.current().nanoTime();
    Throwable error = null;
    try {
      return decode.apply(encoded);
    } catch (Throwable thrown) {
      error = thrown;
      throw thrown;
    } finally {
      Duration duration = Duration.ofNanos(Environment.current().nanoTime() - start);
      ChunkDecoding decoding = new ChunkDecoding(duration, encoded.size(), decodedBytes, error);
      Guard.run(() -> told.onDecode(decoding));
    }
  }

  /** Observes a request for ranges, once for each subscription to it. */
  public <T> Mono<T> rangeRequest(Supplier<RangeRequest> request, Mono<T> fetch) {
    ZarrObserver told = observer;
    if (told == null) {
      return fetch;
    }
    return Mono.defer(
        () -> {
          RangeRequest made = request.get();
          Guard.run(() -> told.onRangeRequest(made));
          return fetch;
        });
  }

  /**
   * A request for ranges that were coalesced.
   *
   * @param together how many they are
   * @param wanted the bytes of all of them
   */
  public void rangeRequest(int together, long bytes, long wanted) {
    tell(
        told ->
            told.onRangeRequest(new RangeRequest(together, bytes, Math.max(0, bytes - wanted))));
  }

  /** Reports a look-up in one of the caches named above. */
  public void lookUp(String cache, CacheOutcome result) {
    tell(told -> told.onLookUp(cache, result));
  }

  private void tell(Consumer<ZarrObserver> what) {
    ZarrObserver told = observer;
    if (told != null) {
      Guard.run(() -> what.accept(told));
    }
  }
}
