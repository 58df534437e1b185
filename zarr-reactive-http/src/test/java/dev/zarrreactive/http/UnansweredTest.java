package dev.zarrreactive.http;

import static org.assertj.core.api.Assertions.assertThat;

import dev.zarrreactive.error.TransientStoreException;
import dev.zarrreactive.faults.ClosingServer;
import dev.zarrreactive.faults.NoLeaks;
import dev.zarrreactive.store.Bytes;
import dev.zarrreactive.store.StoreKey;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Connections that are closed before there is an answer. */
@ExtendWith(NoLeaks.class)
class UnansweredTest {
  private static final StoreKey KEY = StoreKey.of("a");

  private final ClosingServer server = new ClosingServer();
  private final HttpStore store = HttpStore.open(server.uri());

  @AfterEach
  void close() {
    store.close().block(Duration.ofSeconds(10));
    server.close();
  }

  @Test
  void a_request_without_an_answer_is_sent_once_more() {
    server.closeFirst(1);
    assertThat(Served.await(store.get(KEY))).isEqualTo(Bytes.utf8("value"));
    assertThat(server.requests()).isEqualTo(2);
  }

  @Test
  void after_that_it_is_an_error_that_may_pass() {
    server.closeFirst(Integer.MAX_VALUE);
    assertThat(Served.errorOf(store.get(KEY)))
        .isInstanceOf(TransientStoreException.class)
        .hasMessageContaining(KEY.value());
    assertThat(server.requests()).isEqualTo(2);
  }
}
