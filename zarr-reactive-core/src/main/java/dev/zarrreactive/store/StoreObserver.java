package dev.zarrreactive.store;

/**
 * Is told of every request to a store, for metrics, traces and logs; see {@link Stores#observed}.
 *
 * <p>Called on the thread of the signal, often many threads at once: be thread-safe, be quick,
 * never block. Each start is followed by exactly one end, before the last signal is handed on. What
 * an observer throws does not touch the request; it goes to Reactor's {@code onErrorDropped} hook.
 */
public interface StoreObserver {
  /** A request is about to be made. */
  default void onStart(StoreRequest request) {}

  /** That request has ended, with a result, without one, with an error or by a cancel. */
  default void onEnd(StoreRequest request, StoreOutcome outcome) {}
}
