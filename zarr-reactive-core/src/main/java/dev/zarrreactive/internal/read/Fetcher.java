package dev.zarrreactive.internal.read;

import dev.zarrreactive.base.ByteRange;
import dev.zarrreactive.base.Bytes;
import dev.zarrreactive.error.Location;
import dev.zarrreactive.error.StoreException;
import dev.zarrreactive.error.ZarrException;
import dev.zarrreactive.internal.cache.Generations;
import dev.zarrreactive.internal.context.ArrayStorage;
import dev.zarrreactive.internal.context.SharedFetches;
import dev.zarrreactive.internal.context.SharedFetches.SharedFetch;
import dev.zarrreactive.internal.context.SharedFetches.SharedFetch.Told;
import dev.zarrreactive.internal.context.StoredChunkSize;
import dev.zarrreactive.internal.flow.ByteBudget;
import dev.zarrreactive.internal.flow.Relay;
import dev.zarrreactive.internal.observation.Instrumentation;
import dev.zarrreactive.internal.read.ChunkRequest.Piece;
import dev.zarrreactive.internal.threads.FileThreads.Loan;
import dev.zarrreactive.store.ReadCondition;
import dev.zarrreactive.store.Store;
import dev.zarrreactive.store.StoreCapability;
import dev.zarrreactive.store.Version;
import dev.zarrreactive.store.VersionedBytes;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.RejectedExecutionException;
import java.util.function.LongFunction;
import org.jspecify.annotations.Nullable;
import reactor.core.CoreSubscriber;
import reactor.core.publisher.Mono;
import reactor.core.publisher.Operators;
import reactor.core.scheduler.Scheduler;
import reactor.util.context.Context;

/**
 * Loads fetches: acquires the lease, joins the fetches of other operations for the same chunks,
 * requests the rest from the store, and continues on the codec scheduler. Places the pieces of an
 * assembled read as they arrive.
 */
final class Fetcher {
  private final ReadOperation operation;
  private final ArrayStorage array;
  private final Decoder decoder;
  private final @Nullable ArraySink sink;
  private final SharedFetches others;
  private final Generations generations;
  private final Scheduler codecScheduler;
  private final boolean mayBorrow;

  /**
   * Creates a fetcher.
   *
   * @param sink places pieces as they arrive; null for a stream
   */
  Fetcher(ReadOperation operation, Decoder decoder, @Nullable ArraySink sink) {
    this.operation = operation;
    this.array = operation.array();
    this.decoder = decoder;
    this.sink = sink;
    this.others = array.context().sharedFetches();
    this.generations = array.context().generations();
    this.codecScheduler = array.limits().codecScheduler();
    this.mayBorrow = operation.mayBorrow();
  }

  /**
   * Emits the fetch on a codec thread when its bytes have arrived. Completes empty instead when its
   * pieces are in their places. The fetch joins the queue of leases at once, before the
   * subscription, which must follow.
   */
  Mono<Fetch> load(Fetch fetch) {
    ByteBudget.Lease awaited = fetch.lease().acquire();
    return awaited == null
        ? request(fetch)
        : array
            .context()
            .granted(awaited)
            .publishOn(codecScheduler)
            .onErrorMap(ZarrException.class, e -> ArrayStorage.located(e, fetch.location()))
            .then(Mono.defer(() -> request(fetch)));
  }

  private Mono<Fetch> request(Fetch fetch) {
    if (fetch instanceof Fetch.Requested requested && requested.bytes() == null) {
      List<Piece> wanted = unknown(fetch.planned());
      if (!wanted.isEmpty() || fetch.planned().isEmpty()) {
        return new Flight(requested, wanted, true);
      }
    }
    return new Mono<>() {
      @Override
      public void subscribe(CoreSubscriber<? super Fetch> actual) {
        Mono.<Bytes>empty().subscribe(new Arrival(actual, fetch, null, true, true));
      }
    };
  }

  private static List<Piece> unknown(List<Piece> pieces) {
    for (Piece piece : pieces) {
      if (piece.known() != null) {
        return pieces.stream().filter(each -> each.known() == null).toList();
      }
    }
    return pieces;
  }

  /**
   * The request for pieces, some of which other operations may be fetching already. It begins when
   * it is subscribed to: other operations join only a fetch that is on its way.
   */
  private final class Flight extends Mono<Fetch> {
    private final Fetch.Requested fetch;
    private final List<Piece> wanted;
    private final boolean isLast;

    /**
     * Creates a request.
     *
     * @param wanted the pieces; empty for a whole shard
     * @param isLast false where the fetch then waits for further pieces
     */
    Flight(Fetch.Requested fetch, List<Piece> wanted, boolean isLast) {
      this.fetch = fetch;
      this.wanted = wanted;
      this.isLast = isLast;
    }

    @Override
    public void subscribe(CoreSubscriber<? super Fetch> actual) {
      long[] inner = new long[wanted.size()];
      for (int i = 0; i < inner.length; i++) {
        inner[i] = fetch.numberOf(wanted.get(i));
      }
      boolean isWhole = fetch instanceof Fetch.OfShard;
      SharedFetch shared =
          others.begin(
              fetch.place(), array.form(), fetch.version(), fetch.range(), isWhole ? null : inner);
      int joined = shared.joined();
      int own = isWhole ? 1 - joined : inner.length - joined;
      boolean isRequested;
      try {
        isRequested = own > 0 && !tryTakeCached(shared);
      } catch (RuntimeException | Error e) {
        shared.fail(e);
        Operators.error(actual, e);
        return;
      }
      if (!isWhole) {
        array.context().decodedChunks().countFetches(isRequested ? own : 0, joined);
      }
      if (joined > 0) {
        join(shared, isRequested).subscribe(new Arrival(actual, fetch, null, false, isLast));
      } else if (isRequested) {
        new Request(fetch, shared, isLast).subscribe(actual);
      } else {
        Mono.<Bytes>empty().subscribe(new Arrival(actual, fetch, null, true, isLast));
      }
    }

    /**
     * Takes what no other operation fetches from the cache, where another one has put it after this
     * one was planned. If all of it is there, closes the fetch without a request, and returns true.
     */
    private boolean tryTakeCached(SharedFetch shared) {
      if (!array.keepsDecodedChunks()) {
        return false;
      }
      boolean all = !(fetch instanceof Fetch.OfShard shard) || shard.tryTakeCached();
      for (int i = 0; i < wanted.size(); i++) {
        all &= shared.other(i) != null || operation.tryTakeCached(wanted.get(i));
      }
      if (all) {
        shared.close();
      }
      return all;
    }

    /**
     * Makes the request of this operation, and takes from others what they fetch. Completes on a
     * codec thread.
     */
    private Mono<Bytes> join(SharedFetch shared, boolean isRequested) {
      Mono<Void> told = shared.joinedOutcomes().publishOn(codecScheduler);
      Mono<Bytes> taken = told.then(Mono.defer(() -> takeTold(shared)));
      return isRequested ? new Request(fetch, shared, false).then(taken) : taken;
    }

    /** Takes what the others have told. Pieces of which they tell nothing are requested. */
    private Mono<Bytes> takeTold(SharedFetch shared) {
      List<Piece> rest = new ArrayList<>();
      boolean isTold = true;
      if (fetch instanceof Fetch.OfShard shard) {
        isTold = shard.tryTake(Objects.requireNonNull(shared.other(0)));
      }
      for (int i = 0; i < wanted.size(); i++) {
        Piece piece = wanted.get(i);
        SharedFetch other = shared.other(i);
        if (other == null) {
          continue; // requested by this fetch
        }
        Told told = other.told(fetch.numberOf(piece), fetch.range(), fetch.version());
        if (told instanceof Told.Decoded given) {
          piece.known(given.chunk());
        } else if (told instanceof Told.Missing) {
          piece.locate(null);
        } else if (told instanceof Told.Failed failed) {
          return Mono.error(failed.error());
        } else {
          rest.add(piece);
        }
      }
      return isTold && rest.isEmpty()
          ? Mono.empty()
          : new Flight(fetch, rest, false).then(Mono.empty());
    }
  }

  /** The request for a fetch that has begun. */
  private final class Request extends Mono<Fetch> {
    private final Fetch.Requested fetch;
    private final SharedFetch shared;
    private final boolean isLast;

    Request(Fetch.Requested fetch, SharedFetch shared, boolean isLast) {
      this.fetch = fetch;
      this.shared = shared;
      this.isLast = isLast;
    }

    @Override
    public void subscribe(CoreSubscriber<? super Fetch> actual) {
      fetch.begin(shared);
      operation.joinable().add(shared);
      get(fetch).subscribe(new Arrival(actual, fetch, shared, true, isLast));
    }
  }

  private Mono<Bytes> get(Fetch.Requested fetch) {
    Store store = array.requests();
    ByteRange range = fetch.range();
    if (fetch instanceof Fetch.OfShard shard) {
      return store.capabilities().contains(StoreCapability.VERSIONS)
          ? store.getVersioned(fetch.key(), range, ReadCondition.ALWAYS).mapNotNull(shard::bytesOf)
          : store.get(fetch.key(), range);
    }
    Instrumentation instrumentation = array.context().instrumentation();
    if (range instanceof ByteRange.Slice slice && instrumentation.isObserved()) {
      List<Piece> pieces = fetch.planned();
      long wanted = pieces.stream().mapToLong(Piece::length).sum();
      instrumentation.rangeRequest(pieces.size(), slice.length(), wanted);
    }
    if (fetch instanceof Fetch.OfParts parts) {
      return Objects.requireNonNull(array.context().located())
          .read(parts.object(), parts.range())
          .switchIfEmpty(Mono.error(() -> missing(parts)));
    }
    Version version = fetch.version();
    return version == null
        ? store.get(fetch.key(), range)
        : store
            .getVersioned(fetch.key(), range, ReadCondition.ifMatch(version))
            .mapNotNull(VersionedBytes::bytes);
  }

  private static StoreException missing(Fetch.OfParts parts) {
    return new StoreException(
        "the object in which the chunk lies is missing: " + parts.object(),
        Location.ofKey(parts.key().value()));
  }

  /**
   * The one operator from the bytes of a fetch to its places. Continues on the codec scheduler when
   * the bytes arrive, tells the operations that wait for them, and places the pieces of a fetch for
   * one thread. Bytes that a store has lent stay on its thread: a change of threads takes about as
   * long as their decode, and the thread can read the next chunk into the same memory.
   */
  private final class Arrival extends Relay<Bytes, Fetch> {
    private final Fetch fetch;
    private final @Nullable SharedFetch shared;
    private final boolean isHandedOver;
    private final boolean isLast;
    private final @Nullable Loan loan;
    private final Context context;
    private volatile boolean isCancelled;
    private boolean hasArrived;

    /**
     * Creates the operator.
     *
     * @param shared the request that the bytes answer; null where there was none
     * @param isHandedOver false if the signals come on codec threads
     * @param isLast false where the fetch then waits for further pieces
     */
    Arrival(
        CoreSubscriber<? super Fetch> actual,
        Fetch fetch,
        @Nullable SharedFetch shared,
        boolean isHandedOver,
        boolean isLast) {
      super(actual);
      this.fetch = fetch;
      this.shared = shared;
      this.isHandedOver = isHandedOver;
      this.isLast = isLast;
      boolean borrows = mayBorrow && isLast && shared != null && fetch.isSmall();
      this.loan = borrows ? new Loan(array.store()) : null;
      Context outer = actual.currentContext();
      this.context = loan == null ? outer : loan.in(outer);
    }

    @Override
    public Context currentContext() {
      return context;
    }

    @Override
    public void onNext(Bytes bytes) {
      if (hasArrived || !(fetch instanceof Fetch.Requested requested)) {
        Operators.onNextDropped(bytes, context); // a store that emits two: the first counts
        return;
      }
      hasArrived = true;
      requested.arrive(bytes);
      boolean isLent = loan != null && loan.isTaken();
      if (loan != null) {
        array.context().noteLoan(isLent);
      }
      if (isLent && sink != null && sink.isThere()) {
        arrive(true);
      } else {
        if (isLent) {
          requested.own();
        }
        onCodecThread(() -> arrive(false));
      }
    }

    @Override
    public void onComplete() {
      if (!hasArrived) {
        onCodecThread(() -> arrive(false));
      }
    }

    @Override
    public void onError(Throwable error) {
      Throwable cause =
          fetch instanceof Fetch.OfChunk chunk
              ? StoredChunkSize.error(chunk.codec(), error)
              : error;
      onCodecThread(() -> fail(cause));
    }

    private void onCodecThread(Runnable signal) {
      if (!isHandedOver) {
        signal.run();
        return;
      }
      schedule(signal);
    }

    private void schedule(Runnable signal) {
      try {
        codecScheduler.schedule(signal);
      } catch (RejectedExecutionException e) {
        fail(Operators.onRejectedExecution(e, context));
      }
    }

    private void arrive(boolean isLent) {
      if (isCancelled) {
        return;
      }
      if (shared != null && fetch instanceof Fetch.Requested requested) {
        try {
          tellOthers(requested, shared, isLent);
          operation.joinable().remove(shared);
        } catch (RuntimeException | Error e) {
          fail(e);
          return;
        }
      }
      boolean isWaiting = sink != null && isLast && sink.tryWait(() -> schedule(this::proceed));
      if (!isWaiting) {
        proceed();
      }
    }

    /** Places the pieces of a fetch for one thread, and passes any other one on. */
    private void proceed() {
      if (isCancelled) {
        return;
      }
      if (sink == null || !isLast || !fetch.isForOneThread() || fetch.isOvertaken(generations)) {
        actual.onNext(fetch);
        actual.onComplete();
        return;
      }
      Throwable failure = decoder.place(fetch, sink);
      if (failure == null) {
        actual.onComplete();
      } else {
        pass(failure);
      }
    }

    private void fail(Throwable error) {
      if (shared != null) {
        shared.fail(error);
        operation.joinable().remove(shared);
      }
      pass(error);
    }

    private void pass(Throwable error) {
      actual.onError(
          error instanceof ZarrException known
              ? ArrayStorage.located(known, fetch.location())
              : error);
    }

    @Override
    public void cancel() {
      isCancelled = true;
      super.cancel();
      if (shared != null) {
        shared.close();
        operation.joinable().remove(shared);
      }
    }
  }

  /**
   * Tells the operations that joined the fetch of its chunks. The fetch stays open until its chunks
   * are cached, if they are to be. A fetch that a write has overtaken tells nothing.
   *
   * @param isLent true if the bytes of the fetch may change later
   */
  private void tellOthers(Fetch.Requested fetch, SharedFetch shared, boolean isLent) {
    if (fetch instanceof Fetch.OfShard shard) {
      shared.answer(shard.open(shared));
    }
    boolean isOvertaken = fetch.isOvertaken(generations);
    boolean staysOpen = array.keepsDecodedChunks() && !isOvertaken;
    LongFunction<Told> teller = staysOpen ? decoder.teller(fetch, shared) : null;
    long[] awaited = shared.arrive(teller);
    if (isOvertaken) {
      shared.close();
      return;
    }
    if (awaited.length > 0) {
      if (isLent) {
        fetch.own();
      }
      LongFunction<Told> telling = teller == null ? decoder.teller(fetch, shared) : teller;
      for (long chunk : awaited) {
        shared.tell(chunk, telling.apply(chunk));
      }
    }
    if (staysOpen) {
      fetch.serve(shared);
      operation.joinable().serve(shared);
    }
    shared.end();
  }
}
