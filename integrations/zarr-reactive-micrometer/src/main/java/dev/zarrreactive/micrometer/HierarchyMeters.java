package dev.zarrreactive.micrometer;

import dev.zarrreactive.observation.CacheOutcome;
import dev.zarrreactive.observation.ChunkDecoding;
import dev.zarrreactive.observation.InFlightBytes;
import dev.zarrreactive.observation.InFlightRequests;
import dev.zarrreactive.observation.OperationOutcome;
import dev.zarrreactive.observation.RangeRequest;
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
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.function.ToLongFunction;
import org.jspecify.annotations.Nullable;
import reactor.util.context.Context;
import reactor.util.context.ContextView;

/** The meters of the hierarchies of one name, which is their tag {@code store}. */
final class HierarchyMeters implements ZarrObserver {
  private final MeterRegistry registry;
  private final String name;
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

  /**
   * Creates the meters.
   *
   * @param name of the hierarchies
   * @param store the meters of the requests to their stores
   */
  HierarchyMeters(MeterRegistry registry, String name, StoreMeters store) {
    this.registry = registry;
    this.name = name;
    this.store = store;
    operations =
        Timer.builder("zarr.operations")
            .description("Operations on nodes, from the subscription to the end")
            .tag("store", name)
            .withRegistry(registry);
    decodings =
        Timer.builder("zarr.decode")
            .description("Decoding of chunks")
            .tag("store", name)
            .withRegistry(registry);
    encodedBytes = counter("zarr.decode.input", "bytes", "Encoded bytes of decoded chunks");
    decodedBytes = counter("zarr.decode.output", "bytes", "Decoded bytes of decoded chunks");
    ranges = counter("zarr.read.ranges", null, "Ranges of shards that were fetched");
    merged = counter("zarr.read.ranges.merged", null, "Ranges that shared a request");
    overRead = counter("zarr.read.overread", "bytes", "Fetched between ranges and not used");
    waits =
        Timer.builder("zarr.inflight.wait")
            .description("Waits of operations for their first bytes in flight")
            .tag("store", name)
            .register(registry);
    Gauge.builder("zarr.operations.oldest", this, HierarchyMeters::oldest)
        .baseUnit("seconds")
        .description("The age of the oldest operation under way")
        .tag("store", name)
        .strongReference(true)
        .register(registry);
    gauge("zarr.inflight", "Bytes that operations hold", InFlightBytes::held);
    gauge("zarr.inflight.limit", "Bytes that they may hold", InFlightBytes::most);
  }

  private Counter counter(String meter, @Nullable String unit, String description) {
    return Counter.builder(meter)
        .baseUnit(unit)
        .description(description)
        .tag("store", name)
        .register(registry);
  }

  private void gauge(String meter, String description, ToLongFunction<InFlightBytes> value) {
    Gauge.builder(meter, inFlight, all -> all.of(value))
        .tag("store", name)
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
