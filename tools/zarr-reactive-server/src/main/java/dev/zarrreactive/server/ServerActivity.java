package dev.zarrreactive.server;

import dev.zarrreactive.json.JsonObject;
import dev.zarrreactive.observation.CacheOutcome;
import dev.zarrreactive.observation.StoreObserver;
import dev.zarrreactive.observation.StoreOperation;
import dev.zarrreactive.observation.StoreOutcome;
import dev.zarrreactive.observation.StoreRequest;
import dev.zarrreactive.observation.ZarrObserver;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.LongAdder;
import reactor.util.context.Context;
import reactor.util.context.ContextView;

/** Counts the requests of clients, and those to the store below the cache. Thread-safe. */
final class ServerActivity {
  private final LongAdder requests = new LongAdder();
  private final AtomicInteger underWay = new AtomicInteger();
  private final LongAdder storeRequests = new LongAdder();
  private final LongAdder storeBytes = new LongAdder();
  private final LongAdder cacheHits = new LongAdder();
  private final LongAdder chunksInFlight = new LongAdder();

  /** Counts look-ups in the caches. */
  private final ZarrObserver caches =
      new ZarrObserver() {
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

  /** Counts a request of a client, and returns how many were under way before. */
  int begun() {
    requests.increment();
    return underWay.getAndIncrement();
  }

  /** Counts the end of a request, and returns how many are under way still. */
  int ended() {
    return underWay.decrementAndGet();
  }

  /** Returns the number of requests of clients that are not answered to their end. */
  int underWay() {
    return underWay.get();
  }

  /** Returns the observer of the store below the cache. */
  StoreObserver store() {
    return store;
  }

  /** Returns the observer of the caches, for the context of requests and for hierarchies. */
  ZarrObserver caches() {
    return caches;
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
        .with("chunks_in_flight", chunksInFlight.sum());
  }
}
