package dev.zarrreactive.http;

import static dev.zarrreactive.http.Served.KEY;
import static dev.zarrreactive.testing.Waiting.await;
import static dev.zarrreactive.testing.Waiting.errorOf;
import static org.assertj.core.api.Assertions.assertThat;

import dev.zarrreactive.base.ByteRange;
import dev.zarrreactive.base.Bytes;
import dev.zarrreactive.base.StoreKey;
import dev.zarrreactive.error.StoreException;
import dev.zarrreactive.faults.server.Fault;
import dev.zarrreactive.faults.server.ServerResponse;
import dev.zarrreactive.store.ReadCondition;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.function.UnaryOperator;
import java.util.zip.DeflaterOutputStream;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import reactor.core.publisher.Mono;

/** Servers that send a page with the status 200 for what is missing. */
class HtmlPageTest {
  private static final String PAGE =
      "<!doctype html><html><body><div id='app'></div></body></html>";

  private Served served;

  private void serve(String page, String type, UnaryOperator<HttpStoreBuilder> settings) {
    served = new Served(50_000, false, settings);
    served.server.misbehave(
        Fault.answer(
            answer -> {
              Bytes body = Bytes.utf8(page);
              return ServerResponse.of(200, body)
                  .with("content-type", type)
                  .with("content-length", String.valueOf(body.size()));
            }));
  }

  private List<Mono<?>> reads() {
    return List.of(
        served.store.get(KEY),
        served.store.get(KEY, ByteRange.whole(1 << 20)),
        served.store.get(KEY, new ByteRange.Slice(10_000, 20)),
        served.store.get(KEY, new ByteRange.Suffix(4)),
        served.store.get(KEY, new ByteRange.Slice(0, 0)),
        served.store.getVersioned(KEY, null, ReadCondition.ALWAYS));
  }

  @AfterEach
  void close() {
    served.close();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        PAGE,
        "\uFEFF\n  <HTML lang='en'></HTML>",
        "<!-- built by a tool --><!doctype html>",
        "<?xml version='1.0'?><html xmlns='http://www.w3.org/1999/xhtml'/>"
      })
  void a_page_is_named_as_what_it_is(String page) {
    serve(page, "text/html; charset=utf-8", settings -> settings);
    for (Mono<?> read : reads()) {
      assertThat(errorOf(read))
          .isExactlyInstanceOf(StoreException.class)
          .hasMessageContaining("a page in HTML")
          .hasMessageContaining("pages-are-missing")
          .hasMessageContaining(KEY.value());
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"gzip", "deflate"})
  void an_encoded_page_is_a_page(String coding) throws IOException {
    String page = PAGE + "<p>Sign in</p>".repeat(200);
    serveEncoded(page, coding, settings -> settings);
    for (Mono<?> read : reads()) {
      assertThat(errorOf(read))
          .isExactlyInstanceOf(StoreException.class)
          .hasMessageContaining("a page in HTML");
    }
    served.close();
    serveEncoded(page, coding, settings -> settings.pagesAreMissing(true));
    for (Mono<?> read : reads()) {
      assertThat(await(read)).isNull();
    }
    served.close();
    serveEncoded("{'zarr_format': 3}", coding, settings -> settings.pagesAreMissing(true));
    assertThat(await(served.store.get(KEY))).isEqualTo(Bytes.utf8("{'zarr_format': 3}"));
  }

  private void serveEncoded(String page, String coding, UnaryOperator<HttpStoreBuilder> settings)
      throws IOException {
    ByteArrayOutputStream encoded = new ByteArrayOutputStream();
    try (OutputStream out =
        coding.equals("gzip") ? new GZIPOutputStream(encoded) : new DeflaterOutputStream(encoded)) {
      out.write(page.getBytes(StandardCharsets.UTF_8));
    }
    Bytes body = Bytes.wrap(encoded.toByteArray());
    served = new Served(50_000, false, settings);
    served.server.misbehave(
        Fault.answer(
            answer ->
                ServerResponse.of(200, body)
                    .with("content-type", "text/html")
                    .with("content-encoding", coding)
                    .with("content-length", String.valueOf(body.size()))));
  }

  @Test
  void a_page_is_a_missing_value_where_the_user_says_so() {
    serve(PAGE, "text/html", settings -> settings.pagesAreMissing(true));
    for (Mono<?> read : reads()) {
      assertThat(await(read)).isNull();
    }
  }

  @Test
  void a_value_that_the_server_only_calls_a_page_is_read() {
    serve("{'zarr_format': 3}", "text/html", settings -> settings.pagesAreMissing(true));
    assertThat(await(served.store.get(KEY))).isEqualTo(Bytes.utf8("{'zarr_format': 3}"));
    served.close();
    serve("", "text/html", settings -> settings);
    assertThat(await(served.store.get(KEY))).isEqualTo(Bytes.EMPTY);
  }

  @Test
  void a_value_that_begins_as_a_page_is_read_where_the_server_calls_it_a_value() {
    serve(PAGE, "application/octet-stream", settings -> settings);
    assertThat(await(served.store.get(KEY))).isEqualTo(Bytes.utf8(PAGE));
  }

  @Test
  void a_key_of_a_page_may_hold_one() {
    serve(PAGE, "text/html", settings -> settings);
    StoreKey readme = StoreKey.of("a/README.html");
    await(served.values.set(readme, Bytes.utf8(PAGE)));
    assertThat(await(served.store.get(readme))).isEqualTo(Bytes.utf8(PAGE));
  }
}
