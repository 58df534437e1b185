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
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.Meter.MeterProvider;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.function.ToLongFunction;
import org.jspecify.annotations.Nullable;
import reactor.util.context.Context;
import reactor.util.context.ContextView;

/**
 * Meters of reads and writes; docs/observability.md lists them. Tags have few values: neither paths
 * nor keys are among them. Thread-safe.
 *
 * <p>One instance for each registry serves any number of hierarchies: gauges are sums over all of
 * them. A second {@code ZarrMeters} of the same registry would not add to them.
 */
public final class ZarrMeters implements ZarrObserver {
  private static final String HIERARCHIES = "zarr";

  private final MeterRegistry registry;
  private final Map<String, StoreMeters> stores = new ConcurrentHashMap<>();
  private final StoreMeters store;
  private final MeterProvider<Timer> operations;
  private final MeterProvider<Timer> decodings;
  private final Counter encodedBytes;
  private final Counter decodedBytes;
  private final Counter ranges;
  private final Counter merged;
  private final Counter overRead;
  private final Timer waits;

  /** The operations under way by their numbers, which grow, with the times of their starts. */
  private final ConcurrentSkipListMap<Long, Long> begun = new ConcurrentSkipListMap<>();

  private final WeakSum<InFlightBytes> inFlight = new WeakSum<>();

  private ZarrMeters(MeterRegistry registry) {
    this.registry = registry;
    this.store = new StoreMeters(registry, HIERARCHIES);
    stores.put(HIERARCHIES, store);
    operations =
        Timer.builder("zarr.operations")
            .description("Operations on nodes, from the subscription to the end")
            .withRegistry(registry);
    decodings =
        Timer.builder("zarr.decode").description("Decoding of chunks").withRegistry(registry);
    encodedBytes = counter("zarr.decode.input", "bytes", "Encoded bytes of decoded chunks");
    decodedBytes = counter("zarr.decode.output", "bytes", "Decoded bytes of decoded chunks");
    ranges = counter("zarr.read.ranges", null, "Ranges of shards that were fetched");
    merged = counter("zarr.read.ranges.merged", null, "Ranges that shared a request");
    overRead = counter("zarr.read.overread", "bytes", "Fetched between ranges and not used");
    waits =
        Timer.builder("zarr.inflight.wait")
            .description("Waits of operations for their first bytes in flight")
            .register(registry);
    Gauge.builder("zarr.operations.oldest", this, ZarrMeters::oldest)
        .baseUnit("seconds")
        .description("The age of the oldest operation under way")
        .strongReference(true)
        .register(registry);
    gauge("zarr.inflight", "Bytes that operations hold", InFlightBytes::held);
    gauge("zarr.inflight.limit", "Bytes that they may hold", InFlightBytes::most);
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
    return stores.computeIfAbsent(name, any -> new StoreMeters(registry, name));
  }

  private Counter counter(String name, @Nullable String unit, String description) {
    return Counter.builder(name).baseUnit(unit).description(description).register(registry);
  }

  private void gauge(String name, String description, ToLongFunction<InFlightBytes> value) {
    Gauge.builder(name, inFlight, all -> all.of(value))
        .baseUnit("bytes")
        .description(description)
        .strongReference(true)
        .register(registry);
  }

  private double oldest() {
    Map.Entry<Long, Long> first = begun.firstEntry();
    return first == null
        ? 0
        : Math.max(0, registry.config().clock().monotonicTime() - first.getValue()) / 1e9;
  }

  @Override
  public ContextView onStart(ZarrOperation operation, ContextView subscriber) {
    begun.put(operation.id(), registry.config().clock().monotonicTime());
    return Context.empty();
  }

  @Override
  public void onInFlightWait(Duration waited) {
    waits.record(waited);
  }

  @Override
  public void onEnd(ZarrOperation operation, OperationOutcome outcome) {
    begun.remove(operation.id());
    operations
        .withTags(
            "operation", TagValue.of(operation.kind()), "outcome", TagValue.of(outcome.kind()))
        .record(outcome.duration());
  }

  @Override
  public void onRangeRequest(RangeRequest request) {
    ranges.increment(request.ranges());
    merged.increment(request.ranges() - 1.0);
    overRead.increment((double) request.unwanted());
  }

  @Override
  public void onDecode(ChunkDecoding decoding) {
    boolean failed = decoding.error() != null;
    decodings.withTags("outcome", failed ? "failed" : "completed").record(decoding.duration());
    encodedBytes.increment((double) decoding.encodedBytes());
    decodedBytes.increment(failed ? 0 : (double) decoding.decodedBytes());
  }

  @Override
  public void onOpen(InFlightBytes bytes) {
    inFlight.add(bytes);
  }

  @Override
  public void onStart(StoreRequest request) {
    store.onStart(request);
  }

  @Override
  public void onEnd(StoreRequest request, StoreOutcome outcome) {
    store.onEnd(request, outcome);
  }

  @Override
  public void onRetry(StoreRetry retry) {
    store.onRetry(retry);
  }

  @Override
  public void onHedge(Duration late) {
    store.onHedge(late);
  }

  @Override
  public void onPermit(InFlightRequests limit, Duration waited) {
    store.onPermit(limit, waited);
  }

  @Override
  public void onLookUp(String cache, CacheOutcome result) {
    store.onLookUp(cache, result);
  }
}
