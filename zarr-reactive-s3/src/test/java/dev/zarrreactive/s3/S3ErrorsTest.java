package dev.zarrreactive.s3;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.ConnectException;
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
}
