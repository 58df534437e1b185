package dev.zarrreactive.store.decorator;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;
import reactor.core.publisher.Signal;
import reactor.core.scheduler.Scheduler;
import reactor.test.scheduler.VirtualTimeScheduler;

/** Time that passes when a test says so, for one request after another. */
final class VirtualTime {
  private final VirtualTimeScheduler scheduler = VirtualTimeScheduler.create();

  Scheduler scheduler() {
    return scheduler;
  }

  void pass(Duration time) {
    scheduler.advanceTimeBy(time);
  }

  /**
   * Subscribes, lets time pass, and tells what had come by then: a value, a completion or an error;
   * null where nothing had, and the request goes on.
   */
  <T> @Nullable Signal<T> after(Duration time, Mono<T> request) {
    AtomicReference<@Nullable Signal<T>> seen = new AtomicReference<>();
    request.materialize().subscribe(seen::set);
    scheduler.advanceTimeBy(time);
    return seen.get();
  }
}
