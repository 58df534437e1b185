package dev.zarrreactive.internal.flow;

import java.util.function.Function;
import org.reactivestreams.Publisher;
import reactor.core.publisher.Flux;

/**
 * Runs several parts of one operation concurrently. A part begins when an earlier one has ended and
 * its result is delivered, so at most {@code concurrency} parts are ahead of the demand. The first
 * error ends the operation; later errors of other parts are dropped. After an error or a cancel no
 * part begins. Both cancel the running parts at once, even while the subscriber works on a result.
 */
public final class Concurrently {
  private Concurrently() {}

  /** Returns the results of {@code work} in the order in which they arrive. */
  public static <P, T> Flux<T> map(
      Publisher<? extends P> parts,
      int concurrency,
      Function<? super P, ? extends Publisher<T>> work) {
    return ofOneOperation(
        scope ->
            scope
                .<P>stoppable(parts)
                .flatMap(part -> scope.part(() -> work.apply(part)), concurrency, 1));
  }

  /** Returns the results of {@code work} in the order of the parts. */
  public static <P, T> Flux<T> mapInOrder(
      Publisher<? extends P> parts,
      int concurrency,
      Function<? super P, ? extends Publisher<T>> work) {
    return ofOneOperation(
        scope ->
            scope
                .<P>stoppable(parts)
                .flatMapSequential(part -> scope.part(() -> work.apply(part)), concurrency, 1));
  }

  private static <T> Flux<T> ofOneOperation(Function<OperationScope, Flux<T>> work) {
    return Flux.defer(
        () -> {
          OperationScope scope = new OperationScope();
          return work.apply(scope).doFinally(end -> scope.stop());
        });
  }
}
