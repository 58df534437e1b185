package dev.zarrreactive.s3;

import static org.assertj.core.api.Assertions.assertThat;

import dev.zarrreactive.error.TransientStoreException;
import dev.zarrreactive.faults.ClosingServer;
import dev.zarrreactive.faults.NoLeaks;
import dev.zarrreactive.store.Bytes;
import dev.zarrreactive.store.StoreKey;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** A connection that closes before any answer. */
@ExtendWith(NoLeaks.class)
class S3UnansweredTest {
  private static final StoreKey KEY = StoreKey.of("a");

  private final ClosingServer server = new ClosingServer();
  private final S3Store store = S3Store.at("data").endpoint(server.uri()).anonymous().build();

  @AfterEach
  void close() {
    OneValue.await(store.close());
    server.close();
  }

  @Test
  void a_read_without_an_answer_is_asked_for_once_more() {
    server.closeFirst(1);
    assertThat(OneValue.await(store.get(KEY))).isEqualTo(Bytes.utf8("value"));
    assertThat(server.requests()).isEqualTo(2);
  }

  @Test
  void after_that_it_is_an_error_that_may_pass() {
    server.closeFirst(Integer.MAX_VALUE);
    assertThat(OneValue.errorOf(store.get(KEY)))
        .isInstanceOf(TransientStoreException.class)
        .hasMessageContaining(KEY.value());
    assertThat(server.requests()).isEqualTo(2);
  }

  @Test
  void a_write_is_made_once() {
    server.closeFirst(1);
    assertThat(OneValue.errorOf(store.set(KEY, Bytes.utf8("value"))))
        .isInstanceOf(TransientStoreException.class);
    assertThat(server.requests()).isEqualTo(1);
  }
}
