package dev.zarrreactive.internal.sharing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import org.junit.jupiter.api.Test;
import reactor.core.Disposable;
import reactor.core.publisher.Mono;
import reactor.core.publisher.Sinks;

/** Many ask for the newest state, by one request at a time. */
class NewestTest {
  private final List<Sinks.One<String>> requests = new ArrayList<>();
  private int cancelled;

  private final Newest<String> newest = new Newest<>(Mono.defer(this::asked));

  private Mono<String> asked() {
    Sinks.One<String> request = Sinks.one();
    requests.add(request);
    return request.asMono().doOnCancel(() -> cancelled++);
  }

  private void answer(int request, String state) {
    requests.get(request).tryEmitValue(state).orThrow();
  }

  @Test
  void who_asks_during_a_request_shares_the_next_one_which_begins_after_it() throws Exception {
    CompletableFuture<String> first = newest.now().toFuture();
    CompletableFuture<String> second = newest.now().toFuture();
    CompletableFuture<String> third = newest.now().toFuture();
    assertThat(requests).as("one at a time").hasSize(1);
    answer(0, "old");
    assertThat(first.get()).isEqualTo("old");
    assertThat(second.isDone() || third.isDone()).as("their request begins now").isFalse();
    assertThat(requests).hasSize(2);
    answer(1, "new");
    assertThat(second.get()).isEqualTo("new");
    assertThat(third.get()).isEqualTo("new");
    CompletableFuture<String> later = newest.now().toFuture();
    assertThat(requests).as("an answer is never used again").hasSize(3);
    answer(2, "newer");
    assertThat(later.get()).isEqualTo("newer");
  }

  @Test
  void an_error_is_told_to_those_who_share_the_request_and_the_next_one_goes_on() throws Exception {
    CompletableFuture<String> first = newest.now().toFuture();
    CompletableFuture<String> second = newest.now().toFuture();
    requests.get(0).tryEmitError(new IllegalStateException("no answer")).orThrow();
    assertThatThrownBy(first::get)
        .isInstanceOf(ExecutionException.class)
        .hasRootCauseMessage("no answer");
    answer(1, "there again");
    assertThat(second.get()).isEqualTo("there again");
  }

  @Test
  void who_leaves_a_request_under_way_leaves_it_to_those_who_wait_behind_it() throws Exception {
    Disposable first = newest.now().subscribe();
    CompletableFuture<String> second = newest.now().toFuture();
    first.dispose();
    assertThat(requests).as("it goes on, since the second waits for its end").hasSize(1);
    answer(0, "old");
    answer(1, "new");
    assertThat(second.get()).isEqualTo("new");
  }

  @Test
  void requests_that_all_have_left_end_and_the_next_one_begins_at_once() throws Exception {
    Disposable running = newest.now().subscribe();
    Disposable waiting = newest.now().subscribe();
    waiting.dispose();
    running.dispose();
    assertThat(cancelled).isEqualTo(1);
    CompletableFuture<String> next = newest.now().toFuture();
    assertThat(requests).hasSize(2);
    answer(1, "new");
    assertThat(next.get()).isEqualTo("new");
  }

  @Test
  void a_state_of_the_allowed_age_is_used_again() throws Exception {
    Duration age = Duration.ofDays(1);
    CompletableFuture<String> first = newest.now(age).toFuture();
    CompletableFuture<String> second = newest.now(age).toFuture();
    answer(0, "state");
    assertThat(first.get()).isEqualTo(second.get()).isEqualTo("state");
    assertThat(newest.now(age).toFuture().get()).isEqualTo("state");
    assertThat(requests).hasSize(1);
    CompletableFuture<String> strict = newest.now().toFuture();
    assertThat(requests).as("for one who allows no age").hasSize(2);
    answer(1, "new");
    assertThat(strict.get()).isEqualTo("new");
  }

  @Test
  void a_long_row_of_requests_holds_none_of_those_before() throws Exception {
    for (int i = 0; i < 100_000; i++) {
      CompletableFuture<String> asked = newest.now().toFuture();
      answer(0, "state");
      assertThat(asked.get()).isEqualTo("state");
      requests.clear();
    }
  }
}
