package dev.zarrreactive.internal.read;

import dev.zarrreactive.codec.ChunkCodec;
import dev.zarrreactive.internal.context.ArrayStorage;
import dev.zarrreactive.internal.context.DecodedChunkCache;
import dev.zarrreactive.internal.context.SharedFetch;
import dev.zarrreactive.internal.context.SharedFetches;
import dev.zarrreactive.internal.context.StoredChunkSize;
import dev.zarrreactive.internal.flow.Relay;
import dev.zarrreactive.internal.observation.Instrumentation;
import dev.zarrreactive.internal.threads.FileThreads;
import dev.zarrreactive.store.ByteRange;
import dev.zarrreactive.store.Bytes;
import dev.zarrreactive.store.ReadCondition;
import dev.zarrreactive.store.Store;
import dev.zarrreactive.store.StoreCapability;
import dev.zarrreactive.store.Version;
import dev.zarrreactive.store.VersionedBytes;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.RejectedExecutionException;
import java.util.function.BooleanSupplier;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import reactor.core.CoreSubscriber;
import reactor.core.publisher.Mono;
import reactor.core.publisher.Operators;
import reactor.core.scheduler.Scheduler;
import reactor.util.context.Context;

/**
 * Loads fetches: acquires the lease, joins the fetches of other operations for the same chunks,
 * requests the rest from the store, and continues on the codec scheduler.
 */
final class Fetcher {
  private final ReadOperation operation;
  private final ArrayStorage array;
  private final Decoder decoder;
  private final SharedFetches others;
  private final Scheduler codecScheduler;
  private final BooleanSupplier isPlaceable;
  private final boolean isBorrowing;

  /**
   * Creates a fetcher.
   *
   * @param isPlaceable true when a piece can be placed at once; always false for a stream
   */
  Fetcher(ReadOperation operation, Decoder decoder, BooleanSupplier isPlaceable) {
    this.operation = operation;
    this.isPlaceable = isPlaceable;
    this.isBorrowing = operation.borrowsFromFileThreads();
    this.array = operation.array();
    this.decoder = decoder;
    this.others = array.context().sharedFetches();
    this.codecScheduler = array.limits().codecScheduler();
  }

  /**
   * Returns the fetch when its bytes have arrived, on a codec thread. The fetch joins the queue of
   * leases at once, before the subscription, which must follow.
   */
  Mono<Fetch> load(Fetch fetch) {
    Mono<Void> acquired = fetch.lease().acquired();
    return acquired == null
        ? loaded(fetch)
        : acquired.publishOn(codecScheduler).then(Mono.defer(() -> loaded(fetch)));
  }

  private Mono<Fetch> loaded(Fetch fetch) {
    return fetch.range() == null ? Mono.just(fetch).publishOn(codecScheduler) : revalidated(fetch);
  }

  /** Revalidates stale cached chunks before their bytes are requested. */
  private Mono<Fetch> revalidated(Fetch fetch) {
    if (!array.keepsDecodedChunks() || fetch.isWholeShard()) {
      return requested(fetch);
    }
    DecodedChunkCache cache = array.context().decodedChunks();
    return unknown(fetch)
        .filter(piece -> !operation.isCached(piece)) // asked about meanwhile
        .map(operation::id)
        .filter(cache::isRevalidated)
        .findFirst()
        .map(cache::isUnchanged)
        .map(
            asked ->
                asked
                    .doOnNext(
                        unchanged -> {
                          if (unchanged) {
                            unknown(fetch).forEach(operation::isRevalidated);
                          }
                        })
                    .then(Mono.defer(() -> requested(fetch))))
        .orElseGet(() -> requested(fetch));
  }

  private static Stream<Piece> unknown(Fetch fetch) {
    return fetch.planned().stream().filter(piece -> piece.known() == null);
  }

  private Mono<Fetch> requested(Fetch fetch) {
    if (fetch.isWholeShard()) {
      return wholeShard(fetch);
    }
    List<Piece> wanted = wanted(fetch);
    return wanted.isEmpty() ? Mono.just(fetch).publishOn(codecScheduler) : pieces(fetch, wanted);
  }

  private static List<Piece> wanted(Fetch fetch) {
    List<Piece> planned = fetch.planned();
    for (Piece piece : planned) {
      if (piece.known() != null) {
        return unknown(fetch).toList();
      }
    }
    return planned;
  }

  /** Fetches pieces; other operations may be fetching some of them already. */
  private Mono<Fetch> pieces(Fetch fetch, List<Piece> wanted) {
    long[] inner = new long[wanted.size()];
    for (int i = 0; i < inner.length; i++) {
      inner[i] = wanted.get(i).inner();
    }
    SharedFetch shared = others.begin(fetch.key(), array.form(), fetch.version(), inner);
    int joined = shared.joined();
    count(inner.length - joined, joined);
    Mono<Fetch> own = joined == inner.length ? Mono.just(fetch) : own(fetch, shared, joined == 0);
    return joined == 0 ? own : own.flatMap(mine -> awaited(mine, shared, wanted));
  }

  /**
   * Requests the pieces that no other operation fetches.
   *
   * @param isDecodedAtOnce false if the fetch then waits for other operations
   */
  private Mono<Fetch> own(Fetch fetch, SharedFetch shared, boolean isDecodedAtOnce) {
    fetch.begin(shared);
    boolean borrows = isBorrowing && isDecodedAtOnce && fetch.isSmall();
    Mono<Bytes> bytes = bytes(fetch);
    return new Mono<>() {
      @Override
      public void subscribe(CoreSubscriber<? super Fetch> actual) {
        bytes.subscribe(new Arrival(actual, fetch, shared, borrows));
      }
    };
  }

  /**
   * Waits for the bytes of a fetch, and continues on the codec scheduler. Small chunks stay on the
   * file thread that has read them: a change of threads takes about as long as their decode, and
   * the thread can read the next chunk into the same memory.
   */
  private final class Arrival extends Relay<Bytes, Fetch> {
    private final Fetch fetch;
    private final SharedFetch shared;
    private final boolean isBorrowing;
    private final Context context;
    private volatile boolean isCancelled;
    private boolean hasArrived;

    Arrival(
        CoreSubscriber<? super Fetch> actual,
        Fetch fetch,
        SharedFetch shared,
        boolean isBorrowing) {
      super(actual);
      this.fetch = fetch;
      this.shared = shared;
      this.isBorrowing = isBorrowing;
      Context outer = actual.currentContext();
      this.context = isBorrowing ? outer.put(FileThreads.BORROWS, true) : outer;
    }

    @Override
    public Context currentContext() {
      return context;
    }

    @Override
    public void onNext(Bytes bytes) {
      hasArrived = true;
      if (isBorrowing && isPlaceable.getAsBoolean() && FileThreads.isCurrent()) {
        fetch.arrived(bytes);
        passOn(true);
      } else {
        fetch.arrived(bytes);
        if (isBorrowing) {
          fetch.own();
        }
        onCodecThread(() -> passOn(false));
      }
    }

    @Override
    public void onComplete() {
      if (!hasArrived) {
        onCodecThread(() -> passOn(false));
      }
    }

    @Override
    public void onError(Throwable error) {
      Throwable cause = fetch.isAlone() ? StoredChunkSize.error(fetch.codec(), error) : error;
      onCodecThread(() -> fail(cause));
    }

    private void onCodecThread(Runnable signal) {
      try {
        codecScheduler.schedule(signal);
      } catch (RejectedExecutionException e) {
        fail(Operators.onRejectedExecution(e, currentContext()));
      }
    }

    private void passOn(boolean isLent) {
      if (isCancelled) {
        return;
      }
      try {
        giveAway(fetch, shared, isLent);
      } catch (RuntimeException | Error e) {
        fail(e);
        return;
      }
      actual.onNext(fetch);
      actual.onComplete();
    }

    private void fail(Throwable error) {
      close(fetch, shared);
      actual.onError(error);
    }

    @Override
    public void cancel() {
      isCancelled = true;
      super.cancel();
      close(fetch, shared);
    }
  }

  private void count(long own, long joined) {
    DecodedChunkCache cache = array.context().decodedChunks();
    for (long i = 0; i < own && cache.isKeeping(); i++) {
      cache.countMiss();
    }
    for (long i = 0; i < joined; i++) {
      cache.countShared();
    }
  }

  /**
   * Awaits the pieces that other operations fetch; fetches the pieces that they did not deliver.
   */
  private Mono<Fetch> awaited(Fetch fetch, SharedFetch shared, List<Piece> wanted) {
    List<Mono<Void>> ends =
        IntStream.range(0, wanted.size())
            .mapToObj(shared::other)
            .filter(Objects::nonNull)
            .distinct()
            .map(SharedFetch::over)
            .toList();
    return Mono.when(ends)
        .publishOn(codecScheduler)
        .then(
            Mono.defer(
                () -> {
                  List<Piece> rest =
                      IntStream.range(0, wanted.size())
                          .filter(i -> !takeGiven(wanted.get(i), shared.other(i)))
                          .mapToObj(wanted::get)
                          .toList();
                  return rest.isEmpty() ? Mono.just(fetch) : pieces(fetch, rest);
                }));
  }

  /**
   * Takes the chunk that another operation has decoded. Returns false if that operation did not
   * give it; a piece that the fetch itself requests counts as taken.
   */
  private static boolean takeGiven(Piece piece, @Nullable SharedFetch other) {
    if (other == null) {
      return true;
    }
    SharedFetch.Given given = other.given(piece.inner());
    if (given == null) {
      return false;
    }
    if (given.chunk() == null) {
      piece.place(null);
    } else {
      piece.known(given.chunk());
    }
    return true;
  }

  /** Passes the chunks to the operations that joined the fetch, and closes it to further ones. */
  private Mono<Fetch> shared(Fetch fetch, SharedFetch shared, Mono<Fetch> request) {
    return request
        .publishOn(codecScheduler)
        .doOnNext(arrived -> giveAway(fetch, shared, false))
        .doFinally(end -> close(fetch, shared));
  }

  /**
   * Decodes the chunks that other operations wait for.
   *
   * @param isLent true if the bytes of the fetch may change later
   */
  private void giveAway(Fetch fetch, SharedFetch shared, boolean isLent) {
    long[] awaited = others.close(fetch.key(), array.form(), shared);
    if (isLent && awaited.length > 0) {
      fetch.own();
    }
    for (long chunk : awaited) {
      if (!fetch.isOvertaken(array.context().generations())) {
        decoder.give(fetch, shared, chunk);
      }
    }
    shared.end();
  }

  private void close(Fetch fetch, SharedFetch shared) {
    others.close(fetch.key(), array.form(), shared);
    shared.end();
  }

  private Mono<Bytes> bytes(Fetch fetch) {
    Store store = array.requests();
    Version version = fetch.version();
    ByteRange range = Objects.requireNonNull(fetch.range());
    Instrumentation instrumentation = array.context().instrumentation();
    if (range instanceof ByteRange.Slice slice && instrumentation.isObserved()) {
      instrumentation.rangeRequest(fetch.planned().size(), slice.length(), fetch.wantedBytes());
    }
    if (version != null) {
      return store
          .getVersioned(fetch.key(), range, ReadCondition.ifMatch(version))
          .mapNotNull(VersionedBytes::bytes);
    }
    return store.get(fetch.key(), range);
  }

  /** Returns the stored bytes of a whole chunk; empty if it is missing. */
  static Mono<Bytes> whole(ArrayStorage array, ChunkCodec codec, long... index) {
    return StoredChunkSize.read(codec, whole -> array.requests().get(array.key(index), whole));
  }

  /** Fetches a whole shard, or joins the fetch of another operation. */
  private Mono<Fetch> wholeShard(Fetch fetch) {
    return Mono.defer(
        () -> {
          SharedFetch other = others.whole(fetch.key(), array.form());
          if (other == null) {
            return ownWholeShard(fetch);
          }
          return other
              .over()
              .publishOn(codecScheduler)
              .then(
                  Mono.defer(
                      () -> {
                        VersionedBytes answer = other.answer();
                        return answer == null
                            ? wholeShard(fetch)
                            : Mono.just(opened(fetch, other, answer));
                      }));
        });
  }

  private Mono<Fetch> ownWholeShard(Fetch fetch) {
    SharedFetch shared = others.begin(fetch.key(), array.form(), null, null);
    Store store = array.requests();
    ByteRange range = Objects.requireNonNull(fetch.range());
    Mono<VersionedBytes> read =
        store.capabilities().contains(StoreCapability.VERSIONS)
            ? store.getVersioned(fetch.key(), range, ReadCondition.ALWAYS)
            : store.get(fetch.key(), range).map(bytes -> new VersionedBytes(bytes, null));
    Mono<Fetch> request =
        read.publishOn(codecScheduler)
            .map(
                answer -> {
                  Fetch open = opened(fetch, shared, answer);
                  shared.answered(answer);
                  return open;
                })
            .defaultIfEmpty(fetch);
    return shared(fetch, shared, request);
  }

  private static Fetch opened(Fetch fetch, SharedFetch shared, VersionedBytes answer) {
    fetch.begin(shared);
    Objects.requireNonNull(fetch.shard()).open(fetch, answer);
    return fetch;
  }
}
