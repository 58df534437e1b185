package dev.zarrreactive.server;

import dev.zarrreactive.internal.flow.ByteBudget;
import dev.zarrreactive.internal.threads.Environment;
import dev.zarrreactive.json.JsonObject;
import dev.zarrreactive.observation.CacheOutcome;
import dev.zarrreactive.observation.InFlightBytes;
import dev.zarrreactive.observation.StoreObserver;
import dev.zarrreactive.observation.StoreOperation;
import dev.zarrreactive.observation.StoreOutcome;
import dev.zarrreactive.observation.StoreRequest;
import dev.zarrreactive.observation.ZarrObserver;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.WeakHashMap;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAccumulator;
import java.util.concurrent.atomic.LongAdder;
import reactor.core.publisher.Mono;
import reactor.util.context.Context;
import reactor.util.context.ContextView;

/**
 * Counts the requests of clients, those to the store below the cache, and waits for memory.
 * Thread-safe.
 */
final class ServerActivity {
  private static final long NANOS_IN_MILLI = 1_000_000;

  private final LongAdder requests = new LongAdder();
  private final AtomicInteger underWay = new AtomicInteger();
  private final LongAdder storeRequests = new LongAdder();
  private final LongAdder storeBytes = new LongAdder();
  private final LongAdder cacheHits = new LongAdder();
  private final LongAdder chunksInFlight = new LongAdder();

  private final LongAdder unavailable = new LongAdder();
  private final LongAdder waits = new LongAdder();
  private final LongAdder waitNanos = new LongAdder();
  private final LongAccumulator longestWait = new LongAccumulator(Math::max, 0);

  /** The requests of clients under way by their numbers, which grow, with their starts. */
  private final ConcurrentSkipListMap<Long, Long> begun = new ConcurrentSkipListMap<>();

  private final AtomicLong numbers = new AtomicLong();

  /** The bytes of slices, of each store that is open. */
  private final Set<InFlightBytes> inFlight =
      Collections.synchronizedSet(Collections.newSetFromMap(new WeakHashMap<>()));

  private final ByteBudget values;

  /**
   * Creates counts of nothing.
   *
   * @param values the bytes of values that responses hold
   */
  ServerActivity(ByteBudget values) {
    this.values = values;
  }

  /** Counts look-ups in the caches, and waits of slices for their bytes. */
  private final ZarrObserver slices =
      new ZarrObserver() {
        @Override
        public void onOpen(InFlightBytes bytes) {
          inFlight.add(bytes);
        }

        @Override
        public void onInFlightWait(Duration waited) {
          waited(waited.toNanos());
        }

        @Override
        public void onLookUp(String cache, CacheOutcome result) {
          if (result == CacheOutcome.HIT || result == CacheOutcome.SHARED) {
            cacheHits.increment();
          }
        }
      };

  /** Counts requests to the store; decorators below it tell the observer above it. */
  private final StoreObserver store =
      new StoreObserver() {
        @Override
        public ContextView onStart(StoreRequest request, ContextView subscriber) {
          storeRequests.increment();
          if (isOfChunk(request)) {
            chunksInFlight.increment();
          }
          StoreObserver above = StoreObserver.of(subscriber);
          return above == null ? Context.empty() : Context.of(KEY, above);
        }

        @Override
        public void onEnd(StoreRequest request, StoreOutcome outcome) {
          storeBytes.add(outcome.bytes());
          if (outcome.kind() == StoreOutcome.Kind.UNCHANGED) {
            cacheHits.increment(); // the store has confirmed the cached value
          }
          if (isOfChunk(request)) {
            chunksInFlight.decrement();
          }
        }
      };

  private static boolean isOfChunk(StoreRequest request) {
    StoreOperation operation = request.operation();
    return (operation == StoreOperation.GET || operation == StoreOperation.GET_RANGE)
        && !StoreValues.isDocument(request.target());
  }

  /** A request of a client, and how many were under way before. */
  record Request(long number, int before) {}

  /** Counts a request of a client. */
  Request begun() {
    requests.increment();
    long number = numbers.incrementAndGet();
    begun.put(number, Environment.current().nanoTime());
    return new Request(number, underWay.getAndIncrement());
  }

  /** Counts the end of a request, and returns how many are under way still. */
  int ended(Request request) {
    begun.remove(request.number());
    return underWay.decrementAndGet();
  }

  /** Counts a response of 503. */
  void refused() {
    unavailable.increment();
  }

  /** Completes when a lease is granted; its wait is counted. */
  Mono<Void> granted(ByteBudget.Lease lease) {
    if (!lease.isAwaitedFirst()) {
      return lease.grant();
    }
    long from = Environment.current().nanoTime();
    return lease.grant().doFinally(end -> waited(Environment.current().nanoTime() - from));
  }

  private void waited(long nanos) {
    waits.increment();
    waitNanos.add(nanos);
    longestWait.accumulate(nanos);
  }

  /** Returns the number of requests of clients that are not answered to their end. */
  int underWay() {
    return underWay.get();
  }

  /** Returns the observer of the store below the cache. */
  StoreObserver store() {
    return store;
  }

  /** Returns the observer for the context of requests and for hierarchies. */
  ZarrObserver slices() {
    return slices;
  }

  /** Returns the counts without the request for them. */
  JsonObject counts() {
    requests.decrement();
    return JsonObject.EMPTY
        .with("requests", requests.sum())
        .with("requests_under_way", underWay.get() - 1)
        .with("store_requests", storeRequests.sum())
        .with("store_bytes", storeBytes.sum())
        .with("cache_hits", cacheHits.sum())
        .with("chunks_in_flight", chunksInFlight.sum())
        .with("memory", memory());
  }

  private JsonObject memory() {
    List<InFlightBytes> open;
    synchronized (inFlight) {
      open = List.copyOf(inFlight);
    }
    return JsonObject.EMPTY
        .with("held_bytes", values.held())
        .with("held_bytes_limit", values.total())
        .with("in_flight_bytes", open.stream().mapToLong(InFlightBytes::held).sum())
        .with("in_flight_bytes_limit", open.stream().mapToLong(InFlightBytes::most).sum())
        .with("waits", waits.sum())
        .with("wait_millis", waitNanos.sum() / NANOS_IN_MILLI)
        .with("longest_wait_millis", longestWait.get() / NANOS_IN_MILLI)
        .with("unavailable", unavailable.sum())
        .with("oldest_request_millis", oldestNanos() / NANOS_IN_MILLI);
  }

  private long oldestNanos() {
    Map.Entry<Long, Long> first = begun.firstEntry();
    return first == null ? 0 : Math.max(0, Environment.current().nanoTime() - first.getValue());
  }
}
