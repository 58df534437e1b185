package dev.zarrreactive.internal.flow;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.zarrreactive.internal.threads.Daemons;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Scheduler;
import reactor.core.scheduler.Schedulers;
import reactor.test.scheduler.VirtualTimeScheduler;

class CodecSchedulerTest {
  @Test
  void its_threads_are_daemons_with_a_name_that_nothing_may_block() throws InterruptedException {
    Scheduler scheduler = Daemons.codecs(3);
    Set<Thread> threads = ConcurrentHashMap.newKeySet();
    CountDownLatch ran = new CountDownLatch(30);
    for (int i = 0; i < 30; i++) {
      scheduler.schedule(
          () -> {
            threads.add(Thread.currentThread());
            assertThat(Schedulers.isInNonBlockingThread()).isTrue();
            ran.countDown();
          });
    }
    assertThat(ran.await(60, TimeUnit.SECONDS)).isTrue();
    assertThat(threads)
        .hasSizeBetween(1, 3)
        .allSatisfy(
            thread -> {
              assertThat(thread.isDaemon()).isTrue();
              assertThat(thread.getName()).startsWith("zarr-codec-");
            });
    assertThatThrownBy(
            () ->
                Mono.fromCallable(() -> Mono.never().block(Duration.ofSeconds(1)))
                    .subscribeOn(scheduler)
                    .block())
        .hasMessageContaining("block()");
    scheduler.dispose();
  }

  @Test
  void a_test_with_virtual_time_that_happens_to_make_it_first_does_not_stop_it_for_ever() {
    VirtualTimeScheduler.getOrSet();
    try {
      Scheduler scheduler = Daemons.codecs(1);
      String thread =
          Mono.fromCallable(() -> Thread.currentThread().getName())
              .subscribeOn(scheduler)
              .block(Duration.ofSeconds(60));
      assertThat(thread).startsWith("zarr-codec-");
      scheduler.dispose();
    } finally {
      VirtualTimeScheduler.reset();
    }
  }
}
