package dev.zarrreactive.internal.pipeline;

import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Function;
import org.reactivestreams.Publisher;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/**
 * Works on several parts of one operation at a time. A part is begun when another is done with, its
 * result handed on: at most {@code concurrency} parts are ahead of the demand. The first error ends
 * everything, and nothing else is begun; further errors of parts under way are not heard of.
 */
public final class Concurrently {
  private Concurrently() {}

  /** The results of {@code work} in the order in which they come. */
  public static <P, T> Flux<T> map(
      Publisher<? extends P> parts, int concurrency, Function<? super P, Mono<T>> work) {
    return Flux.defer(
        () -> {
          FirstError first = new FirstError();
          return Flux.<P>from(parts).flatMap(part -> first.only(work.apply(part)), concurrency, 1);
        });
  }

  /** The results of {@code work} in the order of the parts. */
  public static <P, T> Flux<T> mapInOrder(
      Publisher<? extends P> parts, int concurrency, Function<? super P, Mono<T>> work) {
    return Flux.defer(
        () -> {
          FirstError first = new FirstError();
          return Flux.<P>from(parts)
              .flatMapSequential(part -> first.only(work.apply(part)), concurrency, 1);
        });
  }

  /**
   * Two errors at the same time would become one of Reactor's own, or be dropped into a log. A part
   * that fails second says nothing; the end of the operation cancels it.
   */
  private static final class FirstError {
    private final AtomicBoolean happened = new AtomicBoolean();

    <T> Mono<T> only(Mono<T> part) {
      return part.onErrorResume(
          e -> happened.compareAndSet(false, true) ? Mono.error(e) : Mono.never());
    }
  }
}
