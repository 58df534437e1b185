package dev.zarrreactive.partition;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Schedulers;

/** A thread that waits takes what a stream says, and asks for no more than it may keep. */
class PullTest {
  @Test
  void results_come_in_order_and_no_more_than_wanted_wait() throws IOException {
    AtomicLong demanded = new AtomicLong();
    Flux<Integer> stream =
        Flux.range(0, 1000).doOnRequest(demanded::addAndGet).publishOn(Schedulers.parallel(), 1);
    List<Integer> taken = new ArrayList<>();
    try (Pull<Integer> pull = Pull.of(stream, 2)) {
      for (Integer next = pull.next(); next != null; next = pull.next()) {
        taken.add(next);
        assertThat(demanded.get()).isLessThanOrEqualTo(taken.size() + 4L);
      }
      assertThat(pull.next()).isNull();
    }
    assertThat(taken).hasSize(1000).isSorted();
  }

  @Test
  void an_error_of_the_stream_is_the_cause() {
    IllegalStateException error = new IllegalStateException("gone");
    assertThatThrownBy(() -> Pull.one(Mono.error(error)))
        .isInstanceOf(IOException.class)
        .hasMessage("gone")
        .hasCause(error);
    assertThatThrownBy(() -> Pull.one(Mono.empty()))
        .isInstanceOf(IOException.class)
        .hasMessage("the stream has ended without a result");
  }

  @Test
  void a_close_and_an_interrupt_cancel_the_stream() throws IOException {
    AtomicBoolean isCancelled = new AtomicBoolean();
    Mono<Integer> never = Mono.<Integer>never().doOnCancel(() -> isCancelled.set(true));
    Pull<Integer> closed = Pull.of(never, 1);
    closed.close();
    assertThat(isCancelled).isTrue();
    assertThat(closed.next()).isNull();
    isCancelled.set(false);
    try (Pull<Integer> interrupted = Pull.of(never, 1)) {
      Thread.currentThread().interrupt();
      assertThatThrownBy(interrupted::next).hasMessage("the task was interrupted");
      assertThat(Thread.interrupted()).isTrue();
      assertThat(isCancelled).isTrue();
    }
  }
}
