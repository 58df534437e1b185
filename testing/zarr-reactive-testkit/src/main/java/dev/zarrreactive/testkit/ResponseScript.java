package dev.zarrreactive.testkit;

import dev.zarrreactive.observation.StoreRequest;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Predicate;
import java.util.function.Supplier;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/** The delays, failures and holds of an {@link InstrumentedStore} before its store is asked. */
final class ResponseScript {
  private final List<HeldRequests> holds = new CopyOnWriteArrayList<>();
  private final List<Failure> failures = new CopyOnWriteArrayList<>();
  private volatile Duration delay = Duration.ZERO;

  private record Failure(Predicate<StoreRequest> which, Supplier<? extends Throwable> error) {}

  void delay(Duration later) {
    delay = later;
  }

  void fail(Predicate<StoreRequest> which, Supplier<? extends Throwable> error) {
    failures.add(new Failure(which, error));
  }

  HeldRequests hold(Predicate<StoreRequest> which) {
    HeldRequests held = new HeldRequests(which);
    holds.add(held);
    return held;
  }

  void clear() {
    delay = Duration.ZERO;
    failures.clear();
    List<HeldRequests> open = List.copyOf(holds);
    holds.clear();
    open.forEach(HeldRequests::release);
  }

  /** Completes when the store may have the request, or fails. */
  Mono<Void> before(StoreRequest request) {
    Mono<Void> held = Flux.fromIterable(holds).concatMap(hold -> hold.pass(request)).then();
    Mono<Void> delayed = delay.isZero() ? held : held.then(Mono.delay(delay)).then();
    return delayed.then(Mono.defer(() -> failure(request)));
  }

  private Mono<Void> failure(StoreRequest request) {
    for (Failure failure : failures) {
      if (failure.which().test(request)) {
        return Mono.error(failure.error().get());
      }
    }
    return Mono.empty();
  }
}
