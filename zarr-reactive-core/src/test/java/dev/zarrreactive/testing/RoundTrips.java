package dev.zarrreactive.testing;

import static dev.zarrreactive.testing.CodecThreads.settled;
import static dev.zarrreactive.testing.Waiting.eventually;

import dev.zarrreactive.testkit.HeldRequests;
import dev.zarrreactive.testkit.InstrumentedStore;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import reactor.core.publisher.Mono;

/** Counts round trips: no request is answered before all are made that need no answer. */
public final class RoundTrips {

  private RoundTrips() {}

  /** How many requests each round trip of an operation made. */
  public static List<Integer> of(InstrumentedStore store, Mono<?> operation) {
    List<Integer> trips = new ArrayList<>();
    HeldRequests held = store.hold(any -> true);
    CompletableFuture<?> running = operation.toFuture();
    while (isWaiting(held, running)) {
      trips.add(held.waiting());
      HeldRequests next = store.hold(any -> true);
      held.release();
      held = next;
    }
    store.behave();
    running.join();
    return trips;
  }

  /** True when requests wait and no more come, false when the operation is over. */
  private static boolean isWaiting(HeldRequests held, CompletableFuture<?> running) {
    eventually("requests wait", () -> held.waiting() > 0 || running.isDone());
    int before = -1;
    while (held.waiting() != before && !running.isDone()) {
      before = held.waiting();
      settled();
    }
    return !running.isDone();
  }
}
