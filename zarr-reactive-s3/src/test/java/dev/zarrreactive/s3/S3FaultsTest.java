package dev.zarrreactive.s3;

import static dev.zarrreactive.s3.OneValue.KEY;
import static dev.zarrreactive.s3.OneValue.eventually;
import static dev.zarrreactive.testing.Waiting.await;
import static dev.zarrreactive.testing.Waiting.errorOf;
import static org.assertj.core.api.Assertions.assertThat;

import dev.zarrreactive.base.ByteRange;
import dev.zarrreactive.base.StoreKey;
import dev.zarrreactive.error.AccessDeniedException;
import dev.zarrreactive.error.PreconditionFailedException;
import dev.zarrreactive.error.StoreException;
import dev.zarrreactive.error.TransientStoreException;
import dev.zarrreactive.faults.NoLeaks;
import dev.zarrreactive.faults.server.Fault;
import dev.zarrreactive.faults.server.FaultyServer;
import dev.zarrreactive.faults.server.KeptPort;
import dev.zarrreactive.faults.server.ReceivedRequest;
import dev.zarrreactive.store.Precondition;
import dev.zarrreactive.store.Version;
import dev.zarrreactive.store.memory.MemoryStore;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import reactor.core.Disposable;
import reactor.core.publisher.Flux;

/** The outcome of each fault of a server. */
@ExtendWith(NoLeaks.class)
class S3FaultsTest {
  private static final ByteRange RANGE = new ByteRange.Slice(10_000, 150_000);

  private OneValue one = withStallTimeout(Duration.ofMinutes(1));

  private OneValue withStallTimeout(Duration stallTimeout) {
    return new OneValue(200_000, settings -> settings(settings).stallTimeout(stallTimeout));
  }

  S3StoreBuilder settings(S3StoreBuilder builder) {
    return builder;
  }

  /** Reads before, so that the first read of this JVM does not stall. */
  private void useStallTimeout(Duration stallTimeout) {
    await(one.store.get(KEY));
    one.close();
    one = withStallTimeout(stallTimeout);
  }

  @AfterEach
  void close() {
    one.close();
  }

  @ParameterizedTest
  @ValueSource(ints = {408, 429, 500, 502, 503, 504})
  void a_status_that_may_pass_is_a_transient_error_with_the_delay_of_the_server(int status) {
    one.server.misbehave(Fault.status(status, "7"));
    assertThat(errorOf(one.store.get(KEY, RANGE)))
        .isInstanceOfSatisfying(
            TransientStoreException.class,
            error -> {
              assertThat(error.retryAfter()).isEqualTo(Duration.ofSeconds(7));
              assertThat(error).hasMessageContaining(KEY.value()).hasMessageContaining("" + status);
            });
    assertThat(errorOf(one.store.set(KEY, one.value))).isInstanceOf(TransientStoreException.class);
    assertThat(errorOf(one.store.list().then())).isInstanceOf(TransientStoreException.class);
    assertThat(one.server.requests()).as("the client repeats nothing").hasSize(3);
  }

  @ParameterizedTest
  @ValueSource(ints = {400, 409, 412, 416, 501})
  void a_status_that_will_not_pass_is_an_error_that_names_the_key(int status) {
    one.server.misbehave(Fault.status(status, null));
    assertThat(errorOf(one.store.get(KEY)))
        .isExactlyInstanceOf(StoreException.class)
        .hasMessageContaining(KEY.value());
  }

  @ParameterizedTest
  @ValueSource(ints = {401, 403})
  void a_refusal_is_no_missing_value(int status) {
    one.server.misbehave(Fault.status(status, null));
    assertThat(errorOf(one.store.get(KEY))).isInstanceOf(AccessDeniedException.class);
    assertThat(errorOf(one.store.get(KEY, new ByteRange.Suffix(0))))
        .isInstanceOf(AccessDeniedException.class);
  }

  @Test
  void a_refusal_is_a_missing_value_where_the_user_says_so() {
    try (OneValue lenient =
        new OneValue(10, settings -> settings(settings).forbiddenIsMissing(true))) {
      lenient.server.misbehave(Fault.status(403, null));
      assertThat(await(lenient.store.get(KEY))).isNull();
      assertThat(await(lenient.store.get(KEY, new ByteRange.Suffix(0)))).isNull();
      assertThat(errorOf(lenient.store.set(KEY, lenient.value)))
          .isInstanceOf(AccessDeniedException.class);
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "bytes 10001-160000/200000",
        "bytes 10000-159998/200000",
        "bytes 0-149999/200000",
        "bytes */200000",
        "nonsense"
      })
  void a_lie_about_the_range_is_an_error(String lie) {
    one.server.misbehave(Fault.contentRange(lie));
    assertThat(errorOf(one.store.get(KEY, RANGE)))
        .isExactlyInstanceOf(StoreException.class)
        .hasMessageContaining("answered");
  }

  @Test
  void the_range_is_cut_out_where_the_server_ignores_ranges() {
    MemoryStore values = MemoryStore.create();
    await(values.set(StoreKey.of("bucket/" + KEY), one.value));
    try (FaultyServer plain = FaultyServer.of(values)) {
      plain.misbehave(Fault.ignoreRange());
      S3Store store = settings(S3Store.at("bucket").endpoint(plain.uri()).anonymous()).open();
      assertThat(await(store.get(KEY, RANGE))).isEqualTo(one.value.slice(10_000, 150_000));
      assertThat(await(store.get(KEY, new ByteRange.Suffix(9))))
          .isEqualTo(one.value.slice(199_991, 9));
      assertThat(await(store.get(StoreKey.of("missing")))).isNull();
      await(store.close());
    }
  }

  @Test
  void a_body_that_is_cut_is_resumed_from_its_last_byte_in_the_same_version() {
    one.server.misbehave(Fault.cutAfter(70_000).times(2));
    assertThat(await(one.store.get(KEY))).isEqualTo(one.value);
    List<ReceivedRequest> asked = one.server.requests();
    assertThat(asked).hasSize(3);
    assertThat(asked.get(1).header("range")).isEqualTo("bytes=70000-199999");
    assertThat(asked.get(1).header("if-match")).startsWith("\"").endsWith("\"");
    assertThat(asked.get(2).header("range")).isEqualTo("bytes=140000-199999");
    one.server.misbehave(Fault.resetAfter(70_000).times(1));
    assertThat(await(one.store.get(KEY, RANGE))).isEqualTo(one.value.slice(10_000, 150_000));
  }

  @Test
  void a_body_that_is_cut_before_its_first_byte_is_asked_for_once_more() {
    one.server.misbehave(Fault.cutAfter(0).times(1));
    assertThat(await(one.store.get(KEY))).isEqualTo(one.value);
    assertThat(one.server.requests()).hasSize(2);
  }

  @Test
  void a_body_that_is_cut_again_and_again_is_transient_and_never_short() {
    one.server.misbehave(Fault.cutAfter(20_000));
    assertThat(errorOf(one.store.get(KEY))).isInstanceOf(TransientStoreException.class);
    assertThat(one.server.requests()).hasSize(4);
  }

  @Test
  void a_body_that_stalls_is_resumed() {
    useStallTimeout(Duration.ofMillis(1200));
    one.server.misbehave(Fault.stallAfter(70_000).times(1));
    assertThat(await(one.store.get(KEY))).isEqualTo(one.value);
    assertThat(one.server.requests()).hasSizeGreaterThan(1);
  }

  @Test
  void silence_is_transient_after_the_stall_timeout_for_everything() {
    useStallTimeout(Duration.ofMillis(1200));
    await(one.store.get(KEY));
    one.server.misbehave(Fault.silence());
    for (var mono :
        List.of(one.store.get(KEY).then(), one.store.erase(KEY), one.store.list().then())) {
      assertThat(errorOf(mono))
          .isInstanceOf(TransientStoreException.class)
          .hasMessageContaining("stall timeout");
    }
    eventually(() -> one.server.underWay() == 0);
    assertThat(errorOf(one.store.set(KEY, one.value)))
        .isInstanceOf(TransientStoreException.class)
        .hasMessageContaining("stall timeout");
  }

  @Test
  void a_body_that_takes_longer_than_the_stall_timeout_is_not_cut_off() {
    useStallTimeout(Duration.ofSeconds(3));
    one.server.misbehave(Fault.bytesPerSecond(50_000));
    assertThat(await(one.store.get(KEY))).isEqualTo(one.value);
    assertThat(one.server.requests()).hasSize(1);
  }

  @Test
  void a_port_without_a_listener_is_a_transient_error() {
    try (KeptPort port = KeptPort.of(0)) {
      URI endpoint = URI.create("http://127.0.0.1:" + port.port());
      S3Store store = settings(S3Store.at("bucket").endpoint(endpoint).anonymous()).open();
      long errors =
          Flux.range(0, 200)
              .flatMap(i -> store.get(KEY).then().materialize(), 16)
              .filter(end -> end.getThrowable() instanceof TransientStoreException)
              .count()
              .block(Duration.ofSeconds(60));
      assertThat(errors).isEqualTo(200);
      await(store.close());
    }
  }

  @Test
  void a_cancelled_request_ends_at_the_server() {
    try (OneValue patient = withStallTimeout(Duration.ofMinutes(10))) {
      for (Fault fault : List.of(Fault.stallAfter(100), Fault.silence())) {
        patient.server.misbehave(fault);
        for (var mono : List.of(patient.store.get(KEY).then(), patient.store.list().then())) {
          Disposable read = mono.subscribe();
          eventually(() -> patient.server.underWay() == 1);
          read.dispose();
          eventually(() -> patient.server.underWay() == 0); // long before the stall timeout
        }
      }
    }
  }

  @Test
  void connections_bound_the_requests_in_flight() {
    try (OneValue few = new OneValue(1000, settings -> settings(settings).connections(3))) {
      few.server.misbehave(Fault.delay(Duration.ofMillis(20)));
      long got =
          Flux.range(0, 60).flatMap(i -> few.store.get(KEY), 60).count().block(OneValue.PATIENCE);
      assertThat(got).isEqualTo(60);
      assertThat(few.server.mostUnderWay()).isEqualTo(3);
    }
  }

  /** Long before the stall timeout. */
  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void a_connection_that_closes_in_the_middle_of_a_body_is_noticed_at_once(boolean reset) {
    try (OneValue patient = withStallTimeout(Duration.ofMinutes(10))) {
      Fault cut = reset ? Fault.resetAfter(70_000) : Fault.cutAfter(70_000);
      patient.server.misbehave(cut.times(2));
      assertThat(patient.store.get(KEY).block(OneValue.PATIENCE)).isEqualTo(patient.value);
    }
  }

  @Test
  void the_store_works_on_after_cancels_at_any_moment() {
    for (Fault fault :
        List.of(Fault.NONE, Fault.delay(Duration.ofMillis(10)), Fault.stallAfter(70_000))) {
      one.server.misbehave(fault);
      for (int millis : new int[] {0, 1, 3, 8, 20}) {
        Flux.range(0, 30)
            .flatMap(i -> one.store.get(KEY).onErrorComplete(), 30)
            .then()
            .timeout(Duration.ofMillis(millis))
            .onErrorComplete()
            .block(OneValue.PATIENCE);
      }
    }
    eventually(() -> one.server.underWay() == 0);
    one.server.misbehave(Fault.NONE);
    assertThat(await(one.store.get(KEY))).isEqualTo(one.value);
  }

  @Test
  void a_concurrent_write_is_a_condition_that_does_not_hold() {
    one.server.misbehave(Fault.status(409, null));
    assertThat(errorOf(one.store.set(KEY, one.value, Precondition.ABSENT)))
        .isInstanceOf(PreconditionFailedException.class);
    assertThat(errorOf(one.store.set(KEY, one.value, Precondition.matches(new Version("\"abc\"")))))
        .isInstanceOf(PreconditionFailedException.class);
  }
}
