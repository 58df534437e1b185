package dev.zarrreactive.micrometer;

import dev.zarrreactive.observation.CacheOutcome;
import dev.zarrreactive.observation.ChunkDecoding;
import dev.zarrreactive.observation.InFlightBytes;
import dev.zarrreactive.observation.InFlightRequests;
import dev.zarrreactive.observation.OperationOutcome;
import dev.zarrreactive.observation.RangeRequest;
import dev.zarrreactive.observation.StoreObserver;
import dev.zarrreactive.observation.StoreOutcome;
import dev.zarrreactive.observation.StoreRequest;
import dev.zarrreactive.observation.StoreRetry;
import dev.zarrreactive.observation.ZarrObserver;
import dev.zarrreactive.observation.ZarrOperation;
import io.micrometer.core.instrument.MeterRegistry;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import reactor.util.context.ContextView;

/**
 * Meters of reads and writes; docs/observability.md lists them. Tags have few values: neither paths
 * nor keys are among them. Thread-safe.
 *
 * <p>One instance for each registry serves any number of hierarchies: gauges are sums over all of
 * them, and their tag {@code store} is {@code zarr}. {@link #ofHierarchy} tells some of them apart.
 * A second {@code ZarrMeters} of the same registry would not add to them.
 */
public final class ZarrMeters implements ZarrObserver {
  private static final String HIERARCHIES = "zarr";

  private final MeterRegistry registry;
  private final Map<String, StoreMeters> stores = new ConcurrentHashMap<>();
  private final Map<String, HierarchyMeters> named = new ConcurrentHashMap<>();
  private final HierarchyMeters all;

  private ZarrMeters(MeterRegistry registry) {
    this.registry = registry;
    this.all = hierarchy(HIERARCHIES);
  }

  /** Creates meters in {@code registry}, for {@code ZarrOptions.withObserver}. */
  public static ZarrMeters of(MeterRegistry registry) {
    return new ZarrMeters(registry);
  }

  /**
   * Returns the meters of requests for {@code Stores.observed}, for example of a store below
   * decorators, whose requests the hierarchies' store does not show. The tag {@code store} is
   * {@code name}; that of the hierarchies' store is {@code zarr}.
   */
  public StoreObserver ofStore(String name) {
    return store(name);
  }

  /**
   * Returns the meters of a hierarchy, or of several, apart from those of the others: the tag
   * {@code store} of all of them is {@code name}.
   */
  public ZarrObserver ofHierarchy(String name) {
    return hierarchy(name);
  }

  private HierarchyMeters hierarchy(String name) {
    return named.computeIfAbsent(name, any -> new HierarchyMeters(registry, name, store(name)));
  }

  private StoreMeters store(String name) {
    return stores.computeIfAbsent(name, any -> new StoreMeters(registry, name));
  }

  @Override
  public ContextView onStart(ZarrOperation operation, ContextView subscriber) {
    return all.onStart(operation, subscriber);
  }

  @Override
  public void onInFlightWait(Duration waited) {
    all.onInFlightWait(waited);
  }

  @Override
  public void onEnd(ZarrOperation operation, OperationOutcome outcome) {
    all.onEnd(operation, outcome);
  }

  @Override
  public void onRangeRequest(RangeRequest request) {
    all.onRangeRequest(request);
  }

  @Override
  public void onDecode(ChunkDecoding decoding) {
    all.onDecode(decoding);
  }

  @Override
  public void onOpen(InFlightBytes bytes) {
    all.onOpen(bytes);
  }

  @Override
  public void onStart(StoreRequest request) {
    all.onStart(request);
  }

  @Override
  public void onEnd(StoreRequest request, StoreOutcome outcome) {
    all.onEnd(request, outcome);
  }

  @Override
  public void onRetry(StoreRetry retry) {
    all.onRetry(retry);
  }

  @Override
  public void onHedge(Duration late) {
    all.onHedge(late);
  }

  @Override
  public void onPermit(InFlightRequests limit, Duration waited) {
    all.onPermit(limit, waited);
  }

  @Override
  public void onLookUp(String cache, CacheOutcome result) {
    all.onLookUp(cache, result);
  }
}
