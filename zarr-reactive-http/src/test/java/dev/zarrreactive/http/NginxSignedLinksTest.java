package dev.zarrreactive.http;

import static dev.zarrreactive.http.Served.KEY;
import static dev.zarrreactive.testing.Waiting.await;
import static dev.zarrreactive.testing.Waiting.errorOf;
import static org.assertj.core.api.Assertions.assertThat;

import dev.zarrreactive.base.Bytes;
import dev.zarrreactive.base.StoreKey;
import dev.zarrreactive.error.AccessDeniedException;
import dev.zarrreactive.faults.NoLeaks;
import dev.zarrreactive.store.Store;
import dev.zarrreactive.store.credential.Credential;
import dev.zarrreactive.store.credential.CredentialSource;
import dev.zarrreactive.store.credential.ExpiringCredential;
import dev.zarrreactive.store.file.FileSystemStore;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Base64;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Function;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/** Links that nginx's {@code secure_link} checks: a time and a signature in the query. */
@ExtendWith(NoLeaks.class)
class NginxSignedLinksTest {
  private static final int CHUNKS = 2000;

  /** A link with a wrong signature is forbidden, and so is one that has expired. */
  private static final String LINKS =
      String.join(
          "\n",
          "secure_link $arg_md5,$arg_expires;",
          "secure_link_md5 \"$secure_link_expires s3cret\";",
          "if ($secure_link = \"\") { return 403; }",
          "if ($secure_link = \"0\") { return EXPIRED; }");

  @TempDir Path directory;
  private final List<ExpiringCredential> given = new CopyOnWriteArrayList<>();
  private final List<Instant> lookUps = new CopyOnWriteArrayList<>();
  private Path root;
  private Nginx nginx;

  @BeforeEach
  void write() throws IOException {
    root = Files.createDirectories(directory.resolve("root"));
  }

  @AfterEach
  void stop() {
    if (nginx != null) {
      nginx.close();
    }
  }

  private HttpStore store(int statusOfExpired, boolean http2, CredentialSource source) {
    nginx = Nginx.start(directory, root, LINKS.replace("EXPIRED", "" + statusOfExpired));
    return HttpStore.at(nginx.uri(http2)).http2(http2).credentials(source).open();
  }

  private CredentialSource links(Function<Integer, ExpiringCredential> made) {
    return new CredentialSource() {
      @Override
      public Mono<ExpiringCredential> credential() {
        return Mono.fromSupplier(
            () -> {
              lookUps.add(Instant.now());
              ExpiringCredential link = made.apply(lookUps.size());
              given.add(link);
              return link;
            });
      }

      @Override
      public String name() {
        return "the portal";
      }

      @Override
      public String advice() {
        return "set PORTAL_KEY";
      }
    };
  }

  private static Credential link(Instant expiry, String secret) {
    String text = expiry.getEpochSecond() + " " + secret;
    try {
      byte[] digest =
          MessageDigest.getInstance("MD5").digest(text.getBytes(StandardCharsets.UTF_8));
      return new Credential.Query(
          "md5="
              + Base64.getUrlEncoder().withoutPadding().encodeToString(digest)
              + "&expires="
              + expiry.getEpochSecond());
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException(e);
    }
  }

  private static Instant inSeconds(int seconds) {
    return Instant.now().truncatedTo(ChronoUnit.SECONDS).plusSeconds(seconds);
  }

  private static StoreKey key(int i) {
    return StoreKey.of("c/" + i);
  }

  private static Bytes chunk(int i) {
    return Bytes.utf8("chunk " + i);
  }

  private void write(int chunks) {
    Store files = FileSystemStore.open(root);
    Flux.range(0, chunks).flatMap(i -> files.set(key(i), chunk(i)), 16).then().block();
  }

  /**
   * Each link lives for one to two seconds, by the clock of nginx. The reads go on until there were
   * four links, however fast the machine is; each look-up begins in the last quarter of a life or
   * after it.
   */
  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void a_stream_of_chunks_outlives_its_links(boolean http2) {
    HttpStore store =
        store(
            403,
            http2,
            links(
                i -> {
                  Instant expiry = inSeconds(2);
                  return ExpiringCredential.until(expiry, link(expiry, "s3cret"));
                }));
    write(CHUNKS);
    int rounds = 0;
    while (rounds == 0 || lookUps.size() < 4) {
      List<Bytes> read =
          Flux.range(0, CHUNKS)
              .flatMapSequential(i -> store.get(key(i)), 16)
              .collectList()
              .block(Served.PATIENCE);
      assertThat(read)
          .isEqualTo(IntStream.range(0, CHUNKS).mapToObj(NginxSignedLinksTest::chunk).toList());
      rounds++;
    }
    for (int i = 1; i < lookUps.size(); i++) {
      Instant before = lookUps.get(i - 1);
      Duration life = Duration.between(before, given.get(i - 1).expiry());
      assertThat(Duration.between(before, lookUps.get(i)))
          .isGreaterThanOrEqualTo(life.multipliedBy(3).dividedBy(4).minusMillis(2));
    }
    await(store.close());
  }

  @Test
  void a_link_that_expires_before_its_source_says_so_is_renewed_after_the_refusal() {
    HttpStore store =
        store(
            401,
            false,
            links(
                i ->
                    ExpiringCredential.until(
                        inSeconds(3600), link(inSeconds(i == 1 ? -60 : 3600), "s3cret"))));
    write(1);
    assertThat(await(store.get(key(0)))).isEqualTo(chunk(0));
    assertThat(lookUps).hasSize(2);
    await(store.close());
  }

  @Test
  void a_wrong_secret_is_an_error_that_names_the_source_and_shows_no_signature() {
    HttpStore store =
        store(
            403,
            false,
            links(
                i -> ExpiringCredential.until(inSeconds(3600), link(inSeconds(3600), "another"))));
    assertThat(errorOf(store.get(KEY)))
        .isInstanceOf(AccessDeniedException.class)
        .hasMessageContaining("403 Forbidden")
        .hasMessageContaining("the portal: set PORTAL_KEY")
        .hasMessageContaining(KEY.value())
        .hasMessageNotContaining("md5")
        .hasMessageNotContaining("expires=");
    assertThat(lookUps).hasSize(1);
    await(store.close());
  }
}
