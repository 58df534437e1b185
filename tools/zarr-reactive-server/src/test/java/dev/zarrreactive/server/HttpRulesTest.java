package dev.zarrreactive.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.zarrreactive.base.Bytes;
import java.net.http.HttpResponse;
import java.util.Arrays;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The rules of RFC 9110, for a value of one read and one of several. */
class HttpRulesTest {
  private static final int SMALL = 1000;
  private static final int LARGE = 3 * Serving.MOST + 17;
  private static Serving serving;
  private static Bytes small;
  private static Bytes large;

  @BeforeAll
  static void serve() {
    serving = new Serving();
    small = serving.put(Serving.KEY, SMALL);
    large = serving.put(dev.zarrreactive.base.StoreKey.of("large"), LARGE);
    serving.put(dev.zarrreactive.base.StoreKey.of("empty"), 0);
  }

  @AfterAll
  static void stop() {
    serving.close();
  }

  private static String tag(String path) {
    return serving.send("HEAD", path).headers().firstValue("etag").orElseThrow();
  }

  /**
   * The rule's number is that of the section of the RFC.
   *
   * @param headers with {@code TAG} for the ETag of the value, {@code WEAK} for its weak form
   * @param range offset and end of the body; {@code all}, or {@code none}
   */
  @ParameterizedTest(name = "{0}: {1} {2} -> {3}")
  @CsvSource(
      delimiter = '|',
      value = {
        "9.3.1 a value              | GET  |                                  | 200 | all",
        "9.3.2 head                 | HEAD |                                  | 200 | none",
        "9.3.2 head has no ranges   | HEAD | Range: bytes=0-9                 | 200 | none",
        "14.2 first to last         | GET  | Range: bytes=10-19               | 206 | 10-20",
        "14.2 first byte            | GET  | Range: bytes=0-0                 | 206 | 0-1",
        "14.2 beyond the end        | GET  | Range: bytes=990-99999999        | 206 | 990-END",
        "14.2 far beyond the end    | GET  | Range: bytes=1-99999999999999999999 | 206 | 1-END",
        "14.2 from                  | GET  | Range: bytes=600-                | 206 | 600-END",
        "14.2 all of it             | GET  | Range: bytes=0-                  | 206 | 0-END",
        "14.2 suffix                | GET  | Range: bytes=-7                  | 206 | LAST-7",
        "14.2 long suffix           | GET  | Range: bytes=-99999999999999999999 | 206 | 0-END",
        "14.2 the unit has any case | GET  | Range: Bytes=10-19               | 206 | 10-20",
        "14.2 empty elements        | GET  | Range: bytes=,10-19,             | 206 | 10-20",
        "14.2 behind the end        | GET  | Range: bytes=99999999-           | 416 | none",
        "14.2 far behind the end    | GET  | Range: bytes=99999999999999999999- | 416 | none",
        "14.2 an empty suffix       | GET  | Range: bytes=-0                  | 416 | none",
        "14.2 several: ignored      | GET  | Range: bytes=0-1,5-6             | 200 | all",
        "14.2 last before first     | GET  | Range: bytes=9-5                 | 200 | all",
        "14.2 other unit            | GET  | Range: items=0-5                 | 200 | all",
        "14.2 no range              | GET  | Range: bytes=-                   | 200 | all",
        "14.2 no number             | GET  | Range: bytes=a-b                 | 200 | all",
        "13.1.1 if-match            | GET  | If-Match: TAG                    | 200 | all",
        "13.1.1 if-match any        | GET  | If-Match: *                      | 200 | all",
        "13.1.1 if-match in list    | GET  | If-Match: \"x,y\", TAG           | 200 | all",
        "13.1.1 if-match other      | GET  | If-Match: \"x\"                  | 412 | none",
        "13.1.1 if-match weak       | GET  | If-Match: WEAK                   | 412 | none",
        "13.1.1 if-match on head    | HEAD | If-Match: \"x\"                  | 412 | none",
        "13.1.2 if-none-match       | GET  | If-None-Match: TAG               | 304 | none",
        "13.1.2 if-none-match weak  | GET  | If-None-Match: WEAK              | 304 | none",
        "13.1.2 if-none-match list  | GET  | If-None-Match: \"x\", TAG        | 304 | none",
        "13.1.2 if-none-match any   | GET  | If-None-Match: *                 | 304 | none",
        "13.1.2 if-none-match other | GET  | If-None-Match: \"x\"             | 200 | all",
        "13.1.2 on head             | HEAD | If-None-Match: TAG               | 304 | none",
        "13.1.3 dates are ignored   | GET  | If-Modified-Since: Sat, 29 Oct 2094 19:43:31 GMT | 200 | all",
        "13.1.5 if-range            | GET  | Range: bytes=10-19; If-Range: TAG | 206 | 10-20",
        "13.1.5 if-range other      | GET  | Range: bytes=10-19; If-Range: \"x\" | 200 | all",
        "13.1.5 if-range weak       | GET  | Range: bytes=10-19; If-Range: WEAK | 200 | all",
        "13.1.5 if-range date       | GET  | Range: bytes=10-19; If-Range: Sat, 29 Oct 1994 19:43:31 GMT | 200 | all",
        "13.2.2 if-match first      | GET  | If-Match: \"x\"; If-None-Match: TAG | 412 | none",
        "13.2.2 conditions first    | GET  | If-None-Match: TAG; Range: bytes=0-9 | 304 | none",
        "13.2.2 match, then range   | GET  | If-Match: TAG; Range: bytes=0-9  | 206 | 0-10",
      })
  void a_rule_holds(String rule, String method, String headers, int status, String range) {
    for (String path : new String[] {"/a/c/0", "/large"}) {
      Bytes value = path.equals("/large") ? large : small;
      int size = value.size();
      String tag = tag(path);
      String[] set =
          headers == null
              ? new String[0]
              : Arrays.stream(headers.split("; "))
                  .flatMap(header -> Arrays.stream(header.split(": ", 2)))
                  .map(text -> text.replace("TAG", tag).replace("WEAK", "W/" + tag))
                  .toArray(String[]::new);
      HttpResponse<byte[]> answer = serving.send(method, path, set);
      assertThat(answer.statusCode()).as(path).isEqualTo(status);
      if (status == 200 || status == 206 || status == 304) {
        assertThat(answer.headers().firstValue("etag")).hasValue(tag);
      }
      if (status == 416) {
        assertThat(answer.headers().firstValue("content-range")).hasValue("bytes */" + size);
      } else if (method.equals("HEAD") && status == 200) {
        assertThat(answer.headers().firstValueAsLong("content-length")).hasValue(size);
        assertThat(answer.body()).isEmpty();
      } else if (!range.equals("none")) {
        String[] ends = range.equals("all") ? new String[] {"0", "END"} : range.split("-");
        boolean isLast = ends[0].equals("LAST");
        int end = isLast || ends[1].equals("END") ? size : Integer.parseInt(ends[1]);
        int offset = isLast ? size - Integer.parseInt(ends[1]) : Integer.parseInt(ends[0]);
        assertThat(answer.body()).isEqualTo(value.slice(offset, end - offset).toByteArray());
        assertThat(answer.headers().firstValueAsLong("content-length")).hasValue(end - offset);
        assertThat(answer.headers().firstValue("content-range").orElse("-"))
            .isEqualTo(status == 206 ? "bytes " + offset + "-" + (end - 1) + "/" + size : "-");
        assertThat(answer.headers().firstValue("accept-ranges")).hasValue("bytes");
      }
    }
  }

  @ParameterizedTest
  @CsvSource({"'', 200", "bytes=0-, 416", "bytes=-5, 416"})
  void an_empty_value_has_no_range(String range, int status) {
    HttpResponse<byte[]> answer =
        range.isEmpty() ? serving.get("/empty") : serving.get("/empty", "Range", range);
    assertThat(answer.statusCode()).isEqualTo(status);
    if (status == 200) {
      assertThat(answer.headers().firstValueAsLong("content-length")).hasValue(0);
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"POST", "PUT", "DELETE", "PATCH", "PROPFIND"})
  void other_methods_are_refused_with_those_that_are_allowed(String method) {
    HttpResponse<byte[]> answer = serving.send(method, "/a/c/0");
    assertThat(answer.statusCode()).isEqualTo(405);
    assertThat(answer.headers().firstValue("allow")).hasValue("GET, HEAD, OPTIONS");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "/a//c",
        "/a/../c",
        "/a/%2e%2e/c",
        "/%2E",
        "/a%2fc",
        "/a%2Fc",
        "/a%00",
        "/a%0a",
        "/a%7F",
        "/%",
        "/%4",
        "/%zz",
        "/%ff",
        "/%c0%af",
        "//",
        "/a//"
      })
  void a_path_that_names_no_key_is_refused(String path) throws Exception {
    try (RawConnection connection = new RawConnection(serving.server.port())) {
      assertThat(connection.get(path)).startsWith("HTTP/1.1 400 ");
    }
  }
}
