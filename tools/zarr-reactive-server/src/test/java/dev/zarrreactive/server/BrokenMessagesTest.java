package dev.zarrreactive.server;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Requests that a server in front may read in another way, each with another one behind it. */
class BrokenMessagesTest {
  private static Serving serving;

  @BeforeAll
  static void serve() {
    serving = new Serving();
    serving.put(Serving.KEY, 10);
  }

  @AfterAll
  static void stop() {
    serving.close();
  }

  private static String answers(String request) throws Exception {
    try (RawConnection client = new RawConnection(serving.server.port())) {
      String bytes = request.replace("~", "\r\n");
      client.send(bytes.getBytes(StandardCharsets.ISO_8859_1));
      return new String(client.toEnd(), StandardCharsets.ISO_8859_1);
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "GET /a/c/0 HTTP/1.1~~",
        "GET /a/c/0 HTTP/1.1~Host: a~Host: b~~",
        "GET /a/c/0 HTTP/1.1~Host: a~Host: a~~",
        "GET /a/c/0 HTTP/1.0~Host: a~Host: b~~",
        "GET /a/c/0 HTTP/1.1~Host: a b~~",
        "GET /a/c/0 HTTP/1.1~Host: u@a~~",
        "GET /a/c/0 HTTP/1.1~Host: a/b~~",
        "GET /a/c/0 HTTP/9.9~Host: a~~",
        "GET /a/c/0 HTTP/1.2~Host: a~~",
        "GET /a/c/0 HTTP/0.9~Host: a~~",
        "GET /a/c/0 HTTP/2.0~Host: a~~",
        "GET /a/c/0 HTTP/1.1~Host: a~Transfer-Encoding: identity~~",
        "GET /a/c/0 HTTP/1.1~Host: a~Transfer-Encoding: xchunked~~",
        "GET /a/c/0 HTTP/1.1~Host: a~Transfer-Encoding: gzip, chunked~~0~~",
        "GET /a/c/0 HTTP/1.1~Host: a~Transfer-Encoding: chunked, identity~~0~~",
        "GET /a/c/0 HTTP/1.1~Host: a~Transfer-Encoding: chunked, chunked~~0~~",
        "GET /a/c/0 HTTP/1.1~Host: a~Transfer-Encoding: chunked~Transfer-Encoding: identity~~0~~",
        "GET /a/c/0 HTTP/1.1~Host: a~Transfer-Encoding: identity~Transfer-Encoding: chunked~~0~~",
        "GET /a/c/0 HTTP/1.1~Host: a~Transfer-Encoding: chunked~Transfer-Encoding: chunked~~0~~",
        "GET /a/c/0 HTTP/1.1~Host: a~Transfer-Encoding: ~~",
        "GET /a/c/0 HTTP/1.1~Host: a~Transfer-Encoding: \"chunked\"~~",
        "GET /a/c/0 HTTP/1.1~Host: a~Content-Length: 0~Transfer-Encoding: chunked~~0~~",
        "GET /a/c/0 HTTP/1.1~Host: a~Content-Length: 0~Content-Length: 5~~",
        "POST /a/c/0 HTTP/1.1~Host: a~Transfer-Encoding: xchunked~~",
        "OPTIONS * HTTP/1.1~~",
      })
  void a_broken_message_is_refused_and_nothing_behind_it_is_answered(String request)
      throws Exception {
    String answers = answers(request + "GET /a/c/0 HTTP/1.1~Host: a~Connection: close~~");
    assertThat(answers).startsWith("HTTP/1.1 400 ");
    assertThat(answers.split("HTTP/1\\.[01] [0-9]", -1)).as(answers).hasSize(2);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "GET /a/c/0 HTTP/1.1~Host: a~~",
        "GET /a/c/0 HTTP/1.1~Host: [::1]:8080~~",
        "GET /a/c/0 HTTP/1.1~Host:~~",
        "GET /a/c/0 HTTP/1.1~Host: a~Transfer-Encoding: chunked~~0~~",
        "GET /a/c/0 HTTP/1.1~Host: a~Transfer-Encoding: Chunked ~~0~~",
      })
  void another_message_is_answered_and_so_is_the_one_behind_it(String request) throws Exception {
    String answers = answers(request + "GET /a/c/0 HTTP/1.1~Host: a~Connection: close~~");
    assertThat(answers.split("HTTP/1\\.[01] 200 ", -1)).as(answers).hasSize(3);
  }

  @Test
  void an_old_client_need_not_name_a_host() throws Exception {
    assertThat(answers("GET /a/c/0 HTTP/1.0~~")).startsWith("HTTP/1.0 200 ");
  }

  @Test
  void the_answer_says_what_is_broken() throws Exception {
    assertThat(answers("GET /a/c/0 HTTP/1.1~~")).contains("one Host, and this one has none");
    assertThat(answers("GET / HTTP/9.9~Host: a~~")).contains("HTTP/2, not HTTP/9.9");
    assertThat(answers("GET / HTTP/1.1~Host: a~Transfer-Encoding: gzip, chunked~~0~~"))
        .contains("not [gzip, chunked]");
  }
}
