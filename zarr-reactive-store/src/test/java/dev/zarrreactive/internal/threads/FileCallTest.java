package dev.zarrreactive.internal.threads;

import static org.assertj.core.api.Assertions.assertThat;

import dev.zarrreactive.internal.threads.FileThreads.FileCall;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;
import reactor.core.Disposable;
import reactor.core.publisher.Flux;
import reactor.core.scheduler.Scheduler;
import reactor.core.scheduler.Schedulers;

class FileCallTest {
  /**
   * The thread that has made the call may already do other work: the result of this one is used.
   */
  @Test
  void a_call_that_is_made_before_its_task_is_known_is_not_interrupted() {
    AtomicBoolean isInterrupted = new AtomicBoolean();
    Scheduler quick =
        new Scheduler() {
          @Override
          public Disposable schedule(Runnable task) {
            task.run();
            return () -> isInterrupted.set(true);
          }

          @Override
          public Worker createWorker() {
            return Schedulers.immediate().createWorker();
          }
        };
    // next() cancels the call when it has the result
    assertThat(Flux.from(new FileCall<>(attempt -> "a", quick)).next().block()).isEqualTo("a");
    assertThat(isInterrupted).isFalse();
  }
}
