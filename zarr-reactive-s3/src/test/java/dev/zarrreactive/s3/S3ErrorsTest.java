package dev.zarrreactive.s3;

import static org.assertj.core.api.Assertions.assertThat;

import dev.zarrreactive.error.Location;
import dev.zarrreactive.error.StoreException;
import java.io.IOException;
import java.net.ConnectException;
import java.net.UnknownHostException;
import java.nio.channels.ClosedChannelException;
import org.junit.jupiter.api.Test;
import software.amazon.awssdk.core.exception.SdkClientException;

class S3ErrorsTest {
  @Test
  void a_closed_connection_is_recognized_with_and_without_the_error_of_the_sdk_around_it() {
    for (IOException closed :
        new IOException[] {
          new IOException("The connection was closed during the request."),
          new IOException("Connection reset by peer"),
          new ClosedChannelException()
        }) {
      assertThat(S3Errors.saysClosed(closed)).isTrue();
      assertThat(S3Errors.saysClosed(SdkClientException.create("no answer", closed))).isTrue();
    }
  }

  @Test
  void a_connection_that_never_was_is_another_matter() {
    IOException refused = new ConnectException("Connection refused");
    assertThat(S3Errors.saysClosed(refused)).isFalse();
    assertThat(S3Errors.saysClosed(SdkClientException.create("no connection", refused))).isFalse();
    assertThat(S3Errors.saysClosed(SdkClientException.create("nothing"))).isFalse();
  }

  @Test
  void an_unknown_host_is_reported_without_the_words_of_the_sdk() {
    SdkClientException error =
        SdkClientException.create(
            "Received an UnknownHostException when attempting to interact with a service.",
            new IOException(new UnknownHostException("b.s3.amazonaws.com")));
    assertThat(S3Errors.of(error, Location.ofKey("zarr.json"), "s3://b/zarr.json"))
        .isExactlyInstanceOf(StoreException.class)
        .hasMessageContaining("s3://b/zarr.json failed: no address of the host is known")
        .hasMessageNotContaining("Exception");
  }
}
