package dev.zarrreactive.observation;

import dev.zarrreactive.store.StoreObserver;
import java.util.List;
import reactor.util.context.Context;
import reactor.util.context.ContextView;

/**
 * Is told of every operation on nodes and of what it does: of its requests to the store, too, as a
 * {@link StoreObserver}. {@code ZarrOptions.withObserver} sets it; without one nothing is measured.
 *
 * <p>Called on the thread of the signal or of the decoding, often many threads at once: be
 * thread-safe, be quick, never block. What an observer throws does not touch the operation; it goes
 * to Reactor's {@code onErrorDropped} hook.
 */
public interface ZarrObserver extends StoreObserver {
  /**
   * An operation begins: somebody with this context has subscribed.
   *
   * @return what the contexts of its requests have besides, such as a trace
   */
  default ContextView onStart(ZarrOperation operation, ContextView subscriber) {
    return Context.empty();
  }

  /** That operation has ended; told once, before the last signal is handed on. */
  default void onEnd(ZarrOperation operation, OperationOutcome outcome) {}

  /** Some ranges of a shard are about to be fetched by one request. */
  default void onRangeRequest(RangeRequest request) {}

  /** A chunk was decoded, or could not be. */
  default void onDecode(ChunkDecoding decoding) {}

  /**
   * A hierarchy was opened, whose operations hold bytes. Keep only a weak reference: what it tells
   * of is there as long as the hierarchy is.
   */
  default void onOpen(InFlightBytes bytes) {}

  /** All of these, each told of everything; what one throws does not keep it from the others. */
  static ZarrObserver all(ZarrObserver... observers) {
    return new AllObservers(List.of(observers));
  }
}
