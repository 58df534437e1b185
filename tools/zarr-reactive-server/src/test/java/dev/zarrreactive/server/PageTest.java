package dev.zarrreactive.server;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The page as it is sent. */
class PageTest {
  private static final int MOST_SCRIPT_BYTES = 43_000;
  private static final List<String> FILES =
      List.of("", "page.js", "axes.js", "chunks.js", "versions.js", "page.css");

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
  void the_script_is_small_and_the_page_names_no_other_server() {
    int scripts = 0;
    try (Serving serving = new Serving()) {
      for (String name : FILES) {
        byte[] file = serving.get("/api/" + name).body();
        scripts += name.endsWith(".js") ? file.length : 0;
        assertThat(new String(file, StandardCharsets.UTF_8))
            .as("%s", name)
            .doesNotContain("http:", "https:", "innerHTML", "insertAdjacentHTML", "eval(", "style=")
            .doesNotContainPattern("<[^>]* on\\w+=");
      }
    }
    assertThat(scripts).isBetween(1, MOST_SCRIPT_BYTES);
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "page.js", "axes.js", "chunks.js", "versions.js", "page.css"})
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
