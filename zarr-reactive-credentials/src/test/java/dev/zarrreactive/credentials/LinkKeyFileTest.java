package dev.zarrreactive.credentials;

import static dev.zarrreactive.credentials.LinkKeys.Access.READ;
import static dev.zarrreactive.testing.Waiting.await;
import static dev.zarrreactive.testing.Waiting.errorOf;
import static org.assertj.core.api.Assertions.assertThat;

import dev.zarrreactive.error.StoreException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Keys of links that another program replaces while a service runs. */
class LinkKeyFileTest {
  private static final String OLD = "k1:abcdefghijklmnopqrstuvwxyz012345";
  private static final String NEW = "k2:ABCDEFGHIJKLMNOPQRSTUVWXYZ012345";
  private static final Instant EXPIRY = Instant.ofEpochSecond(1_790_000_000);
  private static final Instant BEFORE = EXPIRY.minusSeconds(1);

  private final AtomicLong nanos = new AtomicLong(Long.MAX_VALUE - 5); // it may overflow
  private Path file;
  private LinkKeySource source;

  @BeforeEach
  void write(@TempDir Path directory) throws IOException {
    file = Files.writeString(directory.resolve("links.key"), OLD + "\n");
    source = new LinkKeyFile(file, nanos::get);
  }

  private String link() {
    return await(source.keys()).sign("earth", READ, EXPIRY);
  }

  private boolean isOpen(String link) {
    return await(source.keys()).open(link, READ, BEFORE).isPresent();
  }

  private void rest() {
    nanos.addAndGet(LinkKeyFile.REST_NANOS);
  }

  @Test
  void a_new_key_signs_and_the_old_one_opens_until_it_is_taken_away() throws IOException {
    String old = link();
    Files.writeString(file, NEW + "\n" + OLD);
    assertThat(link()).as("the file rests").isEqualTo(old);
    rest();
    String link = link();
    assertThat(link).startsWith("/__signed/k2.");
    assertThat(isOpen(old)).isTrue();
    Files.writeString(file, NEW);
    rest();
    assertThat(isOpen(old)).isFalse();
    assertThat(isOpen(link)).isTrue();
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "# none", "k3:short", "\u0000"})
  void a_broken_file_leaves_the_keys_of_before(String broken) throws IOException {
    String link = link();
    Files.writeString(file, broken);
    rest();
    assertThat(isOpen(link)).isTrue();
    Files.delete(file);
    rest();
    assertThat(isOpen(link)).isTrue();
    Files.writeString(file, NEW);
    rest();
    assertThat(isOpen(link)).isFalse();
  }

  @Test
  void a_file_that_was_never_right_is_an_error_without_a_secret() throws IOException {
    Files.writeString(file, "k3:sesame");
    assertThat(errorOf(source.keys()))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("key 1 of links")
        .hasMessageNotContaining("sesame");
    Files.delete(file);
    assertThat(errorOf(source.keys()))
        .isInstanceOf(StoreException.class)
        .hasMessageContaining(file.toString());
    Files.writeString(file, NEW);
    assertThat(link()).startsWith("/__signed/k2.");
  }

  @Test
  void a_cancelled_look_is_repeated_by_the_next_request() throws IOException {
    link();
    Files.writeString(file, NEW);
    rest();
    source.keys().subscribe().dispose();
    rest();
    assertThat(link()).startsWith("/__signed/k2.");
  }

  @Test
  void keys_that_do_not_change_are_a_source_too() {
    LinkKeys keys = LinkKeys.of(OLD);
    assertThat(await(keys.keys())).isSameAs(keys);
  }

  @Test
  void a_source_shows_its_file_alone() {
    assertThat(LinkKeySource.file(file)).hasToString("the keys of links in " + file);
  }
}
