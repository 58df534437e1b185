package dev.zarrreactive.micrometer;

import dev.zarrreactive.observation.CacheOutcome;
import dev.zarrreactive.observation.InFlightRequests;
import dev.zarrreactive.observation.StoreObserver;
import dev.zarrreactive.observation.StoreOperation;
import dev.zarrreactive.observation.StoreOutcome;
import dev.zarrreactive.observation.StoreRequest;
import dev.zarrreactive.observation.StoreRetry;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.Meter.MeterProvider;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.ToLongFunction;

/** The meters of the requests to one store. */
final class StoreMeters implements StoreObserver {
  private final MeterProvider<Timer> requests;
  private final MeterProvider<Counter> bytes;
  private final MeterProvider<Counter> retries;
  private final MeterProvider<Counter> lookUps;
  private final Counter hedges;
  private final Timer waits;
  private final AtomicInteger active = new AtomicInteger();
  private final WeakSum<InFlightRequests> limits = new WeakSum<>();

  StoreMeters(MeterRegistry registry, String store) {
    requests =
        Timer.builder("zarr.store.requests")
            .description("Requests to the store, until the end of the response")
            .tag("store", store)
            .withRegistry(registry);
    bytes =
        Counter.builder("zarr.store.bytes")
            .description("Bytes of values that were read or written")
            .baseUnit("bytes")
            .tag("store", store)
            .withRegistry(registry);
    retries =
        Counter.builder("zarr.store.retries")
            .description("Retries of failed requests")
            .tag("store", store)
            .withRegistry(registry);
    lookUps =
        Counter.builder("zarr.cache.requests")
            .description("Look-ups in a cache")
            .tag("store", store)
            .withRegistry(registry);
    hedges =
        Counter.builder("zarr.store.hedges")
            .description("Second requests for late ones")
            .tag("store", store)
            .register(registry);
    waits =
        Timer.builder("zarr.permits.wait")
            .description("Waits of requests for their permit")
            .tag("store", store)
            .register(registry);
    Gauge.builder("zarr.store.requests.active", active, AtomicInteger::get)
        .description("Requests in flight")
        .tag("store", store)
        .strongReference(true)
        .register(registry);
    gauge(registry, store, "zarr.permits.queue", "Requests that wait", InFlightRequests::waiting);
    gauge(registry, store, "zarr.permits.used", "Permits in use", InFlightRequests::underWay);
    gauge(registry, store, "zarr.permits.limit", "All permits", InFlightRequests::current);
  }

  private void gauge(
      MeterRegistry registry,
      String store,
      String name,
      String description,
      ToLongFunction<InFlightRequests> value) {
    Gauge.builder(name, limits, all -> all.of(value))
        .description(description)
        .tag("store", store)
        .strongReference(true)
        .register(registry);
  }

  @Override
  public void onStart(StoreRequest request) {
    active.incrementAndGet();
  }

  @Override
  public void onEnd(StoreRequest request, StoreOutcome outcome) {
    active.decrementAndGet();
    StoreOperation operation = request.operation();
    requests
        .withTags("operation", TagValue.of(operation), "outcome", TagValue.of(outcome.kind()))
        .record(outcome.duration());
    if (outcome.bytes() > 0) {
      bytes.withTags("direction", direction(operation)).increment((double) outcome.bytes());
    }
  }

  private static String direction(StoreOperation operation) {
    return operation == StoreOperation.SET ? "written" : "read";
  }

  @Override
  public void onRetry(StoreRetry retry) {
    retries.withTags("error", retry.error().getClass().getSimpleName()).increment();
  }

  @Override
  public void onHedge(Duration late) {
    hedges.increment();
  }

  @Override
  public void onPermit(InFlightRequests limit, Duration waited) {
    limits.add(limit);
    waits.record(waited);
  }

  @Override
  public void onLookUp(String cache, CacheOutcome result) {
    lookUps.withTags("cache", cache, "result", TagValue.of(result)).increment();
  }
}
