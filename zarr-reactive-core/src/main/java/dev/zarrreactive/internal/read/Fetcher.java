package dev.zarrreactive.internal.read;

import dev.zarrreactive.base.ByteRange;
import dev.zarrreactive.base.Bytes;
import dev.zarrreactive.internal.context.ArrayStorage;
import dev.zarrreactive.internal.context.DecodedChunkCache;
import dev.zarrreactive.internal.context.SharedFetch;
import dev.zarrreactive.internal.context.SharedFetch.Told;
import dev.zarrreactive.internal.context.SharedFetches;
import dev.zarrreactive.internal.context.StoredChunkSize;
import dev.zarrreactive.internal.flow.Relay;
import dev.zarrreactive.internal.observation.Instrumentation;
import dev.zarrreactive.internal.threads.FileThreads;
import dev.zarrreactive.store.ReadCondition;
import dev.zarrreactive.store.Store;
import dev.zarrreactive.store.StoreCapability;
import dev.zarrreactive.store.Version;
import dev.zarrreactive.store.VersionedBytes;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.RejectedExecutionException;
import java.util.function.BooleanSupplier;
import java.util.function.LongFunction;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import reactor.core.CoreSubscriber;
import reactor.core.publisher.Mono;
import reactor.core.publisher.Operators;
import reactor.core.publisher.SignalType;
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
        .filter(piece -> !operation.takeCached(piece)) // asked about meanwhile
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
                            unknown(fetch).forEach(operation::takeRevalidated);
                          }
                        })
                    .then(Mono.defer(() -> requested(fetch))))
        .orElseGet(() -> requested(fetch));
  }

  private static Stream<Piece> unknown(Fetch fetch) {
    return fetch.planned().stream().filter(piece -> piece.known() == null);
  }

  private Mono<Fetch> requested(Fetch fetch) {
    return fetch.isWholeShard() ? wholeShard(fetch) : new Pieces(fetch, wanted(fetch));
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

  /**
   * The fetch of pieces, some of which other operations may be fetching already. It begins when it
   * is subscribed to: other operations join only a fetch that is on its way.
   */
  private final class Pieces extends Mono<Fetch> {
    private final Fetch fetch;
    private final List<Piece> wanted;

    Pieces(Fetch fetch, List<Piece> wanted) {
      this.fetch = fetch;
      this.wanted = wanted;
    }

    @Override
    public void subscribe(CoreSubscriber<? super Fetch> actual) {
      if (wanted.isEmpty()) {
        Mono.just(fetch).publishOn(codecScheduler).subscribe(actual);
        return;
      }
      long[] inner = new long[wanted.size()];
      for (int i = 0; i < inner.length; i++) {
        inner[i] = wanted.get(i).inner();
      }
      SharedFetch shared = begun(fetch, inner);
      int joined = shared.joined();
      boolean isRequested;
      try {
        isRequested = joined < inner.length && !takeCached(shared);
      } catch (RuntimeException | Error e) {
        shared.fail(e);
        Operators.error(actual, e);
        return;
      }
      count(isRequested ? inner.length - joined : 0, joined);
      if (joined > 0) {
        Mono<Fetch> own = isRequested ? new Request(fetch, shared, false) : Mono.just(fetch);
        own.flatMap(mine -> awaited(mine, shared, wanted)).subscribe(actual);
      } else if (isRequested) {
        new Request(fetch, shared, true).subscribe(actual);
      } else {
        Mono.just(fetch).publishOn(codecScheduler).subscribe(actual);
      }
    }

    /**
     * Takes the pieces that no other operation fetches from the cache, where another one has put
     * them after this one was planned. If all of them are there, closes the fetch without a
     * request, and returns true.
     */
    private boolean takeCached(SharedFetch shared) {
      if (!array.keepsDecodedChunks()) {
        return false;
      }
      boolean all = true;
      for (int i = 0; i < wanted.size(); i++) {
        all &= shared.other(i) != null || operation.takeCached(wanted.get(i));
      }
      if (all) {
        shared.close();
      }
      return all;
    }
  }

  private SharedFetch begun(Fetch fetch, long @Nullable [] inner) {
    return others.begin(
        fetch.key(),
        array.form(),
        fetch.version(),
        Objects.requireNonNull(fetch.range()),
        inner,
        asked -> operation.isFresh(fetch, asked));
  }

  /** The request for a fetch that has begun. */
  private final class Request extends Mono<Fetch> {
    private final Fetch fetch;
    private final SharedFetch shared;
    private final boolean isDecodedAtOnce;

    /**
     * Creates the request.
     *
     * @param isDecodedAtOnce false if the fetch then waits for other operations
     */
    Request(Fetch fetch, SharedFetch shared, boolean isDecodedAtOnce) {
      this.fetch = fetch;
      this.shared = shared;
      this.isDecodedAtOnce = isDecodedAtOnce;
    }

    @Override
    public void subscribe(CoreSubscriber<? super Fetch> actual) {
      fetch.begin(shared);
      boolean borrows = isBorrowing && isDecodedAtOnce && fetch.isSmall();
      asked(() -> bytes(fetch)).subscribe(new Arrival(actual, fetch, shared, borrows));
    }
  }

  /** Returns the answer of a store; an error if it throws one instead. */
  private static <T> Mono<T> asked(Supplier<Mono<T>> store) {
    try {
      return Objects.requireNonNull(store.get(), "the store has given no publisher");
    } catch (RuntimeException | Error e) {
      return Mono.error(e);
    }
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
      if (hasArrived) { // a store that breaks Reactive Streams: the first answer counts
        Operators.onNextDropped(bytes, currentContext());
        return;
      }
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
      shared.fail(error);
      actual.onError(error);
    }

    @Override
    public void cancel() {
      isCancelled = true;
      super.cancel();
      shared.close();
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
   * Awaits the pieces that other operations fetch. Pieces of which they tell nothing are fetched.
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
        .then(Mono.defer(() -> taken(fetch, shared, wanted)));
  }

  private Mono<Fetch> taken(Fetch fetch, SharedFetch shared, List<Piece> wanted) {
    ByteRange range = Objects.requireNonNull(fetch.range());
    List<Piece> rest = new ArrayList<>();
    for (int i = 0; i < wanted.size(); i++) {
      Piece piece = wanted.get(i);
      SharedFetch other = shared.other(i);
      if (other == null) {
        continue; // requested by this fetch
      }
      Told told = other.told(piece.inner(), range, fetch.version());
      if (told instanceof Told.Decoded given) {
        piece.known(given.chunk());
      } else if (told instanceof Told.Missing) {
        piece.place(null);
      } else if (told instanceof Told.Failed failed) {
        return Mono.error(failed.error());
      } else {
        rest.add(piece);
      }
    }
    return rest.isEmpty() ? Mono.just(fetch) : new Pieces(fetch, rest);
  }

  /**
   * Tells the operations that joined the fetch of its chunks. The fetch stays open until its chunks
   * are cached, if they are to be.
   *
   * @param isLent true if the bytes of the fetch may change later
   */
  private void giveAway(Fetch fetch, SharedFetch shared, boolean isLent) {
    boolean isOvertaken = fetch.isOvertaken(array.context().generations());
    boolean staysOpen = array.keepsDecodedChunks() && !isOvertaken;
    LongFunction<@Nullable Bytes> stored = staysOpen ? fetch.stored() : fetch::bytes;
    long[] awaited =
        shared.arrive(staysOpen ? chunk -> decoder.told(fetch, shared, chunk, stored) : null);
    if (isLent && awaited.length > 0) {
      fetch.own();
    }
    for (long chunk : awaited) {
      if (!isOvertaken) {
        shared.tell(chunk, decoder.told(fetch, shared, chunk, stored));
      }
    }
    if (staysOpen) {
      operation.serve(fetch, shared);
    }
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

  /** Fetches a whole shard, or joins the fetch of another operation. */
  private Mono<Fetch> wholeShard(Fetch fetch) {
    return Mono.defer(
        () -> {
          SharedFetch shared = begun(fetch, null);
          SharedFetch other = shared.other(0);
          if (other != null) {
            return joined(fetch, other);
          }
          if (takeCached(fetch, shared)) {
            shared.close();
            return Mono.just(fetch);
          }
          return requested(fetch, shared);
        });
  }

  /** Takes all pieces of a shard from the cache; returns false if it lacks one of them. */
  private boolean takeCached(Fetch fetch, SharedFetch shared) {
    try {
      List<Piece> cached =
          array.keepsDecodedChunks() ? Objects.requireNonNull(fetch.shard()).cached() : null;
      if (cached != null) {
        fetch.inMemory(cached);
      }
      return cached != null;
    } catch (RuntimeException | Error e) {
      shared.fail(e);
      throw e;
    }
  }

  /** Waits for another operation's fetch of the same shard; fetches it if that tells nothing. */
  private Mono<Fetch> joined(Fetch fetch, SharedFetch other) {
    return other
        .over()
        .publishOn(codecScheduler)
        .then(
            Mono.defer(
                () -> {
                  Mono<VersionedBytes> answer = other.answer(Objects.requireNonNull(fetch.range()));
                  return answer == null
                      ? wholeShard(fetch)
                      : answer
                          .map(value -> opened(fetch, other, value))
                          .switchIfEmpty(Mono.fromSupplier(() -> missing(fetch, other)));
                }));
  }

  private Mono<Fetch> requested(Fetch fetch, SharedFetch shared) {
    Store store = array.requests();
    ByteRange range = Objects.requireNonNull(fetch.range());
    Mono<VersionedBytes> read =
        asked(
            () ->
                store.capabilities().contains(StoreCapability.VERSIONS)
                    ? store.getVersioned(fetch.key(), range, ReadCondition.ALWAYS)
                    : store.get(fetch.key(), range).map(bytes -> new VersionedBytes(bytes, null)));
    fetch.begin(shared);
    return read.publishOn(codecScheduler)
        .map(
            answer -> {
              opened(fetch, shared, answer);
              shared.answered(answer);
              return fetch;
            })
        .switchIfEmpty(
            Mono.fromSupplier(
                () -> {
                  shared.answered(null);
                  return fetch;
                }))
        .doOnNext(arrived -> giveAway(fetch, shared, false))
        .doOnError(shared::fail)
        .doFinally(
            end -> {
              if (end == SignalType.CANCEL) { // and the request is cancelled
                shared.close();
              }
            });
  }

  private static Fetch opened(Fetch fetch, SharedFetch shared, VersionedBytes answer) {
    fetch.begin(shared);
    Objects.requireNonNull(fetch.shard()).open(fetch, answer);
    return fetch;
  }

  private static Fetch missing(Fetch fetch, SharedFetch shared) {
    fetch.begin(shared);
    return fetch;
  }
}
