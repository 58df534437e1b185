package dev.zarrreactive.observation;

import java.time.Duration;
import java.util.List;
import reactor.util.context.Context;
import reactor.util.context.ContextView;

/**
 * Receives every operation on nodes and its steps, and as a {@link StoreObserver} its requests to
 * the store. {@code ZarrOptions.withObserver} sets it. By default, nothing is measured.
 *
 * <p>Called on the thread of the signal or of the decoding, often on many threads at once: be
 * thread-safe, be quick, never block. An exception of an observer goes to Reactor's {@code
 * onErrorDropped} hook, and the operation goes on.
 */
public interface ZarrObserver extends StoreObserver {
  /**
   * Signals the begin of an operation: a subscriber with this context has subscribed.
   *
   * @return additions to the contexts of its requests, such as a trace
   */
  default ContextView onStart(ZarrOperation operation, ContextView subscriber) {
    return Context.empty();
  }

  /** Signals the end of that operation, once, before its last signal is passed on. */
  default void onEnd(ZarrOperation operation, OperationOutcome outcome) {}

  /** Signals a request for ranges of a shard, before it is sent. */
  default void onRangeRequest(RangeRequest request) {}

  /** Signals that a chunk was decoded, or that its decoding failed. */
  default void onDecode(ChunkDecoding decoding) {}

  /**
   * Signals that a hierarchy was opened, whose operations hold bytes. Hierarchies that share one
   * bound, as those that are opened by their location do, signal the same object. Keep only a weak
   * reference, so that the hierarchy can be collected.
   */
  default void onOpen(InFlightBytes bytes) {}

  /**
   * Signals the end of an operation's wait for its first bytes in flight: it got them, was refused
   * them, or was cancelled. An operation that gets them at once signals nothing.
   */
  default void onInFlightWait(Duration waited) {}

  /** Returns an observer that passes each signal to all of these, even if one of them throws. */
  static ZarrObserver all(ZarrObserver... observers) {
    return new AllObservers(List.of(observers));
  }
}
