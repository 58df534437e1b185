package dev.zarrreactive.http;

import static dev.zarrreactive.http.Served.KEY;
import static dev.zarrreactive.testing.Waiting.await;
import static dev.zarrreactive.testing.Waiting.errorOf;
import static org.assertj.core.api.Assertions.assertThat;

import dev.zarrreactive.error.TransientStoreException;
import dev.zarrreactive.faults.NoLeaks;
import dev.zarrreactive.faults.server.Fault;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import reactor.core.publisher.Flux;

/** Connections, and streams of HTTP/2, that end before a response. */
@ExtendWith(NoLeaks.class)
class UnansweredRequestsTest {
  private static final List<Fault> ENDS = List.of(Fault.closed(), Fault.reset());

  /** As many connections as a read may find closed. */
  private static final int OLD = 4;

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void a_request_without_an_answer_is_sent_once_more(boolean http2) {
    try (Served served = new Served(10, http2)) {
      for (Fault end : ENDS) {
        served.server.forget();
        served.server.misbehave(end.times(1));
        assertThat(await(served.store.get(KEY))).isEqualTo(served.value);
        assertThat(served.server.requests()).hasSize(2);
      }
    }
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void after_that_it_is_an_error_that_may_pass(boolean http2) {
    try (Served served = new Served(10, http2)) {
      for (Fault end : ENDS) {
        served.server.forget();
        served.server.misbehave(end);
        assertThat(errorOf(served.store.get(KEY)))
            .isInstanceOf(TransientStoreException.class)
            .hasMessageContaining(KEY.value());
        assertThat(served.server.requests()).hasSize(2);
      }
    }
  }

  @Test
  void a_read_finds_its_value_behind_any_number_of_old_connections_that_close() {
    for (Fault end : ENDS) {
      try (Served served = new Served(10, false)) {
        served.server.misbehave(Fault.together(OLD));
        await(Flux.range(0, OLD).flatMap(i -> served.store.get(KEY), OLD).then());
        assertThat(served.server.connections()).isEqualTo(OLD);
        served.server.forget();
        served.server.misbehave(end.times(OLD));
        assertThat(await(served.store.get(KEY))).isEqualTo(served.value);
        assertThat(served.server.requests()).hasSize(OLD + 1);
      }
    }
  }

  @Test
  void a_server_that_closes_every_new_connection_is_an_error() {
    try (Served served = new Served(10, false)) {
      await(served.store.get(KEY));
      for (Fault end : ENDS) {
        served.server.forget();
        served.server.misbehave(end);
        assertThat(errorOf(served.store.get(KEY))).isInstanceOf(TransientStoreException.class);
        assertThat(served.server.requests()).hasSizeLessThanOrEqualTo(3);
      }
    }
  }
}
