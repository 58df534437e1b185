package dev.zarrreactive.s3;

import static dev.zarrreactive.s3.OneValue.KEY;
import static dev.zarrreactive.testing.Waiting.await;
import static dev.zarrreactive.testing.Waiting.errorOf;
import static org.assertj.core.api.Assertions.assertThat;

import dev.zarrreactive.base.Bytes;
import dev.zarrreactive.base.StoreKey;
import dev.zarrreactive.error.AccessDeniedException;
import dev.zarrreactive.error.PreconditionFailedException;
import dev.zarrreactive.error.StoreException;
import dev.zarrreactive.error.TransientStoreException;
import dev.zarrreactive.faults.NoLeaks;
import dev.zarrreactive.faults.server.Fault;
import dev.zarrreactive.faults.server.ServerResponse;
import dev.zarrreactive.store.Precondition;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/** Answers of success whose body tells of an error. */
@ExtendWith(NoLeaks.class)
class S3HiddenErrorsTest {
  private static final int PART = 5 << 20;

  private final OneValue one =
      new OneValue(10, settings -> settings.multipart(PART, PART).conditionalMultipart(true));

  @AfterEach
  void close() {
    one.close();
  }

  /** S3 sends white space first, to keep the connection alive. */
  private static Fault error(String code) {
    Bytes body =
        Bytes.utf8(
            "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n\n   <Error><Code>"
                + code
                + "</Code><Message>no</Message></Error>");
    ServerResponse answer = ServerResponse.of(200, body).with("etag", "\"abc\"");
    return (asked, behaviour) -> behaviour.withInstead(answer);
  }

  private Map<String, Mono<?>> operations() {
    Flux<StoreKey> keys = Flux.just("a/0", "a/1").map(StoreKey::of);
    return Map.of(
        "set", one.store.set(KEY, one.value),
        "erase", one.store.erase(KEY),
        "eraseValues", one.store.eraseValues(keys),
        "list", one.store.list().then());
  }

  @ParameterizedTest
  @ValueSource(strings = {"InternalError", "SlowDown"})
  void an_error_that_may_pass_is_transient(String code) {
    one.server.misbehave(error(code));
    operations()
        .forEach(
            (name, operation) ->
                assertThat(errorOf(operation))
                    .as(name)
                    .isInstanceOf(TransientStoreException.class)
                    .hasMessageContaining("200 " + code));
  }

  @Test
  void a_refusal_is_one() {
    one.server.misbehave(error("AccessDenied"));
    operations()
        .forEach(
            (name, operation) ->
                assertThat(errorOf(operation)).as(name).isInstanceOf(AccessDeniedException.class));
  }

  @Test
  void anything_else_is_an_error_with_its_code() {
    one.server.misbehave(error("QuotaExceeded"));
    operations()
        .forEach(
            (name, operation) ->
                assertThat(errorOf(operation))
                    .as(name)
                    .isExactlyInstanceOf(StoreException.class)
                    .hasMessageContaining("QuotaExceeded"));
  }

  @Test
  void the_end_of_an_upload_in_parts_may_say_so_too() {
    Bytes large = OneValue.random(PART + 1);
    Fault end = error("InternalError").ofMethod("POST");
    one.server.misbehave(end.where(asked -> asked.uri().contains("uploadId")));
    assertThat(errorOf(one.store.set(KEY, large))).isInstanceOf(TransientStoreException.class);
    Fault failed = error("PreconditionFailed").ofMethod("POST");
    one.server.misbehave(failed.where(asked -> asked.uri().contains("uploadId")));
    assertThat(errorOf(one.store.set(KEY, large, Precondition.ABSENT)))
        .isInstanceOf(PreconditionFailedException.class);
    assertThat(await(one.store.get(KEY))).isEqualTo(one.value);
  }

  @Test
  void a_listing_that_is_a_page_for_people_is_no_empty_listing() {
    for (String body : List.of("", "<html><body>Welcome</body></html>")) {
      ServerResponse page = ServerResponse.of(200, Bytes.utf8(body));
      one.server.misbehave((asked, behaviour) -> behaviour.withInstead(page));
      assertThat(errorOf(one.store.list().then()))
          .isExactlyInstanceOf(StoreException.class)
          .hasMessageContaining("without a listing");
    }
  }

  @Test
  void a_value_that_looks_like_an_error_is_a_value() {
    Bytes value = Bytes.utf8("<Error><Code>InternalError</Code></Error>");
    await(one.store.set(KEY, value));
    assertThat(await(one.store.get(KEY))).isEqualTo(value);
  }
}
