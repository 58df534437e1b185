package dev.zarrreactive.s3;

import static dev.zarrreactive.s3.AnsweringS3.VALUE;
import static dev.zarrreactive.s3.AnsweringS3.error;
import static dev.zarrreactive.s3.OneValue.KEY;
import static dev.zarrreactive.testing.Waiting.await;
import static dev.zarrreactive.testing.Waiting.errorOf;
import static org.assertj.core.api.Assertions.assertThat;

import dev.zarrreactive.base.ByteRange;
import dev.zarrreactive.base.Bytes;
import dev.zarrreactive.base.StoreKey;
import dev.zarrreactive.error.AccessDeniedException;
import dev.zarrreactive.error.StoreException;
import dev.zarrreactive.faults.NoLeaks;
import dev.zarrreactive.faults.server.ReceivedRequest;
import dev.zarrreactive.faults.server.ServerResponse;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import reactor.core.publisher.Mono;

/** Endpoints that are none, and buckets that are elsewhere. */
@ExtendWith(NoLeaks.class)
class S3EndpointTest {
  private static final ServerResponse PAGE =
      ServerResponse.of(404, Bytes.utf8("<html><body><h1>Not Found</h1></body></html>"))
          .with("content-type", "text/html");

  private final AnsweringS3 s3 = new AnsweringS3(asked -> PAGE);

  @AfterEach
  void close() {
    s3.close();
  }

  private S3StoreBuilder settings() {
    return bucket().anonymous();
  }

  S3StoreBuilder bucket() {
    return s3.bucket();
  }

  @Test
  void not_found_by_something_that_never_spoke_S3_is_an_error_and_no_missing_value() {
    S3Store store = settings().open();
    for (Mono<?> mono :
        List.of(
            store.get(KEY),
            store.get(KEY, new ByteRange.Suffix(3)),
            store.get(KEY, new ByteRange.Slice(3, 0)),
            store.erase(KEY),
            store.list().then())) {
      assertThat(errorOf(mono))
          .isExactlyInstanceOf(StoreException.class)
          .hasMessageContaining("404")
          .hasMessageContaining("endpoint");
    }
    await(store.close());
  }

  @Test
  void not_found_by_a_server_that_spoke_S3_before_is_a_missing_value() {
    for (ServerResponse first :
        List.of(VALUE, PAGE.with("x-amz-request-id", "1"), error(404, "NoSuchKey"))) {
      S3Store store = settings().open();
      s3.answers = asked -> asked.uri().contains("first") ? first : PAGE;
      await(store.get(StoreKey.of("first")));
      assertThat(await(store.get(KEY))).isNull();
      assertThat(await(store.get(KEY, new ByteRange.Slice(3, 0)))).isNull();
      await(store.erase(KEY));
      await(store.close());
    }
  }

  private static final ServerResponse ELSEWHERE =
      ServerResponse.of(
          400,
          Bytes.utf8(
              "<Error><Code>AuthorizationHeaderMalformed</Code><Message>the region 'us-east-1' is"
                  + " wrong; expecting 'eu-west-3'</Message><Region>eu-west-3</Region></Error>"));

  private static ServerResponse inParis(ReceivedRequest asked) {
    String signed = String.valueOf(asked.header("authorization"));
    return signed.contains("/eu-west-3/s3/") ? VALUE : ELSEWHERE;
  }

  @Test
  void a_bucket_in_another_region_is_found_where_the_user_named_none() {
    s3.answers = S3EndpointTest::inParis;
    S3Store store = bucket().credentials("a", "b").open();
    for (int i = 0; i < 3; i++) {
      assertThat(await(store.get(KEY))).isEqualTo(Bytes.utf8("value"));
    }
    await(store.set(KEY, Bytes.utf8("value")));
    assertThat(s3.server.requests()).as("one of them in vain").hasSize(5);
    await(store.close());
  }

  @Test
  void a_bucket_that_is_not_in_the_region_that_the_user_named_is_an_error_that_says_where_it_is() {
    s3.answers = S3EndpointTest::inParis;
    S3Store store = bucket().region("us-east-1").credentials("a", "b").open();
    assertThat(errorOf(store.get(KEY))).hasMessageContaining("eu-west-3");
    assertThat(s3.server.requests()).hasSize(1);
    await(store.close());
  }

  @Test
  void a_bucket_that_is_in_another_region_each_time_is_an_error() {
    s3.answers =
        asked ->
            error(301, "PermanentRedirect")
                .with("x-amz-bucket-region", "eu-west-" + (1 + asked.number()));
    S3Store store = settings().open();
    assertThat(errorOf(store.get(KEY))).isExactlyInstanceOf(StoreException.class);
    assertThat(s3.server.requests()).hasSize(2);
    s3.answers =
        asked ->
            ServerResponse.of(301, Bytes.EMPTY).with("x-amz-bucket-region", "evil.example/path");
    assertThat(errorOf(store.get(KEY))).hasMessageNotContaining("evil");
    await(store.close());
  }

  @Test
  void a_token_that_is_wrong_is_a_refusal_and_not_asked_for_again() {
    s3.answers = asked -> error(400, "InvalidToken");
    S3Store store = settings().open();
    assertThat(errorOf(store.get(KEY)))
        .isInstanceOf(AccessDeniedException.class)
        .hasMessageContaining("session token");
    await(store.close());
  }

  @Test
  void the_last_bytes_of_an_empty_value_are_none_also_where_the_range_is_odd() {
    s3.answers =
        asked ->
            ServerResponse.of(206, Bytes.EMPTY)
                .with("content-range", "bytes 0--1/0")
                .with("etag", "\"empty\"");
    S3Store store = settings().open();
    assertThat(await(store.get(KEY, new ByteRange.Suffix(8)))).isEqualTo(Bytes.EMPTY);
    await(store.close());
  }

  @Test
  void the_user_agent_names_the_library() {
    s3.answers = asked -> VALUE;
    S3Store store = settings().open();
    await(store.get(KEY));
    assertThat(s3.server.requests().get(0).header("user-agent")).contains("zarr-reactive/");
    await(store.close());
  }
}
