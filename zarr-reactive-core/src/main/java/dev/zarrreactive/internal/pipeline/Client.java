package dev.zarrreactive.internal.pipeline;

import dev.zarrreactive.internal.observation.Telling;
import dev.zarrreactive.internal.planning.Connections;
import dev.zarrreactive.internal.planning.LinkEstimate;
import dev.zarrreactive.internal.planning.MergedRanges;
import dev.zarrreactive.observation.InFlightBytes;
import dev.zarrreactive.observation.ZarrObserver;
import dev.zarrreactive.store.ByteRange;
import dev.zarrreactive.store.ReadProbe;
import dev.zarrreactive.store.RequestLimit;
import dev.zarrreactive.store.Store;
import dev.zarrreactive.store.StoreKey;
import dev.zarrreactive.store.StoreOrigin;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.WeakHashMap;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Scheduler;

/**
 * What all arrays of one opened hierarchy share. Requests are limited and measured next to the
 * {@linkplain StoreOrigin origin} of the store, over all hierarchies on the same origin that allow
 * as many.
 */
public final class Client {
  private static final Set<Client> ALL =
      Collections.synchronizedSet(Collections.newSetFromMap(new WeakHashMap<>()));

  private final Store store;
  private final Store requests;
  private final @Nullable RequestLimit defaultLimit;
  private final Limits limits;
  private final ByteBudget budget;
  private final ShardIndexes shardIndexes;
  private final @Nullable DecodedChunks decodedChunks;
  private final @Nullable Revalidation revalidation;
  private final StoreOrigin origin;
  private final LinkEstimate link;
  private final Telling telling;
  private final InFlightBytes inFlight; // kept here, for observers have weak references to it

  /**
   * A client of {@code store}.
   *
   * @param ownLimit the most requests to the origin at a time; null for the limit that {@code
   *     store} has, or as many as chunks may be in flight where it has none
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
    this.origin = StoreOrigin.of(store);
    synchronized (ALL) { // whose writes forget what this client knows: once it is whole
      this.link = sharedLink();
      this.defaultLimit = ownLimit == null && !origin.isLimited() ? sharedLimit() : null;
      this.requests = admitted(ownLimit == null ? defaultLimit : ownLimit);
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

  /** The observer sees requests as they are made: at a bare store without their wait. */
  private Store admitted(@Nullable RequestLimit limit) {
    ReadProbe probe = new LinkProbe(link, limits.codecScheduler());
    return origin.isDecorated()
        ? telling.requests(origin.admitting(store, limit, probe))
        : origin.admitting(telling.requests(store), limit, probe);
  }

  /** Asked with {@link #ALL} locked, so that two who open at the same time share it, too. */
  private RequestLimit sharedLimit() {
    return ALL.stream()
        .filter(other -> other.origin.equals(origin))
        .filter(other -> other.limits.concurrency() == limits.concurrency())
        .map(other -> other.defaultLimit)
        .filter(Objects::nonNull)
        .findAny()
        .orElseGet(() -> RequestLimit.fixed(limits.concurrency()));
  }

  private LinkEstimate sharedLink() {
    return ALL.stream()
        .filter(other -> other.origin.equals(origin))
        .map(other -> other.link)
        .findAny()
        .orElseGet(LinkEstimate::new);
  }

  /** Learns the link from reads; in virtual time where the codecs work in that. */
  private record LinkProbe(LinkEstimate link, Scheduler clock) implements ReadProbe {
    @Override
    public long nanoTime() {
      return clock.now(TimeUnit.NANOSECONDS);
    }

    @Override
    public void answered(long bytes, long nanos) {
      link.observe(bytes, nanos);
    }
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
