package dev.zarrreactive.server;

import static dev.zarrreactive.testing.Waiting.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import dev.zarrreactive.base.ByteRange;
import dev.zarrreactive.base.Bytes;
import dev.zarrreactive.base.StoreKey;
import dev.zarrreactive.error.AccessDeniedException;
import dev.zarrreactive.error.Location;
import dev.zarrreactive.error.NotAValueException;
import dev.zarrreactive.error.StoreException;
import dev.zarrreactive.error.TransientStoreException;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.function.Supplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A failure of the store is never a missing value, nor a short one. */
class StoreFailuresTest {
  private static final Location PLACE = Location.ofKey("a/c/0");
  private final Serving serving = new Serving();

  @AfterEach
  void stop() {
    serving.close();
  }

  private HttpResponse<byte[]> failed(String method, Supplier<StoreException> error) {
    serving.store.fail(any -> true, error);
    HttpResponse<byte[]> answer = serving.send(method, "/a/c/0");
    serving.store.behave();
    return answer;
  }

  @ParameterizedTest
  @ValueSource(strings = {"GET", "HEAD"})
  void the_status_says_how_the_store_failed(String method) {
    serving.put(Serving.KEY, 10);
    assertThat(failed(method, () -> new StoreException("broken", PLACE)).statusCode())
        .isEqualTo(502);
    HttpResponse<byte[]> later =
        failed(method, () -> new TransientStoreException("busy", PLACE, Duration.ofSeconds(7)));
    assertThat(later.statusCode()).isEqualTo(503);
    assertThat(later.headers().firstValue("retry-after")).hasValue("7");
    assertThat(failed(method, () -> new AccessDeniedException("no", PLACE)).statusCode())
        .isEqualTo(403);
    assertThat(serving.send(method, "/a/c/0").statusCode()).isEqualTo(200);
    assertThat(serving.send(method, "/a/c/1").statusCode()).isEqualTo(404);
    assertThat(serving.failures).hasSize(2);
  }

  @ParameterizedTest
  @ValueSource(strings = {"GET", "HEAD"})
  void what_cannot_be_a_value_is_missing_and_no_failure(String method) {
    serving.put(Serving.KEY, 10);
    assertThat(failed(method, () -> new NotAValueException("a directory", PLACE)).statusCode())
        .isEqualTo(404);
    assertThat(serving.failures).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(strings = {"/a%20b/%C3%A4", "/a", "/a%25/", "/a%22%5C/%3F", "/-._~/b"})
  void a_problem_names_its_request_as_a_client_sends_it(String path) {
    HttpResponse<byte[]> answer = serving.get(path);
    assertThat(answer.statusCode()).isEqualTo(404);
    assertThat(new String(answer.body(), StandardCharsets.UTF_8))
        .contains("\"instance\":\"" + path + "\"");
  }

  @Test
  void a_problem_names_the_key_and_nothing_of_the_store() {
    HttpResponse<byte[]> answer =
        failed("GET", () -> new StoreException("key=s3cret of /home/me", PLACE));
    assertThat(answer.headers().firstValue("content-type")).hasValue("application/problem+json");
    assertThat(new String(answer.body(), StandardCharsets.UTF_8))
        .contains("\"status\":502", "\"instance\":\"/a/c/0\"")
        .doesNotContain("s3cret", "/home");
  }

  @Test
  void a_value_that_changes_midway_is_cut() throws Exception {
    StoreKey key = StoreKey.of("large");
    serving.put(key, 200 * Serving.MOST);
    try (RawConnection client = new RawConnection(serving.server.port())) {
      assertThat(client.get("/large")).endsWith(" 200 OK");
      client.read(10);
      serving.put(key, 200 * Serving.MOST + 1);
      client.read(Long.MAX_VALUE);
      assertThat(client.length()).isEqualTo(200L * Serving.MOST);
      assertThat(client.received()).isLessThan(client.length());
      assertThat(client.isAtEnd()).isTrue();
    }
    eventually("nothing is held", () -> serving.server.heldBytes() == 0);
  }

  @Test
  void a_store_that_fails_midway_cuts_the_value() throws Exception {
    serving.put(StoreKey.of("large"), 200 * Serving.MOST);
    try (RawConnection client = new RawConnection(serving.server.port())) {
      client.get("/large");
      client.read(10);
      serving.store.fail(any -> true, () -> new StoreException("broken", PLACE));
      client.read(Long.MAX_VALUE);
      assertThat(client.received()).isLessThan(client.length());
    }
    eventually("a failure was told", () -> !serving.failures.isEmpty());
  }

  @Test
  void a_range_of_a_value_that_was_replaced_is_of_the_new_one() {
    StoreKey key = StoreKey.of("v");
    serving.put(key, 3 * Serving.MOST);
    assertThat(serving.get("/v", "Range", "bytes=0-9").statusCode()).isEqualTo(206);
    Bytes other = serving.put(key, 2 * Serving.MOST);
    HttpResponse<byte[]> answer = serving.get("/v", "Range", "bytes=-5");
    assertThat(answer.body()).isEqualTo(other.slice(other.size() - 5, 5).toByteArray());
    serving.values.erase(key).block();
    assertThat(serving.get("/v", "Range", "bytes=-5").statusCode()).isEqualTo(404);
    assertThat(serving.get("/v").statusCode()).isEqualTo(404);
  }

  @Test
  void a_head_reads_no_bytes() {
    serving.put(StoreKey.of("large"), 5 * Serving.MOST);
    serving.send("HEAD", "/large");
    serving.send("HEAD", "/large");
    assertThat(serving.store.counts().bytesRead()).isZero();
  }

  @Test
  void a_small_value_is_one_request_and_a_large_one_is_read_in_ranges() {
    serving.put(StoreKey.of("small"), 10);
    serving.get("/small");
    assertThat(serving.store.counts().total()).isOne();
    serving.store.counts().reset();
    serving.put(StoreKey.of("large"), 5 * Serving.MOST);
    serving.get("/large");
    // the refusal, the version, the size, and five ranges; then the ranges alone
    assertThat(serving.store.counts().total()).isLessThanOrEqualTo(8);
    serving.store.counts().reset();
    serving.get("/large");
    assertThat(serving.store.counts().requests())
        .hasSize(5)
        .noneMatch(asked -> asked.range() instanceof ByteRange.Whole);
  }
}
