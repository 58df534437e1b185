package dev.zarrreactive.testkit;

import dev.zarrreactive.observation.StoreRequest;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Predicate;
import reactor.core.publisher.Mono;
import reactor.core.publisher.Sinks;

/** Requests to an {@link InstrumentedStore} that wait for a test. Thread-safe. */
public final class HeldRequests {
  private final Predicate<StoreRequest> which;
  private final Sinks.Empty<Void> gate = Sinks.empty();
  private final AtomicInteger waiting = new AtomicInteger();

  HeldRequests(Predicate<StoreRequest> which) {
    this.which = which;
  }

  /** How many requests wait now. */
  public int waiting() {
    return waiting.get();
  }

  /** Lets all of them go on, and holds none any more. */
  public void release() {
    gate.tryEmitEmpty();
  }

  Mono<Void> pass(StoreRequest request) {
    if (!which.test(request)) {
      return Mono.empty();
    }
    return gate.asMono()
        .doOnSubscribe(held -> waiting.incrementAndGet())
        .doFinally(end -> waiting.decrementAndGet());
  }
}
