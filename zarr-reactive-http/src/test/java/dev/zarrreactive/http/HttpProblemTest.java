package dev.zarrreactive.http;

import static org.assertj.core.api.Assertions.assertThat;

import dev.zarrreactive.error.AccessDeniedException;
import dev.zarrreactive.error.CodecException;
import dev.zarrreactive.error.Location;
import dev.zarrreactive.error.MemoryExhaustedException;
import dev.zarrreactive.error.MetadataException;
import dev.zarrreactive.error.NodeNotFoundException;
import dev.zarrreactive.error.PreconditionFailedException;
import dev.zarrreactive.error.StoreCapabilityException;
import dev.zarrreactive.error.StoreException;
import dev.zarrreactive.error.TransientStoreException;
import dev.zarrreactive.error.UnsupportedFeatureException;
import dev.zarrreactive.error.ValueTooLargeException;
import dev.zarrreactive.error.ZarrException;
import java.time.Duration;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Each error has its status, and no error of a store shows its message. */
class HttpProblemTest {
  private static final String SECRET = "https://user:s3cret@host/";
  private static final Location PLACE = Location.ofNode("/a").key("a/c/0");

  static Stream<Arguments> errors() {
    return Stream.of(
        Arguments.of(404, new NodeNotFoundException(SECRET, PLACE)),
        Arguments.of(503, new TransientStoreException(SECRET, PLACE)),
        Arguments.of(503, new PreconditionFailedException(SECRET, PLACE)),
        Arguments.of(
            503, new MemoryExhaustedException(SECRET, 1, PLACE, new OutOfMemoryError(SECRET))),
        Arguments.of(403, new AccessDeniedException(SECRET, PLACE)),
        Arguments.of(501, new StoreCapabilityException(SECRET, PLACE)),
        Arguments.of(502, new StoreException(SECRET, PLACE)),
        Arguments.of(502, new ValueTooLargeException(2, 1, PLACE)));
  }

  @ParameterizedTest
  @MethodSource("errors")
  void an_error_of_a_store_has_a_status_and_hides_its_message(int status, ZarrException error) {
    HttpProblem problem = HttpProblem.of(error);
    assertThat(problem.status()).isEqualTo(status);
    assertThat(problem.isTemporary()).isEqualTo(status == 503);
    assertThat(problem.detail()).isNotEmpty().doesNotContain("s3cret", "a/c/0");
  }

  @Test
  void an_error_of_metadata_or_a_chunk_shows_its_place() {
    assertThat(HttpProblem.of(new UnsupportedFeatureException("no zfp", PLACE)))
        .isEqualTo(new HttpProblem(501, "no zfp (node /a, key a/c/0)", null));
    assertThat(HttpProblem.of(new MetadataException("no shape", PLACE)).status()).isEqualTo(500);
    assertThat(HttpProblem.of(new CodecException("cut off", PLACE)).detail())
        .isEqualTo("cut off (node /a, key a/c/0)");
  }

  @Test
  void the_delay_is_that_of_the_store() {
    Duration delay = Duration.ofSeconds(9);
    assertThat(HttpProblem.of(new TransientStoreException("later", PLACE, delay)).retryAfter())
        .isEqualTo(delay);
  }
}
