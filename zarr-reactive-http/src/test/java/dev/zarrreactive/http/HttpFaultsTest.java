package dev.zarrreactive.http;

import static dev.zarrreactive.http.Served.KEY;
import static dev.zarrreactive.testing.Waiting.await;
import static dev.zarrreactive.testing.Waiting.errorOf;
import static org.assertj.core.api.Assertions.assertThat;

import dev.zarrreactive.base.ByteRange;
import dev.zarrreactive.error.AccessDeniedException;
import dev.zarrreactive.error.StoreException;
import dev.zarrreactive.error.TransientStoreException;
import dev.zarrreactive.faults.NoLeaks;
import dev.zarrreactive.faults.server.Fault;
import dev.zarrreactive.faults.server.ReceivedRequest;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The outcome of each fault of a server. */
@ExtendWith(NoLeaks.class)
class HttpFaultsTest {
  private static final int SIZE = 100_000;
  private static final ByteRange RANGE = new ByteRange.Slice(10_000, 50_000);

  private Served served;

  private void serve(boolean http2) {
    serve(http2, Duration.ofMinutes(1));
  }

  private void serve(boolean http2, Duration stallTimeout) {
    served = new Served(SIZE, http2, settings -> settings.stallTimeout(stallTimeout));
  }

  @AfterEach
  void close() {
    served.close();
  }

  @ParameterizedTest
  @CsvSource({
    "408, false",
    "425, false",
    "429, true",
    "500, false",
    "502, true",
    "503, true",
    "503, false",
    "504, false"
  })
  void a_status_that_may_pass_is_a_transient_error_with_the_delay_of_the_server(
      int status, boolean http2) {
    serve(http2);
    served.server.misbehave(Fault.status(status, "7"));
    assertThat(errorOf(served.store.get(KEY, RANGE)))
        .isInstanceOfSatisfying(
            TransientStoreException.class,
            error -> {
              assertThat(error.retryAfter()).isEqualTo(Duration.ofSeconds(7));
              assertThat(error).hasMessageContaining(KEY.value()).hasMessageContaining("" + status);
            });
  }

  @Test
  void retry_after_may_be_a_date() {
    serve(false);
    Instant then = Instant.now().plusSeconds(1000);
    String date = DateTimeFormatter.RFC_1123_DATE_TIME.format(then.atOffset(ZoneOffset.UTC));
    served.server.misbehave(Fault.status(503, date));
    assertThat(errorOf(served.store.get(KEY)))
        .isInstanceOfSatisfying(
            TransientStoreException.class,
            error ->
                assertThat(error.retryAfter())
                    .isBetween(Duration.ofSeconds(900), Duration.ofSeconds(1000)));
  }

  @ParameterizedTest
  @ValueSource(ints = {204, 400, 402, 405, 409, 412, 416, 451, 501, 505})
  void a_status_that_will_not_pass_is_an_error_that_names_key_and_status(int status) {
    serve(false);
    served.server.misbehave(Fault.status(status, null));
    assertThat(errorOf(served.store.get(KEY)))
        .isExactlyInstanceOf(StoreException.class)
        .hasMessageContaining(KEY.value());
  }

  @ParameterizedTest
  @ValueSource(ints = {401, 403})
  void a_refusal_is_no_missing_value(int status) {
    serve(false);
    served.server.misbehave(Fault.status(status, null));
    assertThat(errorOf(served.store.get(KEY))).isInstanceOf(AccessDeniedException.class);
    assertThat(errorOf(served.store.get(KEY, RANGE))).isInstanceOf(AccessDeniedException.class);
  }

  @ParameterizedTest
  @ValueSource(ints = {401, 403})
  void a_refusal_is_a_missing_value_where_the_user_says_so(int status) {
    served = new Served(SIZE, false, settings -> settings.forbiddenIsMissing(true));
    served.server.misbehave(Fault.status(status, null));
    assertThat(await(served.store.get(KEY))).isNull();
    assertThat(await(served.store.get(KEY, RANGE))).isNull();
  }

  @ParameterizedTest
  @ValueSource(ints = {404, 410})
  void a_value_that_does_not_exist_is_missing(int status) {
    serve(false);
    served.server.misbehave(Fault.status(status, null));
    assertThat(await(served.store.get(KEY))).isNull();
    assertThat(await(served.store.get(KEY, RANGE))).isNull();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "bytes 10001-60000/100000",
        "bytes 10000-60000/100000",
        "bytes 10000-59998/100000",
        "bytes 0-49999/100000",
        "bytes 59999-10000/100000",
        "bytes 10000-59999/50",
        "bytes */100000",
        "pages 10000-59999/100000",
        "bytes 99999999999999999999-99999999999999999999/99999999999999999999",
        "nonsense"
      })
  void a_lie_about_the_range_is_an_error(String lie) {
    serve(false);
    served.server.misbehave(Fault.contentRange(lie));
    assertThat(errorOf(served.store.get(KEY, RANGE)))
        .isExactlyInstanceOf(StoreException.class)
        .hasMessageContaining(KEY.value())
        .hasMessageContaining("answered");
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void another_range_of_the_same_length_is_an_error(boolean http2) {
    serve(http2);
    served.server.misbehave(Fault.contentRange("bytes 10001-60000/100000"));
    assertThat(errorOf(served.store.get(KEY, RANGE)))
        .isExactlyInstanceOf(StoreException.class)
        .hasMessageContaining("wanted bytes 10000 to 60000");
  }

  @Test
  void a_suffix_that_does_not_reach_the_end_is_an_error() {
    serve(false);
    served.server.misbehave(Fault.contentRange("bytes 99990-99998/100000"));
    assertThat(errorOf(served.store.get(KEY, new ByteRange.Suffix(9))))
        .isExactlyInstanceOf(StoreException.class);
    served.server.misbehave(Fault.contentRange("bytes 99991-99999/*"));
    assertThat(errorOf(served.store.get(KEY, new ByteRange.Suffix(9))))
        .isExactlyInstanceOf(StoreException.class);
  }

  @Test
  void a_part_without_a_range_and_an_unrequested_range_are_errors() {
    serve(false);
    served.server.misbehave(Fault.contentRange(null));
    assertThat(errorOf(served.store.get(KEY, RANGE)))
        .isExactlyInstanceOf(StoreException.class)
        .hasMessageContaining("206 without Content-Range");
    served.server.misbehave(
        (asked, behaviour) ->
            behaviour.withInstead(
                new dev.zarrreactive.faults.server.ServerResponse(
                        206, java.util.Map.of(), served.value)
                    .with("content-range", "bytes 0-99999/100000")));
    assertThat(errorOf(served.store.get(KEY))).isExactlyInstanceOf(StoreException.class);
  }

  @Test
  void an_unknown_coding_of_a_body_is_refused() {
    serve(false);
    served.server.misbehave(Fault.header("content-encoding", "br"));
    for (var read : List.of(served.store.get(KEY), served.store.get(KEY, RANGE))) {
      assertThat(errorOf(read))
          .isExactlyInstanceOf(StoreException.class)
          .hasMessageContaining("br")
          .hasMessageContaining(KEY.value());
    }
    assertThat(served.server.requests())
        .allMatch(asked -> "identity".equals(asked.header("accept-encoding")));
  }

  @Test
  void a_length_that_no_body_can_have_costs_nothing() {
    serve(false);
    served.server.misbehave(Fault.header("content-length", "999999999999"));
    assertThat(errorOf(served.store.get(KEY)))
        .isExactlyInstanceOf(StoreException.class)
        .hasMessageContaining("does not fit");
    served.server.misbehave(Fault.header("content-length", "2000000000").and(Fault.cutAfter(1000)));
    assertThat(errorOf(served.store.get(KEY))).isInstanceOf(StoreException.class);
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void a_body_that_is_cut_goes_on_where_it_broke_off(boolean http2) {
    serve(http2);
    served.server.misbehave(Fault.cutAfter(20_000).times(3));
    assertThat(await(served.store.get(KEY))).isEqualTo(served.value);
    List<ReceivedRequest> requests = served.server.requests();
    assertThat(requests).hasSize(4);
    assertThat(requests.get(1).header("if-range")).isNotNull();
    assertThat(served.server.sentBytes()).isBetween((long) SIZE, SIZE + 3 * 8192L * 4);
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void a_range_that_is_cut_goes_on_where_it_broke_off(boolean http2) {
    serve(http2);
    served.server.misbehave(Fault.cutAfter(30_000).times(1));
    assertThat(await(served.store.get(KEY, RANGE))).isEqualTo(served.value.slice(10_000, 50_000));
    assertThat(served.server.requests().get(1).header("range")).endsWith("-59999");
  }

  @Test
  void a_suffix_and_a_range_to_the_end_go_on_as_well() {
    serve(false);
    served.server.misbehave(Fault.cutAfter(30_000).times(1));
    assertThat(await(served.store.get(KEY, new ByteRange.Suffix(60_000))))
        .isEqualTo(served.value.slice(40_000, 60_000));
    served.server.misbehave(Fault.resetAfter(16_384).times(1));
    assertThat(await(served.store.get(KEY, new ByteRange.From(40_000))))
        .isEqualTo(served.value.slice(40_000, 60_000));
  }

  @Test
  void a_body_goes_on_also_where_the_server_ignores_ranges() {
    serve(false);
    served.server.misbehave(Fault.ignoreRange().and(Fault.cutAfter(60_000).times(1)));
    assertThat(await(served.store.get(KEY, RANGE))).isEqualTo(served.value.slice(10_000, 50_000));
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void two_versions_are_never_mixed(boolean http2) {
    serve(http2);
    served.server.misbehave(Fault.changingTags().and(Fault.cutAfter(50_000).times(1)));
    assertThat(errorOf(served.store.get(KEY)))
        .isInstanceOf(TransientStoreException.class)
        .hasMessageContaining("changed while it was read");
  }

  @ParameterizedTest
  @ValueSource(strings = {"W/\"weak\"", ""})
  void without_a_strong_tag_a_cut_is_an_error(String tag) {
    serve(false);
    served.server.misbehave(
        Fault.header("etag", tag.isEmpty() ? null : tag).and(Fault.cutAfter(50_000).times(1)));
    assertThat(errorOf(served.store.get(KEY))).isInstanceOf(TransientStoreException.class);
    assertThat(served.server.requests()).hasSize(1);
  }

  @Test
  void a_body_that_is_cut_time_and_again_is_an_error_in_the_end() {
    serve(false);
    served.server.misbehave(Fault.cutAfter(10_000));
    assertThat(errorOf(served.store.get(KEY))).isInstanceOf(TransientStoreException.class);
    assertThat(served.server.requests()).hasSize(4);
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void a_body_that_is_cut_before_its_first_byte_is_asked_for_once_more(boolean http2) {
    serve(http2);
    served.server.misbehave(Fault.cutAfter(0).times(1));
    assertThat(await(served.store.get(KEY))).isEqualTo(served.value);
    assertThat(served.server.requests()).hasSize(2);
    served.server.forget();
    served.server.misbehave(Fault.cutAfter(0));
    assertThat(errorOf(served.store.get(KEY))).isInstanceOf(TransientStoreException.class);
    assertThat(served.server.requests()).hasSize(2);
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void a_reset_is_transient(boolean http2) {
    serve(http2);
    served.server.misbehave(Fault.reset());
    assertThat(errorOf(served.store.get(KEY))).isInstanceOf(TransientStoreException.class);
    served.server.misbehave(Fault.NONE);
    assertThat(await(served.store.get(KEY))).isEqualTo(served.value);
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void a_request_without_an_answer_is_given_up(boolean http2) {
    serve(http2, Duration.ofMillis(400));
    served.server.misbehave(Fault.silence());
    assertThat(errorOf(served.store.get(KEY)))
        .isInstanceOf(TransientStoreException.class)
        .hasMessageContaining("stall timeout");
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void a_body_that_stops_coming_goes_on_in_another_request(boolean http2) {
    serve(http2, Duration.ofSeconds(1));
    served.server.misbehave(Fault.stallAfter(50_000).times(1));
    assertThat(await(served.store.get(KEY))).isEqualTo(served.value);
    assertThat(served.server.requests()).hasSizeGreaterThan(1);
  }

  @Test
  void a_body_that_takes_longer_than_the_stall_timeout_is_no_stall() {
    serve(false, Duration.ofSeconds(3));
    served.server.misbehave(Fault.bytesPerSecond(25_000));
    assertThat(await(served.store.get(KEY))).isEqualTo(served.value);
    assertThat(served.server.requests()).hasSize(1);
  }

  @Test
  void a_range_of_a_server_without_ranges_does_not_wait_for_the_rest() {
    served = new Served(30_000_000, false);
    served.server.misbehave(Fault.ignoreRange());
    assertThat(await(served.store.get(KEY, RANGE))).isEqualTo(served.value.slice(10_000, 50_000));
    assertThat(served.server.sentBytes()).isLessThan(20_000_000);
  }

  @Test
  void a_port_without_a_listener_is_a_transient_error() {
    serve(false);
    served.server.stop();
    assertThat(errorOf(served.store.get(KEY)))
        .isInstanceOf(TransientStoreException.class)
        .hasMessageContaining(KEY.value());
    served.server.restart();
    assertThat(await(served.store.get(KEY))).isEqualTo(served.value);
  }

  @Test
  void a_server_that_refuses_suffixes_is_asked_for_the_size_at_once_from_then_on() {
    serve(false);
    served.server.misbehave(
        Fault.status(400, null)
            .where(asked -> String.valueOf(asked.header("range")).startsWith("bytes=-")));
    ByteRange tail = new ByteRange.Suffix(100);
    assertThat(await(served.store.get(KEY, tail))).isEqualTo(served.value.slice(99_900, 100));
    served.server.forget();
    assertThat(await(served.store.get(KEY, tail))).isEqualTo(served.value.slice(99_900, 100));
    assertThat(served.server.requests())
        .extracting(ReceivedRequest::method)
        .containsExactly("HEAD", "GET");
  }

  @Test
  void a_value_that_changes_between_its_size_and_its_end_is_transient() {
    serve(false);
    served.server.misbehave(
        Fault.status(400, null)
            .where(asked -> String.valueOf(asked.header("range")).startsWith("bytes=-"))
            .and(Fault.changingTags()));
    assertThat(errorOf(served.store.get(KEY, new ByteRange.Suffix(100))))
        .isInstanceOf(TransientStoreException.class);
  }
}
