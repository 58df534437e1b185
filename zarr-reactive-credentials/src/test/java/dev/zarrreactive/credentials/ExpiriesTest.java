package dev.zarrreactive.credentials;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Base64;
import org.junit.jupiter.api.Test;

/** The expiries of services, tokens and signatures. */
class ExpiriesTest {
  @Test
  void the_times_of_services_are_understood() {
    assertThat(Expiries.parse("2021-01-27 00:50:09+00:00"))
        .isEqualTo(Instant.parse("2021-01-27T00:50:09Z"));
    assertThat(Expiries.parse("2021-06-08T19:53:20Z"))
        .isEqualTo(Instant.parse("2021-06-08T19:53:20Z"));
    assertThat(Expiries.parse("05/20/2026")).isEqualTo(Instant.parse("2026-05-20T00:00:00Z"));
    assertThat(Expiries.parse("tomorrow")).isNull();
    assertThat(Expiries.parse("ab/cd")).isNull();
  }

  @Test
  void a_json_web_token_and_a_signature_hold_their_expiry() {
    assertThat(Expiries.ofToken(token("{\"exp\":1767225600}")))
        .isEqualTo(Instant.parse("2026-01-01T00:00:00Z"));
    for (String other : new String[] {"a", "a.b.c", token("[]"), token("{\"exp\":\"x\"}"), ".."}) {
      assertThat(Expiries.ofToken(other)).isNull();
    }
    assertThat(Expiries.ofSignature("sv=1&se=2026-01-01T00%3A00%3A00Z&sig=x"))
        .isEqualTo(Instant.parse("2026-01-01T00:00:00Z"));
    assertThat(Expiries.ofSignature("sig=x")).isNull();
  }

  static String token(String claims) {
    byte[] utf8 = claims.getBytes(StandardCharsets.UTF_8);
    return "e30." + Base64.getUrlEncoder().withoutPadding().encodeToString(utf8) + ".c2ln";
  }
}
