package dev.zarrreactive.s3;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Named.named;

import dev.zarrreactive.base.Bytes;
import dev.zarrreactive.base.StoreKey;
import dev.zarrreactive.error.TransientStoreException;
import dev.zarrreactive.faults.NoLeaks;
import dev.zarrreactive.faults.server.Fault;
import dev.zarrreactive.faults.server.FaultyServer;
import dev.zarrreactive.store.memory.MemoryStore;
import dev.zarrreactive.testing.Waiting;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Named;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** A connection that closes before any answer. */
@ExtendWith(NoLeaks.class)
class S3UnansweredRequestsTest {
  private static final StoreKey KEY = StoreKey.of("a");

  private static final Bytes VALUE = Bytes.utf8("value");

  private final MemoryStore values = MemoryStore.create();
  private final FaultyServer server = FaultyServer.of(values);
  private final S3Store store =
      settings(S3Store.at("data").endpoint(server.uri()).anonymous()).open();

  S3StoreBuilder settings(S3StoreBuilder builder) {
    return builder;
  }

  @BeforeEach
  void seed() {
    Waiting.await(values.set(StoreKey.of("data/" + KEY.value()), VALUE));
  }

  @AfterEach
  void close() {
    Waiting.await(store.close());
    server.close();
  }

  @ParameterizedTest
  @MethodSource("ends")
  void a_read_without_an_answer_is_asked_for_once_more(Fault end) {
    server.misbehave(end.times(1));
    assertThat(Waiting.await(store.get(KEY))).isEqualTo(VALUE);
    assertThat(server.requests()).hasSize(2);
  }

  @ParameterizedTest
  @MethodSource("ends")
  void after_that_it_is_an_error_that_may_pass(Fault end) {
    server.misbehave(end);
    assertThat(Waiting.errorOf(store.get(KEY)))
        .isInstanceOf(TransientStoreException.class)
        .hasMessageContaining(KEY.value());
    assertThat(server.requests()).hasSize(2);
  }

  @ParameterizedTest
  @MethodSource("ends")
  void a_write_is_made_once(Fault end) {
    server.misbehave(end.times(1));
    assertThat(Waiting.errorOf(store.set(KEY, VALUE))).isInstanceOf(TransientStoreException.class);
    assertThat(server.requests()).hasSize(1);
  }

  static Stream<Named<Fault>> ends() {
    return Stream.of(named("closed", Fault.closed()), named("reset", Fault.reset()));
  }
}
