package dev.zarrreactive.credentials;

import static dev.zarrreactive.credentials.LinkKeys.Access.READ;
import static dev.zarrreactive.credentials.LinkKeys.Access.READ_WRITE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Links to a part of a service. */
class LinkKeysTest {
  private static final String OLD = "k1:abcdefghijklmnopqrstuvwxyz012345";
  private static final String NEW = "k2:ABCDEFGHIJKLMNOPQRSTUVWXYZ012345";
  private static final Instant EXPIRY = Instant.ofEpochSecond(1_790_000_000);
  private static final Instant BEFORE = EXPIRY.minusSeconds(1);

  private final LinkKeys keys = LinkKeys.of(OLD);

  private static LinkKeys.Opened opened(LinkKeys keys, String target) {
    return keys.open(target, READ, BEFORE).orElse(null);
  }

  /** The signature was made with {@code hmac} of Python. */
  @Test
  void a_link_is_what_the_page_says() {
    String link = keys.sign("/earth/my data", READ, EXPIRY);
    assertThat(link)
        .isEqualTo(
            "/__signed/k1.1790000000.r.2.kq1RcRJQADdmA1uFQAKbxUuvQ5f1lOYEO0r1z5Bin-0/earth/my%20data");
    assertThat(opened(keys, link + "/zarr.json?a=b"))
        .isEqualTo(new LinkKeys.Opened("/earth/my%20data/zarr.json?a=b", "earth/my data"));
    assertThat(LinkKeys.isLink(link)).isTrue();
  }

  @Test
  void a_link_opens_its_path_and_what_is_below_it() {
    String link = keys.sign("earth/", READ, EXPIRY);
    for (String below : List.of("", "/", "/zarr.json", "/t2m/c/0/0", "/a%20b/", "/%C3%A4")) {
      assertThat(opened(keys, link + below).target()).isEqualTo("/earth" + below);
    }
    String all = keys.sign("", READ, EXPIRY);
    assertThat(opened(keys, all)).isEqualTo(new LinkKeys.Opened("/", ""));
    assertThat(opened(keys, all + "/zarr.json").target()).isEqualTo("/zarr.json");
    assertThat(opened(keys, all + "?x").target()).isEqualTo("/?x");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "/other",
        "/earthquake",
        "/Earth",
        "",
        "/",
        "/earth/../other",
        "/earth/..",
        "/earth/./zarr.json",
        "/earth/%2e%2e/other",
        "/earth/%2E./other",
        "/earth/..;/other",
        "/earth/..;a=b/other",
        "/earth%2Fzarr.json",
        "/earth/%2f/zarr.json",
        "/earth/%5c..%5cother",
        "/earth//zarr.json",
        "//earth",
        "/../earth",
        "/earth/%00",
        "/earth/%0a",
        "/earth/%",
        "/earth/%4",
        "/earth/%zz",
        "/earth/%ff",
        "/earth/a b",
        "/earth/\u00e4",
        "#/earth",
        "?/earth"
      })
  void a_link_opens_no_other_path(String path) {
    String link = keys.sign("earth", READ, EXPIRY);
    assertThat(opened(keys, link.replace("/earth", path))).isNull();
    assertThat(opened(keys, link)).isNotNull();
  }

  @ParameterizedTest
  @CsvSource({
    "r.1, rw.1",
    "r.1, r.0",
    "r.1, r.2",
    "r.1, r.01",
    "r.1, r.-1",
    "r.1, r.9999",
    "r.1, w.1",
    "r.1, R.1",
    "r.1, r",
    "1790000000, 1790000001",
    "1790000000, 01790000000",
    "1790000000, 9999999999999999999",
    "1790000000, -1",
    "1790000000, ''",
    "k1., k2.",
    "k1., .",
    "/earth, ./earth",
    "/earth, A/earth",
    "/earth, =/earth"
  })
  void a_changed_link_opens_nothing(String part, String other) {
    String link = keys.sign("earth", READ, EXPIRY);
    LinkKeys both = LinkKeys.of(OLD + "\n" + NEW);
    assertThat(opened(both, link.replace(part, other))).isNull();
    assertThat(opened(both, link)).isNotNull();
  }

  @Test
  void every_changed_character_of_a_signature_is_noticed() {
    String link = keys.sign("earth", READ, EXPIRY);
    int begin = link.lastIndexOf('.') + 1;
    for (int i = begin; i < begin + 43; i++) {
      for (char c : "A_b-9=.".toCharArray()) {
        String changed = link.substring(0, i) + c + link.substring(i + 1);
        assertThat(opened(keys, changed) != null).isEqualTo(changed.equals(link));
      }
    }
    assertThat(opened(keys, link.substring(0, begin) + "/earth")).isNull();
    assertThat(opened(LinkKeys.of(NEW.replace("k2", "k1")), link)).isNull();
  }

  @Test
  void a_link_opens_until_it_expires() {
    String link = keys.sign("earth", READ_WRITE, EXPIRY);
    assertThat(keys.open(link, READ, BEFORE)).isPresent();
    assertThat(keys.open(link, READ, EXPIRY)).isEmpty();
    assertThat(keys.open(link, READ, EXPIRY.plusSeconds(1))).isEmpty();
  }

  @Test
  void a_link_for_reading_opens_no_write() {
    String reading = keys.sign("earth", READ, EXPIRY);
    String writing = keys.sign("earth", READ_WRITE, EXPIRY);
    assertThat(keys.open(reading, READ_WRITE, BEFORE)).isEmpty();
    assertThat(keys.open(writing, READ_WRITE, BEFORE)).isPresent();
    assertThat(keys.open(writing, READ, BEFORE)).isPresent();
  }

  @Test
  void the_first_key_signs_and_all_of_them_open() {
    LinkKeys both = LinkKeys.of("# since May\n" + NEW + "\r\n\n # before\n " + OLD + " \n");
    String old = keys.sign("earth", READ, EXPIRY);
    String link = both.sign("earth", READ, EXPIRY);
    assertThat(link).startsWith("/__signed/k2.");
    assertThat(opened(both, link)).isNotNull();
    assertThat(opened(both, old)).isNotNull();
    assertThat(opened(keys, link)).isNull();
    assertThat(opened(LinkKeys.of(NEW + "," + OLD), old)).isNotNull();
    assertThat(both).hasToString("LinkKeys[k2, k1]");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "# nothing",
        "a-sesame-of-32-characters-without-an-id",
        "k1:sesame",
        "k 1:abcdefghijklmnopqrstuvwxyz-sesame",
        ":abcdefghijklmnopqrstuvwxyz-sesame",
        "k1:abcdefghijklmnopqrstuvwxyz-sesame,k1:abcdefghijklmnopqrstuvwxyz-sesame"
      })
  void keys_that_are_none_are_refused_without_their_secret(String text) {
    assertThatThrownBy(() -> LinkKeys.of(text))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageMatching("(there is no key of links|key \\d of links ).*")
        .hasMessageNotContaining("sesame");
  }

  @ParameterizedTest
  @ValueSource(strings = {"a//b", "../a", "a/./b", "a/..;x/b", "a\nb", "a\\b"})
  void a_path_that_is_none_is_not_signed(String path) {
    assertThatThrownBy(() -> keys.sign(path, READ, EXPIRY))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageStartingWith("a link has no empty segment");
    assertThatThrownBy(() -> keys.sign("a", READ, Instant.EPOCH)).hasMessageContaining("1970");
    assertThatThrownBy(() -> keys.sign("a", READ, Instant.MAX))
        .isInstanceOf(IllegalArgumentException.class);
  }

  @ParameterizedTest
  @CsvSource({
    "/__signed, true", "/__signed/, true", "/__signed/x, true", "/__signed?x, true",
    "/__signedx, false", "/signed/x, false", "'', false", "/a/__signed/x, false"
  })
  void a_target_is_a_link_by_its_first_segment(String target, boolean is) {
    assertThat(LinkKeys.isLink(target)).isEqualTo(is);
    assertThat(opened(keys, target)).isNull();
  }
}
