package dev.zarrreactive.server;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.net.http.HttpResponse;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.ShortBuffer;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.zip.GZIPInputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The page as it is sent. */
class PageTest {
  /** As a browser gets them, which accepts gzip. */
  private static final int MOST_SCRIPT_BYTES = 32_000;

  private static final List<String> FILES =
      List.of(
          "",
          "page.js",
          "axes.js",
          "chunks.js",
          "overview.js",
          "state.js",
          "lines.js",
          "mix.js",
          "coast.js",
          "versions.js",
          "page.css",
          "icon.svg");

  private static String header(HttpResponse<byte[]> answer, String name) {
    return answer.headers().firstValue(name).orElse("-");
  }

  @ParameterizedTest
  @CsvSource({
    "'', ''",
    "'', page.js",
    "'', axes.js",
    "'', chunks.js",
    "'', versions.js",
    "'', page.css",
    "/data, ''",
    "/data/v1, page.js"
  })
  void the_page_is_served_below_every_path(String below, String name) {
    try (Serving serving = new Serving(server -> server.path(below))) {
      HttpResponse<byte[]> got = serving.get("/api/" + name);
      String type = name.isEmpty() ? "html" : name.endsWith("js") ? "javascript" : "css";
      assertThat(got.statusCode()).isEqualTo(200);
      assertThat(header(got, "content-type")).isEqualTo("text/" + type + ";charset=utf-8");
      assertThat(header(got, "content-security-policy")).isEqualTo("default-src 'self'");
      assertThat(header(got, "cache-control")).isEqualTo("no-cache");
      assertThat(header(got, "x-content-type-options")).isEqualTo("nosniff");

      HttpResponse<byte[]> head = serving.send("HEAD", "/api/" + name);
      assertThat(head.body()).isEmpty();
      assertThat(header(head, "content-length")).isEqualTo(got.body().length + "");
      assertThat(serving.send("POST", "/api/" + name).statusCode()).isEqualTo(405);
    }
  }

  @Test
  void the_script_is_small_and_the_page_names_no_other_server() throws IOException {
    int scripts = 0;
    try (Serving serving = new Serving()) {
      for (String name : FILES) {
        byte[] file = serving.get("/api/" + name).body();
        HttpResponse<byte[]> sent = serving.get("/api/" + name, "Accept-Encoding", "gzip, br");
        assertThat(header(sent, "content-encoding")).isEqualTo("gzip");
        assertThat(header(sent, "vary")).containsIgnoringCase("accept-encoding");
        assertThat(unzipped(sent.body())).isEqualTo(file);
        scripts += name.endsWith(".js") ? sent.body().length : 0;
        assertThat(new String(file, StandardCharsets.UTF_8))
            .as("%s", name)
            .doesNotContain("https:", "innerHTML", "insertAdjacentHTML", "eval(", "style=")
            .doesNotContainPattern("http:(?!//www.w3.org/2000/svg\")")
            .doesNotContainPattern("<[^>]* on\\w+=");
      }
    }
    assertThat(scripts).isBetween(1, MOST_SCRIPT_BYTES);
  }

  private static byte[] unzipped(byte[] file) throws IOException {
    try (GZIPInputStream in = new GZIPInputStream(new ByteArrayInputStream(file))) {
      return in.readAllBytes();
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"identity", "gzip;q=0", "gzip; q=0.000", "br"})
  void a_client_that_takes_no_gzip_gets_none(String accepted) {
    try (Serving serving = new Serving()) {
      HttpResponse<byte[]> got = serving.get("/api/page.js", "Accept-Encoding", accepted);
      assertThat(header(got, "content-encoding")).isEqualTo("-");
      assertThat(new String(got.body(), StandardCharsets.UTF_8)).startsWith("// ");
    }
  }

  @Test
  void the_coasts_are_lines_within_the_earth() {
    try (Serving serving = new Serving()) {
      ShortBuffer numbers =
          ByteBuffer.wrap(serving.get("/api/coast.bin").body())
              .order(ByteOrder.LITTLE_ENDIAN)
              .asShortBuffer();
      int points = 0;
      while (numbers.hasRemaining()) {
        for (int left = numbers.get(); left > 0; left--, points++) {
          assertThat((int) numbers.get()).isBetween(-18_000, 18_000);
          assertThat((int) numbers.get()).isBetween(-9_000, 9_000);
        }
      }
      assertThat(points).isBetween(3_000, 5_000);
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "page.js",
        "axes.js",
        "chunks.js",
        "versions.js",
        "page.css",
        "icon.svg",
        "coast.bin"
      })
  void a_server_of_values_alone_has_no_page(String name) {
    try (Serving serving = new Serving(server -> server.api(false))) {
      assertThat(serving.get("/api/" + name).statusCode()).isEqualTo(404);
    }
  }

  @Test
  void a_file_of_the_page_has_no_other_name() {
    try (Serving serving = new Serving()) {
      assertThat(serving.get("/api/page.html").statusCode()).isEqualTo(404);
      assertThat(serving.get("/page.js").statusCode()).isEqualTo(404);
      assertThat(serving.get("/api").statusCode()).isEqualTo(404);
    }
  }
}
