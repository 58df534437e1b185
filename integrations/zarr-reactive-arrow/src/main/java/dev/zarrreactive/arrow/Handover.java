package dev.zarrreactive.arrow;

import dev.zarrreactive.internal.threads.Environment;
import java.util.concurrent.atomic.AtomicBoolean;
import org.apache.arrow.vector.VectorSchemaRoot;
import reactor.core.publisher.Flux;

/**
 * Hands batches over to a subscriber: each is closed, or is in {@code onNext}. No batch waits in
 * between, where a cancel could forget it.
 */
final class Handover {
  private Handover() {}

  /**
   * Returns the batches, which are made on a codec thread.
   *
   * @param batches are made on the thread that demands them, or that their elements arrive on
   */
  static Flux<VectorSchemaRoot> of(Flux<VectorSchemaRoot> batches) {
    return Flux.defer(
        () -> {
          AtomicBoolean isCancelled = new AtomicBoolean();
          return batches
              .subscribeOn(Environment.current().codecScheduler(), true)
              .<VectorSchemaRoot>handle(
                  (batch, sink) -> {
                    if (isCancelled.get()) {
                      batch.close();
                    } else {
                      sink.next(batch);
                    }
                  })
              .doOnCancel(() -> isCancelled.set(true));
        });
  }
}
