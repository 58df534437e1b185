package dev.zarrreactive.internal.flow;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.RejectedExecutionException;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import reactor.core.Disposable;
import reactor.core.Disposables;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Hooks;
import reactor.core.scheduler.Scheduler;
import reactor.core.scheduler.Schedulers;
import reactor.test.StepVerifier;
import reactor.test.publisher.TestPublisher;

class HandedOverTest {
  private final List<Throwable> dropped = new CopyOnWriteArrayList<>();
  private @Nullable Runnable beforeTheRefusal;

  /** Runs tasks at once, and refuses them from a moment on, as a worker does that is cancelled. */
  private final Scheduler refusing =
      new Scheduler() {
        @Override
        public Disposable schedule(Runnable task) {
          throw new RejectedExecutionException("no thread");
        }

        @Override
        public Worker createWorker() {
          return new Worker() {
            @Override
            public Disposable schedule(Runnable task) {
              if (beforeTheRefusal == null) {
                task.run();
                return Disposables.disposed();
              }
              beforeTheRefusal.run();
              throw new RejectedExecutionException("no thread");
            }

            @Override
            public void dispose() {}
          };
        }
      };

  @BeforeEach
  void listen() {
    Hooks.onErrorDropped(dropped::add);
  }

  @AfterEach
  void stopListening() {
    Hooks.resetOnErrorDropped();
  }

  @Test
  void a_task_that_is_refused_behind_a_cancel_is_no_error() {
    TestPublisher<Integer> source = TestPublisher.create();
    List<Throwable> errors = new CopyOnWriteArrayList<>();
    Disposable operation =
        HandedOver.to(refusing, source.flux())
            .concatMap(value -> Flux.just(value), 1)
            .subscribe(value -> {}, errors::add);
    beforeTheRefusal = operation::dispose;
    source.next(1);
    source.assertCancelled();
    assertThat(errors).isEmpty();
    assertThat(dropped).isEmpty();
  }

  @Test
  void a_task_that_is_refused_without_a_cancel_is_an_error() {
    beforeTheRefusal = () -> {};
    StepVerifier.create(HandedOver.to(refusing, Flux.just(1)))
        .expectError(RejectedExecutionException.class)
        .verify();
  }

  @Test
  void signals_arrive_in_order_on_the_scheduler() {
    Scheduler scheduler = Schedulers.newSingle("handed-over", true);
    try {
      StepVerifier.create(
              HandedOver.to(scheduler, Flux.range(0, 100))
                  .filter(value -> Thread.currentThread().getName().startsWith("handed-over")))
          .expectNextCount(100)
          .verifyComplete();
      StepVerifier.create(HandedOver.to(scheduler, Flux.error(new IllegalStateException("source"))))
          .expectErrorMessage("source")
          .verify();
    } finally {
      scheduler.dispose();
    }
  }
}
