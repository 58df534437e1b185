package dev.zarrreactive.observation;

import dev.zarrreactive.internal.flow.Guard;
import java.time.Duration;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import reactor.util.context.Context;
import reactor.util.context.ContextView;

/**
 * Receives every request to a store, for metrics, traces and logs; see {@code Stores.observed}. It
 * also receives what the decorators of that store do for the requests: retries, second requests,
 * waits for a permit, look-ups in a cache.
 *
 * <p>Called on the thread of the signal, often by many threads at once: an observer must be
 * thread-safe and quick, and must not block. Each start is followed by exactly one end, before the
 * last signal is delivered. An exception of an observer goes to Reactor's {@code onErrorDropped}
 * hook and does not affect the request.
 */
public interface StoreObserver {
  /**
   * The key of the observer in a subscriber's context, to which decorators report. {@code
   * Stores.observed} puts it there for the decorators below it.
   */
  Object KEY = StoreObserver.class.getName() + ".KEY";

  /** Returns the observer in a subscriber's context; null where there is none. */
  static @Nullable StoreObserver of(ContextView subscriber) {
    return subscriber.hasKey(KEY) ? subscriber.get(KEY) : null;
  }

  /**
   * Reports an event to the observer in a subscriber's context, if there is one. For a decorator,
   * which the exceptions of the observer do not reach.
   */
  static void tell(ContextView subscriber, Consumer<StoreObserver> event) {
    StoreObserver observer = of(subscriber);
    if (observer != null) {
      Guard.run(() -> event.accept(observer));
    }
  }

  /** Signals that a request is about to be made. */
  default void onStart(StoreRequest request) {}

  /**
   * Signals that a subscriber with this context is about to make a request. By default calls {@link
   * #onStart(StoreRequest)}.
   *
   * @return additions to the context of the request, such as a trace
   */
  default ContextView onStart(StoreRequest request, ContextView subscriber) {
    onStart(request);
    return Context.empty();
  }

  /** Signals the end of that request: with a result, without one, with an error or by a cancel. */
  default void onEnd(StoreRequest request, StoreOutcome outcome) {}

  /** Signals that a request has failed, and will be repeated after a back-off. */
  default void onRetry(StoreRetry retry) {}

  /** Signals that a request is late, and that a second one is sent beside it. */
  default void onHedge(Duration late) {}

  /** Signals that a request has got its permit, at once or after a wait in the queue. */
  default void onPermit(InFlightRequests limit, Duration waited) {}

  /**
   * Signals a look-up in a cache.
   *
   * @param cache the entries of the cache: {@code values} for a {@code CachedStore}, {@code
   *     shard-indexes} for the indexes of shards, {@code chunks} for decoded chunks
   */
  default void onLookUp(String cache, CacheOutcome result) {}
}
