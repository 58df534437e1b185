package dev.zarrreactive.internal.pipeline;

import dev.zarrreactive.internal.observation.Telling;
import dev.zarrreactive.internal.planning.Connections;
import dev.zarrreactive.internal.planning.LinkEstimate;
import dev.zarrreactive.internal.planning.MergedRanges;
import dev.zarrreactive.observation.InFlightBytes;
import dev.zarrreactive.observation.ZarrObserver;
import dev.zarrreactive.store.ByteRange;
import dev.zarrreactive.store.RequestLimit;
import dev.zarrreactive.store.Store;
import dev.zarrreactive.store.StoreKey;
import dev.zarrreactive.store.Stores;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import java.util.WeakHashMap;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;

/**
 * What all arrays of one opened hierarchy share. Requests are limited over all hierarchies on the
 * same store that allow as many.
 */
public final class Client {
  private static final Set<Client> ALL =
      Collections.synchronizedSet(Collections.newSetFromMap(new WeakHashMap<>()));

  private final Store store;
  private final Store requests;
  private final RequestLimit requestLimit;
  private final Limits limits;
  private final ByteBudget budget;
  private final ShardIndexes shardIndexes;
  private final @Nullable DecodedChunks decodedChunks;
  private final @Nullable Revalidation revalidation;
  private final LinkEstimate link = new LinkEstimate();
  private final Telling telling;
  private final InFlightBytes inFlight; // kept here, for observers have weak references to it

  /**
   * A client of {@code store}.
   *
   * @param ownLimit the most requests at a time; null for as many as chunks may be in flight
   * @param observer who is told of what is done; null for nobody
   */
  public Client(
      Store store,
      Limits limits,
      @Nullable RequestLimit ownLimit,
      @Nullable ZarrObserver observer) {
    this.telling = new Telling(observer);
    this.store = store;
    this.limits = limits;
    this.budget = new ByteBudget(limits.inFlightBytes(), CodecScheduler.shared());
    this.shardIndexes =
        new ShardIndexes(limits.shardReading(), limits.codecScheduler(), budget, telling);
    synchronized (ALL) { // whose writes forget what this client knows: once it is whole
      this.requestLimit = ownLimit == null ? sharedLimit() : ownLimit;
      this.requests =
          Stores.limited(new MeasuredStore(telling.requests(store), link), requestLimit);
      this.revalidation =
          limits.decodedChunkAge() == null
              ? null
              : new Revalidation(requests, limits.decodedChunkAge(), this::forgetDecoded);
      this.decodedChunks =
          limits.decodedChunkBytes() == 0
              ? null
              : new DecodedChunks(limits.decodedChunkBytes(), revalidation, telling);
      ALL.add(this);
    }
    this.inFlight = new HeldOf(budget);
    telling.opened(inFlight);
  }

  /** Asked with {@link #ALL} locked, so that two who open at the same time share it, too. */
  private RequestLimit sharedLimit() {
    return ALL.stream()
        .filter(other -> other.store == store)
        .filter(other -> other.limits.concurrency() == limits.concurrency())
        .map(other -> other.requestLimit)
        .findAny()
        .orElseGet(() -> RequestLimit.fixed(limits.concurrency()));
  }

  /** The store; what two clients of one store share is known by it. */
  public Store store() {
    return store;
  }

  /** The same store, for requests: each waits for its turn. */
  public Store requests() {
    return requests;
  }

  Limits limits() {
    return limits;
  }

  /** Tells the observer, where there is one. */
  public Telling telling() {
    return telling;
  }

  /** What all operations together hold. */
  public ByteBudget budget() {
    return budget;
  }

  /** What is known of shards in the store. */
  public ShardIndexes shardIndexes() {
    return shardIndexes;
  }

  private record HeldOf(ByteBudget budget) implements InFlightBytes {
    @Override
    public long held() {
      return budget.held();
    }

    @Override
    public long most() {
      return budget.total();
    }
  }

  /** The decoded chunks that are kept; null where none are to be. */
  public @Nullable DecodedChunks decodedChunks() {
    return decodedChunks;
  }

  /**
   * A request that changes values in {@code store}: what any client of this process knows of them
   * is forgotten when it begins and when it ends, in whatever way. A store is compared by identity:
   * two stores may be equal and hold different values.
   */
  public static <T> Mono<T> changing(Store store, Predicate<StoreKey> keys, Mono<T> request) {
    Runnable forget =
        () -> {
          for (Client client : of(store)) {
            client.forget(keys);
          }
        };
    return Mono.defer(
        () -> {
          forget.run();
          return request.doOnTerminate(forget).doOnCancel(forget);
        });
  }

  private static List<Client> of(Store store) {
    synchronized (ALL) {
      return ALL.stream().filter(client -> client.store == store).toList();
    }
  }

  private void forget(Predicate<StoreKey> keys) {
    if (revalidation != null) {
      revalidation.forget(keys);
    }
    forgetDecoded(keys);
  }

  /** What is decoded of a value that another program may have replaced. */
  private void forgetDecoded(StoreKey key) {
    forgetDecoded(key::equals);
  }

  private void forgetDecoded(Predicate<StoreKey> keys) {
    shardIndexes.forget(keys);
    if (decodedChunks != null) {
      decodedChunks.forget(keys);
    }
  }

  /**
   * Merges ranges of one value as the options say, or as the way to the store was measured.
   *
   * @param connections how many requests for them can be under way together
   * @param mostUnwanted the most bytes that all requests together may have too many
   */
  MergedRanges merged(List<ByteRange.Slice> ranges, Connections connections, long mostUnwanted) {
    return MergedRanges.of(
        ranges, limits.shardReading().coalescing(), link.now(), connections, mostUnwanted);
  }
}
