package dev.zarrreactive.internal.context;

import dev.zarrreactive.array.Shape;
import dev.zarrreactive.base.ByteRange;
import dev.zarrreactive.base.StoreKey;
import dev.zarrreactive.internal.cache.Generations;
import dev.zarrreactive.internal.flow.ByteBudget;
import dev.zarrreactive.internal.link.Connections;
import dev.zarrreactive.internal.link.LinkEstimate;
import dev.zarrreactive.internal.link.MergedRanges;
import dev.zarrreactive.internal.observation.Instrumentation;
import dev.zarrreactive.internal.threads.Environment;
import dev.zarrreactive.metadata.NodePath;
import dev.zarrreactive.observation.InFlightBytes;
import dev.zarrreactive.observation.ZarrObserver;
import dev.zarrreactive.store.Coalescing;
import dev.zarrreactive.store.LocatedValues;
import dev.zarrreactive.store.Price;
import dev.zarrreactive.store.Store;
import dev.zarrreactive.store.StoreCapability;
import dev.zarrreactive.store.decorator.RequestLimit;
import dev.zarrreactive.store.decorator.StoreOrigin;
import dev.zarrreactive.store.decorator.StoreOrigin.ReadProbe;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.WeakHashMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Scheduler;
import reactor.util.context.Context;

/**
 * The state that all arrays of one opened hierarchy share. Requests are limited and measured next
 * to the {@linkplain StoreOrigin origin} of the store. Hierarchies on the same origin with equal
 * limits share one limit.
 */
public final class HierarchyContext {
  private static final Set<HierarchyContext> ALL =
      Collections.synchronizedSet(Collections.newSetFromMap(new WeakHashMap<>()));

  private final Store store;
  private final Store requests;
  private final @Nullable RequestLimit defaultLimit;
  private final @Nullable RequestLimit limit;
  private final Limits limits;
  private final AtomicInteger streams = new AtomicInteger();
  private final ShardIndexCache shardIndexes;
  private final DecodedChunkCache decodedChunks;
  private final SharedFetches sharedFetches;
  private final StoreOrigin origin;
  private final StoreChanges changes;
  private final LinkEstimate link;

  /** The links to the stores in which values of this store lie. */
  private final Map<StoreOrigin, LinkEstimate> otherLinks = new ConcurrentHashMap<>();

  private final @Nullable LocatedValues located;
  private final Instrumentation instrumentation;
  private final boolean isLocated;
  private volatile @Nullable Boolean lends;
  private final BudgetBytes inFlight; // strongly referenced here: observers hold weak references

  /**
   * Creates the context of a hierarchy in {@code store}.
   *
   * @param ownLimit the limit of requests to the origin; null for the limit of {@code store}, or
   *     for one request per chunk in flight if the store is unlimited
   * @param observer the observer of operations; null for none
   */
  public HierarchyContext(
      Store store,
      Limits limits,
      @Nullable RequestLimit ownLimit,
      @Nullable ZarrObserver observer) {
    this(store, limits, ownLimit, observer, BudgetBytes.of(limits), false);
  }

  /**
   * Creates a context that may share its budget.
   *
   * @param isLocated true where the store was opened by its location
   */
  HierarchyContext(
      Store store,
      Limits limits,
      @Nullable RequestLimit ownLimit,
      @Nullable ZarrObserver observer,
      BudgetBytes inFlight,
      boolean isLocated) {
    this.instrumentation = new Instrumentation(observer);
    this.store = store;
    this.limits = limits;
    this.isLocated = isLocated;
    this.inFlight = inFlight;
    this.origin = StoreOrigin.of(store);
    this.changes = StoreChanges.of(store);
    synchronized (ALL) {
      this.link = sharedLink();
      this.defaultLimit = ownLimit == null && !origin.isLimited() ? sharedLimit() : null;
      this.limit = ownLimit == null ? defaultLimit : ownLimit;
      this.requests = admitted(limit);
      ALL.add(this);
    }
    // places of values that may change would have to be forgotten
    boolean isWritable = store.capabilities().contains(StoreCapability.WRITE);
    this.located = isWritable ? null : LocatedValues.of(requests);
    this.shardIndexes =
        new ShardIndexCache(
            requests, limits, limits.codecScheduler(), instrumentation, generations());
    this.decodedChunks =
        new DecodedChunkCache(limits.decodedChunkBytes(), instrumentation, generations());
    this.sharedFetches = new SharedFetches(generations());
    changes.add(this);
  }

  /** Returns a context of another snapshot of the store, with the bounds of this one. */
  public HierarchyContext at(Store snapshot, @Nullable ZarrObserver observer) {
    return new HierarchyContext(snapshot, limits, limit, observer, inFlight, isLocated);
  }

  /** Tells the observer of this context; returns the context. */
  public HierarchyContext announced() {
    instrumentation.opened(inFlight);
    return this;
  }

  /**
   * Returns the store with admission and observation. For a bare store the observer stands behind
   * the limit, so that it is told of a request without its wait.
   */
  private Store admitted(@Nullable RequestLimit limit) {
    ReadProbe probe = new LinkProbe(this, link, limits.codecScheduler());
    return origin.isDecorated()
        ? instrumentation.requests(origin.admitting(store, limit, probe))
        : origin.admitting(instrumentation.requests(store), limit, probe);
  }

  /**
   * Called with {@link #ALL} locked, so that two threads that open hierarchies at the same time
   * share the limit, too.
   */
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
        .filter(other -> other.origin.isAtServerOf(origin))
        .map(other -> other.link)
        .findAny()
        .orElseGet(LinkEstimate::new);
  }

  /** Returns the link to a store in which values of this store lie. */
  private LinkEstimate linkTo(StoreOrigin other) {
    LinkEstimate known = otherLinks.get(other);
    if (known != null) {
      return known;
    }
    synchronized (ALL) {
      return otherLinks.computeIfAbsent(
          other,
          any ->
              ALL.stream()
                  .map(context -> context.linkAtServerOf(other))
                  .filter(Objects::nonNull)
                  .findAny()
                  .orElseGet(LinkEstimate::new));
    }
  }

  private @Nullable LinkEstimate linkAtServerOf(StoreOrigin other) {
    if (origin.isAtServerOf(other)) {
      return link;
    }
    for (Map.Entry<StoreOrigin, LinkEstimate> each : otherLinks.entrySet()) {
      if (each.getKey().isAtServerOf(other)) {
        return each.getValue();
      }
    }
    return null;
  }

  /**
   * Measures the link by reads, on the clock of the codec scheduler, which may be virtual. Reads of
   * stores in which values lie count for this link, too.
   */
  private record LinkProbe(HierarchyContext context, LinkEstimate link, Scheduler clock)
      implements ReadProbe {
    @Override
    public long nanoTime() {
      return clock.now(TimeUnit.NANOSECONDS);
    }

    @Override
    public void answered(long bytes, long nanos) {
      link.observe(bytes, nanos);
      if (link != context.link) {
        context.link.observe(bytes, nanos);
      }
    }

    @Override
    public ReadProbe of(StoreOrigin other) {
      return new LinkProbe(context, context.linkTo(other), clock);
    }
  }

  /**
   * Returns the context with the mark of a new operation, unless it has a mark. The requests of an
   * operation carry it, so that operations take turns.
   */
  public static Context inOperation(Context context) {
    return context.hasKey(RequestLimit.OPERATION)
        ? context
        : context.put(RequestLimit.OPERATION, new Object());
  }

  /** Returns the store that the hierarchy was opened on. */
  public Store store() {
    return store;
  }

  /** Returns true if the store was opened by its location, so that it shares its budget. */
  public boolean isLocated() {
    return isLocated;
  }

  /** Returns the same store for requests: limited, measured and observed. */
  public Store requests() {
    return requests;
  }

  /** Returns the values of the store that are parts of objects; null where it has none. */
  public @Nullable LocatedValues located() {
    return located;
  }

  /** Notes whether the store has lent the bytes of a read, which it does always or never. */
  public void noteLoan(boolean isLent) {
    if (lends == null || lends != isLent) {
      lends = isLent;
    }
  }

  /** Returns true if the store may lend bytes: it has done so, or was not asked yet. */
  public boolean mayLend() {
    return !Boolean.FALSE.equals(lends);
  }

  /** Returns true if the store has lent the bytes of a read. */
  public boolean hasLent() {
    return Boolean.TRUE.equals(lends);
  }

  /** Returns the limits of each operation. */
  public Limits limits() {
    return limits;
  }

  /** Returns the instruments that report to the observer, if there is one. */
  public Instrumentation instrumentation() {
    return instrumentation;
  }

  /** Returns the budget of bytes that all operations share. */
  public ByteBudget budget() {
    return inFlight.budget();
  }

  /** Completes when a lease is granted; its wait is observed. */
  public Mono<Void> granted(ByteBudget.Lease lease) {
    return lease.isAwaitedFirst() ? instrumentation.waiting(lease.grant()) : lease.grant();
  }

  /** Returns the number of streams of encoded elements that share the budget now. */
  public AtomicInteger streams() {
    return streams;
  }

  /** Returns the cache of shard indexes. */
  public ShardIndexCache shardIndexes() {
    return shardIndexes;
  }

  /** Returns the cache of decoded chunks, which may be disabled. */
  public DecodedChunkCache decodedChunks() {
    return decodedChunks;
  }

  /** Returns the fetches of chunks that are in flight. */
  public SharedFetches sharedFetches() {
    return sharedFetches;
  }

  /** Returns the generations of the store's values. */
  public Generations generations() {
    return changes.generations();
  }

  /**
   * Returns {@code request}, which changes the value at {@code key}. Every hierarchy of this
   * process on the same store invalidates the value when the request begins and when it ends.
   */
  public <T> Mono<T> change(StoreKey key, Mono<T> request) {
    return changes.change(key, request);
  }

  /** Returns {@code request}, which changes several values, as the other method does for one. */
  public <T> Mono<T> change(Predicate<StoreKey> keys, Mono<T> request) {
    return changes.change(keys, request);
  }

  /**
   * Notes the shape that this process has given to an array. Every handle of the array in this
   * process on the same store knows it.
   */
  public void resized(NodePath path, Shape shape) {
    changes.shapes().note(path, shape);
  }

  /** Forgets the shapes that were given to a node, which was created or erased, and below it. */
  public void forgetShapes(NodePath path) {
    changes.shapes().forget(path);
  }

  /** Returns an array of which a handle is made; the handle holds it as long as it is in use. */
  KnownShapes.KnownArray opened(NodePath path) {
    return changes.shapes().opened(path);
  }

  void forget(StoreKey key) {
    shardIndexes.forget(key);
    decodedChunks.forget(key);
  }

  void forget(Predicate<StoreKey> keys) {
    shardIndexes.forget(keys);
    decodedChunks.forget(keys);
  }

  /**
   * Coalesces ranges of one value by the options, or else by the measured link.
   *
   * @param connections the connections for these requests
   * @param mostUnwanted the most bytes that all requests together may fetch in the gaps
   */
  public MergedRanges coalesced(
      List<ByteRange.Slice> ranges, Connections connections, long mostUnwanted) {
    return MergedRanges.of(ranges, limits.coalescing(), link.now(), connections, mostUnwanted);
  }

  /**
   * Returns the share of a shard's bytes from which it is read whole; without a price the given.
   */
  public double shareOfWhole(double share, long bytes) {
    Price price = limits.coalescing().price();
    return price == null ? share : link.now().shareOfAll(price, bytes);
  }

  /**
   * Coalesces ranges of one object in which values of this store lie, by the link to its store.
   *
   * @param objects the store of the object
   */
  public MergedRanges coalesced(
      List<ByteRange.Slice> ranges, Connections connections, long mostUnwanted, Store objects) {
    LinkEstimate.Link now = linkTo(StoreOrigin.of(objects)).now();
    return MergedRanges.of(ranges, limits.coalescing(), now, connections, mostUnwanted);
  }

  /**
   * A budget of bytes in flight, as observers see it. Contexts that share a budget share this
   * object, so that an observer of several contexts counts the bytes once.
   */
  record BudgetBytes(ByteBudget budget) implements InFlightBytes {
    /** Returns a new budget with these limits. */
    static BudgetBytes of(Limits limits) {
      return new BudgetBytes(
          limits.independentOperations()
              ? ByteBudget.ofService(limits.inFlightBytes(), clock(), limits.maxWait())
              : new ByteBudget(limits.inFlightBytes(), clock()));
    }

    private static Scheduler clock() {
      return Environment.current().codecScheduler();
    }

    @Override
    public long held() {
      return budget.held();
    }

    @Override
    public long most() {
      return budget.total();
    }
  }

  /**
   * The limits of one operation.
   *
   * @param concurrency the most chunks in flight
   * @param inFlightBytes the most bytes, encoded and decoded, in flight
   * @param independentOperations true if no operation waits for another one's subscriber
   * @param maxWait the longest wait of an independent operation for its first bytes; null for any
   * @param writeEmptyChunks true to store chunks that hold only the fill value
   * @param coalescing the rule that merges the ranges of inner chunks into requests
   * @param indexCacheBytes the most bytes in the cache of shard indexes; 0 to disable it
   * @param speculativeTail the bytes at the end of a shard that are fetched with its index
   * @param decodedChunkBytes the most bytes in the cache of decoded chunks; 0 to disable it
   * @param codecScheduler the scheduler that encodes and decodes chunks
   */
  public record Limits(
      int concurrency,
      long inFlightBytes,
      boolean independentOperations,
      @Nullable Duration maxWait,
      boolean writeEmptyChunks,
      Coalescing coalescing,
      long indexCacheBytes,
      int speculativeTail,
      long decodedChunkBytes,
      Scheduler codecScheduler) {}

  /**
   * The writes of this process to one store. They invalidate the caches of every hierarchy opened
   * on it. A store is compared by identity: two stores may be equal and hold different values.
   */
  static final class StoreChanges {
    private static final Set<StoreChanges> ALL =
        Collections.synchronizedSet(Collections.newSetFromMap(new WeakHashMap<>()));

    private final Store store;
    private final Generations generations = new Generations();

    /** The arrays of which handles are in use, and their shapes. */
    private final KnownShapes shapes = new KnownShapes();

    private final Set<HierarchyContext> contexts =
        Collections.synchronizedSet(Collections.newSetFromMap(new WeakHashMap<>()));

    private StoreChanges(Store store) {
      this.store = store;
    }

    /** Returns the changes of {@code store}, which all hierarchies opened on it share. */
    static StoreChanges of(Store store) {
      synchronized (ALL) {
        return ALL.stream()
            .filter(other -> other.store == store)
            .findAny()
            .orElseGet(
                () -> {
                  StoreChanges mine = new StoreChanges(store);
                  ALL.add(mine);
                  return mine;
                });
      }
    }

    void add(HierarchyContext context) {
      contexts.add(context);
    }

    /** Returns the shapes that this process has given to arrays. */
    KnownShapes shapes() {
      return shapes;
    }

    Generations generations() {
      return generations;
    }

    /**
     * Returns {@code request}, which sets or erases one value. Caches invalidate the value before
     * and after.
     */
    <T> Mono<T> change(StoreKey key, Mono<T> request) {
      return invalidateAround(
          request,
          () -> {
            generations.advance(key);
            each(context -> context.forget(key));
          });
    }

    /**
     * Returns {@code request}, which changes several values. Invalidation examines every cache
     * entry.
     */
    <T> Mono<T> change(Predicate<StoreKey> keys, Mono<T> request) {
      return invalidateAround(
          request,
          () -> {
            generations.advanceAll();
            each(context -> context.forget(keys));
          });
    }

    private static <T> Mono<T> invalidateAround(Mono<T> request, Runnable invalidation) {
      return Mono.defer(
          () -> {
            invalidation.run();
            return request.doOnTerminate(invalidation).doOnCancel(invalidation);
          });
    }

    private void each(Consumer<HierarchyContext> action) {
      List<HierarchyContext> now;
      synchronized (contexts) {
        now = new ArrayList<>(contexts);
      }
      now.forEach(action);
    }
  }
}
