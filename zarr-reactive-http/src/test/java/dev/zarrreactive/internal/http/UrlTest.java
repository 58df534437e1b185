package dev.zarrreactive.internal.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.zarrreactive.base.StoreKey;
import java.net.URI;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** How keys become URLs, and where redirects lead. */
class UrlTest {
  @ParameterizedTest
  @CsvSource({
    "http://h, a/b, http://h/a/b",
    "http://h/, a/b, http://h/a/b",
    "http://h/p/q/, a b, http://h/p/q/a%20b",
    "HTTP://H:80/p, a, http://h/p/a",
    "https://h:443/p, a, https://h/p/a",
    "https://h:8443/p, 100%, https://h:8443/p/100%25",
    "https://h/p?x=1&y=a%2Fb, a+b&c=d?e#f, https://h/p/a%2Bb%26c%3Dd%3Fe%23f?x=1&y=a%2Fb",
    "https://u:p@h/p, grün/日本, https://h/p/gr%C3%BCn/%E6%97%A5%E6%9C%AC",
    "http://[::1]:8080, a, http://[::1]:8080/a",
    "http://under_score/x/../y, a, http://under_score/y/a"
  })
  void a_key_is_below_the_base(String base, String key, String url) {
    assertThat(Url.of(URI.create(base)).of(StoreKey.of(key)).text()).isEqualTo(url);
  }

  @Test
  void a_character_outside_of_the_basic_plane_is_four_bytes() {
    assertThat(Url.parse("http://h").of(StoreKey.of("\uD83D\uDE00")).text())
        .isEqualTo("http://h/%F0%9F%98%80");
  }

  @ParameterizedTest
  @CsvSource({
    "/x/y, https://h/x/y",
    "y?z=1, https://h/p/y?z=1",
    "//other/x, https://other/x",
    "http://other/a b/ü#f, http://other/a%20b/%C3%BC",
    "https://me:pw@other/x, https://other/x"
  })
  void a_redirect_leads_from_where_one_is(String location, String target) {
    assertThat(Url.parse("https://h/p/q?s=1").resolve(location).text()).isEqualTo(target);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "ftp://h/s3cret",
        "h/s3cret",
        "http:///s3cret",
        "http:s3cret",
        "http://h/#s3cret",
        "http://[s3cret"
      })
  void other_text_than_a_url_is_refused_and_not_shown(String text) {
    assertThatThrownBy(() -> Url.parse(text.isEmpty() ? "http://h/#f" : text))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageNotContaining("s3cret");
  }

  @Test
  void another_port_or_scheme_is_another_origin() {
    Url url = Url.parse("https://h/p?q");
    assertThat(url.hasOriginOf(Url.parse("https://H:443/other"))).isTrue();
    assertThat(url.hasOriginOf(Url.parse("http://h/p"))).isFalse();
    assertThat(url.hasOriginOf(Url.parse("https://h:444/p"))).isFalse();
    assertThat(url).hasToString("https://h/p");
  }
}
