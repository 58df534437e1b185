package dev.zarrreactive.http;

import static org.assertj.core.api.Assertions.assertThat;

import dev.zarrreactive.base.StoreKey;
import dev.zarrreactive.error.StoreException;
import dev.zarrreactive.internal.http.Url;
import io.netty.handler.ssl.NotSslRecordException;
import java.net.UnknownHostException;
import org.junit.jupiter.api.Test;

class HttpErrorsTest {
  private static final StoreKey KEY = StoreKey.of("zarr.json");

  private static Throwable of(Throwable error) {
    return HttpErrors.of(error, KEY, Url.parse("https://data.invalid/a/zarr.json"), false);
  }

  @Test
  void an_unknown_host_is_reported_without_the_words_of_the_resolver() {
    assertThat(of(new UnknownHostException("Failed to resolve 'data.invalid' [A(1)] after 2")))
        .isExactlyInstanceOf(StoreException.class)
        .hasMessageStartingWith(
            "the request for https://data.invalid/a/zarr.json failed: no address of the host is"
                + " known");
  }

  @Test
  void a_server_without_encryption_is_reported_without_its_bytes() {
    NotSslRecordException plain = new NotSslRecordException("not an SSL/TLS record: 485454502f");
    for (Exception error : new Exception[] {plain, new IllegalStateException(plain)}) {
      assertThat(of(error))
          .isExactlyInstanceOf(StoreException.class)
          .hasMessageContaining("the server does not encrypt; its URL may begin with http:")
          .hasMessageNotContaining("4854");
    }
  }
}
