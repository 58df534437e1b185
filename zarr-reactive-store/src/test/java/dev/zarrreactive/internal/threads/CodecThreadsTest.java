package dev.zarrreactive.internal.threads;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import reactor.core.Disposable;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Scheduler;

class CodecThreadsTest {
  /** After this a task waits for ever. */
  private static final Duration PATIENCE = Duration.ofMinutes(1);

  private final Scheduler codecs = Daemons.codecs(2);
  private final CountDownLatch begun = new CountDownLatch(1);
  private final CountDownLatch end = new CountDownLatch(1);

  @AfterEach
  void stop() {
    end.countDown();
    codecs.dispose();
  }

  /** Computes without a blocking call, until the test says so. */
  private void occupyOneThread() throws InterruptedException {
    codecs.schedule(
        () -> {
          begun.countDown();
          long turns = 0;
          while (end.getCount() > 0) {
            turns++;
          }
          assertThat(turns).isNotNegative();
        });
    begun.await();
  }

  /** With a queue for each thread every second task would wait behind the long one. */
  @Test
  void the_other_thread_does_all_tasks_while_one_thread_is_busy() throws InterruptedException {
    occupyOneThread();
    List<Integer> results =
        Flux.range(0, 20)
            .flatMap(i -> Mono.just(i).publishOn(codecs).map(n -> n + 1))
            .flatMap(i -> Mono.fromSupplier(() -> i + 1).subscribeOn(codecs))
            .collectSortedList()
            .block(PATIENCE);
    assertThat(results).isEqualTo(IntStream.range(2, 22).boxed().toList());
    assertThat(end.getCount()).as("the long task still runs").isOne();
  }

  @Test
  void delays_are_kept_and_ended_ones_are_forgotten() throws InterruptedException {
    occupyOneThread();
    assertThat(Mono.delay(Duration.ofMillis(1), codecs).block(PATIENCE)).isZero();
    Disposable late = codecs.schedule(() -> {}, 1, TimeUnit.HOURS);
    late.dispose();
    assertThat(late.isDisposed()).isTrue();
  }

  @Test
  void they_are_daemons_that_refuse_to_block() {
    Set<Thread> threads = ConcurrentHashMap.newKeySet();
    Flux.range(0, 50)
        .flatMap(
            i -> Mono.fromRunnable(() -> threads.add(Thread.currentThread())).subscribeOn(codecs))
        .blockLast();
    assertThat(threads)
        .hasSizeBetween(1, 2)
        .allMatch(Thread::isDaemon)
        .allMatch(thread -> thread.getName().matches("zarr-codec-[12]"));
    assertThatThrownBy(
            () -> Mono.fromSupplier(() -> Mono.never().block()).subscribeOn(codecs).block())
        .hasMessageContaining("blocking");
  }
}
