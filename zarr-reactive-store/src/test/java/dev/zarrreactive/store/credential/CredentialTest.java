package dev.zarrreactive.store.credential;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import reactor.core.publisher.Mono;

/** Credentials prove who asks, and show nothing. */
class CredentialTest {
  @Test
  void no_kind_shows_its_values() {
    List<Credential> all =
        List.of(
            Credential.anonymous(),
            Credential.bearer("s3cret"),
            new Credential.Query("sig=s3cret"),
            new Credential.AwsKeys("s3cret", "s3cret", "s3cret"),
            new Credential.AccountKey("s3cret", "s3cret"));
    for (Credential each : all) {
      ExpiringCredential expiring = ExpiringCredential.until(Instant.EPOCH, each);
      CredentialSource source = CredentialSource.of("the vault", Mono.just(expiring));
      assertThat(each + " " + expiring + " " + source + " " + CredentialSource.fixed(each))
          .doesNotContain("s3cret");
    }
  }

  @Test
  void names_of_headers_are_in_lower_case_and_a_question_mark_is_no_part_of_a_query() {
    assertThat(new Credential.Headers(Map.of("X-Token", "a")))
        .isEqualTo(new Credential.Headers(Map.of("x-token", "a")));
    assertThat(new Credential.Query("?sig=a").query()).isEqualTo("sig=a");
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "s3cret\nx: y", "s3cret\r", "s3cret\u0000", "s3cret\u20ac"})
  void a_token_that_no_header_holds_is_refused_without_being_shown(String token) {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> Credential.bearer(token))
        .satisfies(e -> assertThat(e.getMessage()).doesNotContain("s3cret"));
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "?", "s3cret x", "s3cret#", "s3cret\n"})
  void a_query_that_no_url_holds_is_refused_without_being_shown(String query) {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new Credential.Query(query))
        .satisfies(e -> assertThat(e.getMessage()).doesNotContain("s3cret"));
  }

  @Test
  void a_name_that_no_header_has_is_refused() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new Credential.Headers(Map.of("x y", "s3cret")))
        .satisfies(e -> assertThat(e.getMessage()).doesNotContain("s3cret"));
  }
}
