package dev.zarrreactive.http;

import static dev.zarrreactive.faults.server.LyingServer.bytes;
import static dev.zarrreactive.faults.server.LyingServer.ok;
import static dev.zarrreactive.http.HttpCancelTest.eventually;
import static dev.zarrreactive.testing.Waiting.await;
import static dev.zarrreactive.testing.Waiting.errorOf;
import static org.assertj.core.api.Assertions.assertThat;

import dev.zarrreactive.base.ByteRange;
import dev.zarrreactive.base.Bytes;
import dev.zarrreactive.base.StoreKey;
import dev.zarrreactive.error.StoreException;
import dev.zarrreactive.error.TransientStoreException;
import dev.zarrreactive.error.ValueTooLargeException;
import dev.zarrreactive.faults.server.LyingServer;
import java.time.Duration;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A server that breaks the protocol of HTTP/1.1, or makes use of all that it allows. */
class LyingServerTest {
  private static final StoreKey KEY = StoreKey.of("c/0");

  private static void on(
      LyingServer.Script script,
      UnaryOperator<HttpStoreBuilder> settings,
      java.util.function.BiConsumer<LyingServer, HttpStore> test) {
    try (LyingServer server = LyingServer.of(script)) {
      HttpStore store = settings.apply(HttpStore.at(server.uri()).connections(1)).open();
      test.accept(server, store);
      await(store.close());
    }
  }

  private static void on(
      LyingServer.Script script, java.util.function.BiConsumer<LyingServer, HttpStore> test) {
    on(script, UnaryOperator.identity(), test);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "HTTP/1.1 102 Processing\r\n\r\n",
        "HTTP/1.1 103 Early Hints\r\nLink: </style.css>; rel=preload\r\n\r\n",
        "HTTP/1.1 100 Continue\r\n\r\n",
        "HTTP/1.1 102 Processing\r\n\r\nHTTP/1.1 103 Early Hints\r\nLink: <x>\r\n\r\n",
        "HTTP/1.1 199 Something New\r\nX: y\r\n\r\n"
      })
  void interim_answers_are_no_answers(String interim) {
    on(
        (asked, out) -> {
          out.write(bytes(interim));
          out.flush();
          if (asked.number() % 2 == 0) {
            Thread.sleep(20); // as a packet of its own, and together with the answer
          }
          out.write(ok("value " + asked.number()));
        },
        (server, store) -> {
          for (int i = 0; i < 4; i++) {
            assertThat(await(store.get(KEY))).isEqualTo(Bytes.utf8("value " + i));
          }
          assertThat(server.accepted()).isEqualTo(1);
        });
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "HTTP/1.1 200 OK\r\nContent-Length: 7\r\n\r\nfound 3",
        "HTTP/1.1 200 OK\r\nContent-Le",
        "x",
        "\r\n",
        "HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\n\r\n"
      })
  void bytes_behind_a_body_are_no_answer_to_the_next_request(String extra) {
    on(
        (asked, out) -> {
          out.write(bytes(text(ok("value " + asked.number())) + extra));
        },
        (server, store) -> {
          for (int i = 0; i < 50; i++) {
            assertThat(await(store.get(KEY))).isEqualTo(Bytes.utf8("value " + i));
          }
        });
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void bytes_that_come_together_with_a_body_are_no_answer_to_a_request_that_waits(boolean chunked) {
    on(
        (asked, out) -> {
          String body = "value " + asked.path().substring(2);
          byte[] answer =
              chunked
                  ? bytes(
                      "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n"
                          + Integer.toHexString(body.length())
                          + "\r\n"
                          + body
                          + "\r\n0\r\n\r\n")
                  : ok(body);
          byte[] extra = ok("lies " + asked.path());
          byte[] both = new byte[answer.length + extra.length];
          System.arraycopy(answer, 0, both, 0, answer.length);
          System.arraycopy(extra, 0, both, answer.length, extra.length);
          out.write(both);
        },
        (server, store) ->
            assertThat(
                    reactor.core.publisher.Flux.range(0, 100)
                        .flatMap(
                            i ->
                                store
                                    .get(StoreKey.of("c/" + i))
                                    .map(value -> i + " " + text(value)),
                            16)
                        .collectList()
                        .block(Duration.ofMinutes(1)))
                .allSatisfy(
                    read -> {
                      String number = read.substring(0, read.indexOf(' '));
                      assertThat(read).isEqualTo(number + " value " + number);
                    }));
  }

  @Test
  void bytes_that_come_later_close_the_connection() {
    on(
        (asked, out) -> {
          out.write(ok("value " + asked.number()));
          out.flush();
          Thread.sleep(50);
          out.write(ok("lies"));
        },
        (server, store) -> {
          for (int i = 0; i < 3; i++) {
            assertThat(await(store.get(KEY))).isEqualTo(Bytes.utf8("value " + i));
            eventually(() -> server.connections() == 0);
          }
        });
  }

  private static String text(byte[] bytes) {
    return new String(bytes, java.nio.charset.StandardCharsets.ISO_8859_1);
  }

  private static String text(Bytes value) {
    return new String(value.toByteArray(), java.nio.charset.StandardCharsets.UTF_8);
  }

  @Test
  void a_chunked_answer_in_small_parts_keeps_its_connection() {
    on(
        (asked, out) -> {
          byte[] answer =
              bytes(
                  "HTTP/1.1 200 OK\r\n"
                      + "Transfer-Encoding: chunked\r\n"
                      + "Trailer: X\r\n\r\n"
                      + "3\r\n"
                      + "abc\r\n"
                      + "0\r\n"
                      + "X: y\r\n\r\n");
          for (byte each : answer) {
            out.write(each);
            out.flush();
          }
        },
        (server, store) -> {
          for (int i = 0; i < 3; i++) {
            assertThat(await(store.get(KEY))).isEqualTo(Bytes.utf8("abc"));
          }
        });
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "X-A: b\r\n"})
  void a_body_that_goes_on_too_slowly_is_given_up(String headers) {
    on(
        (asked, out) -> {
          out.write(bytes("HTTP/1.1 200 OK\r\n" + headers + "Content-Length: 100000000\r\n\r\n"));
          while (true) {
            out.write('x');
            out.flush();
            Thread.sleep(10);
          }
        },
        settings -> settings.stallTimeout(Duration.ofMillis(500)).resumes(0),
        (server, store) -> {
          assertThat(errorOf(store.get(KEY)))
              .isInstanceOf(TransientStoreException.class)
              .hasMessageContaining("stall timeout");
          eventually(() -> server.connections() == 0);
        });
  }

  @Test
  void a_slow_answer_that_ends_is_no_failure_where_any_speed_will_do() {
    on(
        (asked, out) -> {
          for (byte each : ok("slowly")) {
            out.write(each);
            out.flush();
            Thread.sleep(5);
          }
        },
        settings -> settings.leastSpeed(0),
        (server, store) -> assertThat(await(store.get(KEY))).isEqualTo(Bytes.utf8("slowly")));
  }

  @Test
  void headers_may_have_64_kib_together_by_default_and_more_where_the_user_says_so() {
    LyingServer.Script large =
        (asked, out) -> {
          StringBuilder headers = new StringBuilder("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n");
          for (int i = 0; i < Integer.parseInt(asked.path()); i++) {
            headers.append("X-").append(i).append(": ").append("h".repeat(1000)).append("\r\n");
          }
          out.write(bytes(headers.append("\r\nok").toString()));
        };
    on(
        large,
        (server, store) -> {
          assertThat(await(store.get(StoreKey.of("60")))).isEqualTo(Bytes.utf8("ok"));
          assertThat(errorOf(store.get(StoreKey.of("70"))))
              .isInstanceOf(StoreException.class)
              .isNotInstanceOf(TransientStoreException.class)
              .hasMessageContaining("65536");
        });
    on(
        large,
        settings -> settings.maxHeaderSize(1 << 20),
        (server, store) ->
            assertThat(await(store.get(StoreKey.of("500")))).isEqualTo(Bytes.utf8("ok")));
  }

  @Test
  void a_declared_length_beyond_the_bound_is_refused_before_the_body() {
    on(
        (asked, out) -> {
          out.write(bytes("HTTP/1.1 200 OK\r\nContent-Length: 1900000000\r\n\r\n"));
          while (true) {
            out.flush();
            Thread.sleep(20);
            out.write('x');
          }
        },
        (server, store) -> {
          assertThat(errorOf(store.get(KEY, ByteRange.whole(1000))))
              .isInstanceOf(ValueTooLargeException.class)
              .hasMessageContaining("1900000000 bytes");
          eventually(() -> server.connections() == 0);
        });
  }

  @Test
  void a_chunked_body_without_end_is_refused_at_the_bound() {
    on(
        (asked, out) -> {
          out.write(bytes("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n"));
          while (true) {
            out.write(bytes("400\r\n" + "x".repeat(1024) + "\r\n"));
          }
        },
        (server, store) -> {
          assertThat(errorOf(store.get(KEY, ByteRange.whole(1_000_000))))
              .isInstanceOf(ValueTooLargeException.class)
              .hasMessageContaining("more than 1000000 bytes");
          assertThat(errorOf(store.get(KEY, new ByteRange.Slice(0, 100)))).isNull();
          eventually(() -> server.connections() == 0);
        });
  }

  @Test
  void a_port_of_one_digit_is_a_port() {
    HttpStore store = HttpStore.open(java.net.URI.create("http://127.0.0.1:1/a"));
    assertThat(errorOf(store.get(KEY)))
        .isInstanceOf(TransientStoreException.class)
        .hasMessageContaining("connection refused")
        .hasMessageNotContaining("finishConnect");
    await(store.close());
  }

  @Test
  void a_request_names_the_library_unless_the_user_names_another_agent() {
    LyingServer.Script agent = (asked, out) -> out.write(ok(asked.header("user-agent")));
    on(
        agent,
        (server, store) -> assertThat(text(await(store.get(KEY)))).startsWith("zarr-reactive/"));
    on(
        agent,
        settings -> settings.header("User-Agent", "mine/1"),
        (server, store) -> assertThat(text(await(store.get(KEY)))).isEqualTo("mine/1"));
  }
}
