package dev.zarrreactive.internal.pipeline;

import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Function;
import java.util.function.Supplier;
import org.reactivestreams.Publisher;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Sinks;

/**
 * Works on several parts of one operation at a time. A part is begun when another is done with, its
 * result handed on: at most {@code concurrency} parts are ahead of the demand. The first error ends
 * everything; further errors of parts under way are not heard of. After an error or a cancel no
 * part is begun, and a cancel reaches the parts under way at once, whatever the subscriber is busy
 * with.
 */
public final class Concurrently {
  private Concurrently() {}

  /** The results of {@code work} in the order in which they come. */
  public static <P, T> Flux<T> map(
      Publisher<? extends P> parts,
      int concurrency,
      Function<? super P, ? extends Publisher<T>> work) {
    return stoppable(
        operation ->
            operation
                .<P>unlessStopped(parts)
                .flatMap(part -> operation.part(() -> work.apply(part)), concurrency, 1));
  }

  /** The results of {@code work} in the order of the parts. */
  public static <P, T> Flux<T> mapInOrder(
      Publisher<? extends P> parts,
      int concurrency,
      Function<? super P, ? extends Publisher<T>> work) {
    return stoppable(
        operation ->
            operation
                .<P>unlessStopped(parts)
                .flatMapSequential(part -> operation.part(() -> work.apply(part)), concurrency, 1));
  }

  private static <T> Flux<T> stoppable(Function<Operation, Flux<T>> work) {
    return Flux.defer(
        () -> {
          Operation operation = new Operation();
          return work.apply(operation).doFinally(end -> operation.stop());
        });
  }

  /**
   * What flatMap alone leaves open. Two errors at the same time would become one of Reactor's own,
   * or be dropped into a log. And while one thread hands results on, a cancel from another would
   * wait for it, parts would go on, and new ones be begun.
   */
  private static final class Operation {
    private final AtomicBoolean over = new AtomicBoolean();
    private final Sinks.Empty<Void> stopped = Sinks.empty();

    <T> Publisher<T> part(Supplier<? extends Publisher<T>> work) {
      return LettingGo.of(
          this.<T>unlessStopped(Flux.defer(() -> over.get() ? Flux.never() : work.get()))
              .onErrorResume(e -> over.compareAndSet(false, true) ? Flux.error(e) : Flux.never()));
    }

    <T> Flux<T> unlessStopped(Publisher<? extends T> publisher) {
      return Flux.<T>from(publisher).takeUntilOther(stopped.asMono());
    }

    void stop() {
      over.set(true);
      stopped.tryEmitEmpty();
    }
  }
}
