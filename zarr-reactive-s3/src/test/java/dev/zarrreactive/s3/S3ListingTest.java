package dev.zarrreactive.s3;

import static dev.zarrreactive.testing.Waiting.await;
import static dev.zarrreactive.testing.Waiting.errorOf;
import static org.assertj.core.api.Assertions.assertThat;

import dev.zarrreactive.base.Bytes;
import dev.zarrreactive.base.StoreKey;
import dev.zarrreactive.base.StorePrefix;
import dev.zarrreactive.error.StoreException;
import dev.zarrreactive.faults.NoLeaks;
import dev.zarrreactive.faults.server.FaultyServer;
import dev.zarrreactive.faults.server.ReceivedRequest;
import dev.zarrreactive.faults.server.ServerResponse;
import dev.zarrreactive.store.ListEntry;
import java.net.URLDecoder;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentSkipListSet;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import reactor.core.publisher.Mono;

/** Listings of servers that lie, and of keys that XML cannot say. */
@ExtendWith(NoLeaks.class)
class S3ListingTest {
  private static final List<String> STRANGE =
      List.of("p/\u0001", "p/a b", "p/a+b", "p/50%", "p/%41", "p/\u00fc\ud83d\ude00", "p/d/\t\n");

  private static void with(
      Function<ReceivedRequest, ServerResponse> server, Consumer<S3Store> test) {
    try (FaultyServer stub =
        FaultyServer.of(asked -> Mono.fromSupplier(() -> server.apply(asked)))) {
      S3Store store = S3Store.at("bucket").endpoint(stub.uri()).anonymous().open();
      test.accept(store);
      await(store.close());
    }
  }

  private static ServerResponse page(String token) {
    String next =
        token.isEmpty() ? "" : "<NextContinuationToken>" + token + "</NextContinuationToken>";
    return ServerResponse.of(
        200,
        Bytes.utf8(
            "<ListBucketResult><IsTruncated>true</IsTruncated>"
                + next
                + "<Contents><Key>a</Key></Contents></ListBucketResult>"));
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 3, 7})
  void a_token_that_comes_again_is_an_error(int round) {
    AtomicInteger pages = new AtomicInteger();
    with(
        asked -> page("token-" + Math.max(2, pages.incrementAndGet()) % round),
        store ->
            assertThat(errorOf(store.list().then()))
                .isExactlyInstanceOf(StoreException.class)
                .hasMessageContaining("token came again")
                .hasMessageContaining("s3://bucket/"));
    assertThat(pages.get()).isLessThan(40);
  }

  @Test
  void a_page_that_is_cut_off_without_a_token_is_an_error() {
    with(
        asked -> page(""),
        store ->
            assertThat(errorOf(store.listPrefix(StorePrefix.of("p/")).then()))
                .isExactlyInstanceOf(StoreException.class)
                .hasMessageContaining("no continuation token")
                .hasMessageContaining("s3://bucket/p/"));
  }

  /** Knows enough of S3: lists, also percent-encoded, and erases one key or several. */
  private static class Bucket implements Function<ReceivedRequest, ServerResponse> {
    private static final Pattern PREFIX = Pattern.compile("[?&]prefix=([^&]*)");

    private final SortedSet<String> keys = new ConcurrentSkipListSet<>(STRANGE);
    private final boolean encodes;

    Bucket(boolean encodes) {
      this.encodes = encodes;
    }

    @Override
    public ServerResponse apply(ReceivedRequest asked) {
      return switch (asked.method()) {
        case "GET" -> list(asked.uri());
        case "DELETE" -> {
          keys.remove(asked.path().substring("bucket/".length()));
          yield ServerResponse.of(204, Bytes.EMPTY);
        }
        default -> ServerResponse.of(501, Bytes.EMPTY);
      };
    }

    private ServerResponse list(String uri) {
      Matcher found = PREFIX.matcher(uri);
      String prefix = found.find() ? URLDecoder.decode(found.group(1), StandardCharsets.UTF_8) : "";
      boolean encoded = encodes && uri.contains("encoding-type=url");
      boolean delimited = uri.contains("delimiter=");
      SortedSet<String> contents = new TreeSet<>();
      SortedSet<String> prefixes = new TreeSet<>();
      for (String key : keys) {
        if (key.startsWith(prefix)) {
          int slash = delimited ? key.indexOf('/', prefix.length()) : -1;
          (slash < 0 ? contents : prefixes).add(slash < 0 ? key : key.substring(0, slash + 1));
        }
      }
      return ServerResponse.of(
          200,
          Bytes.utf8(
              "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<ListBucketResult>"
                  + "<IsTruncated>false</IsTruncated>"
                  + (encoded ? "<EncodingType>url</EncodingType>" : "")
                  + elements(contents, "<Contents><Key>", "</Key></Contents>", encoded)
                  + elements(
                      prefixes, "<CommonPrefixes><Prefix>", "</Prefix></CommonPrefixes>", encoded)
                  + "</ListBucketResult>"));
    }

    private static String elements(
        SortedSet<String> names, String before, String after, boolean encoded) {
      return names.stream()
          .map(
              name ->
                  before
                      + (encoded ? URLEncoder.encode(name, StandardCharsets.UTF_8) : name)
                      + after)
          .collect(Collectors.joining());
    }
  }

  @Test
  void a_key_with_a_control_character_hides_no_other_and_is_erased_with_its_prefix() {
    Bucket bucket = new Bucket(true);
    with(
        bucket,
        store -> {
          assertThat(await(store.list().map(StoreKey::value).collectList()))
              .containsExactlyInAnyOrderElementsOf(STRANGE);
          assertThat(await(store.listDir(StorePrefix.of("p/")).collectList()))
              .contains(
                  new ListEntry.Key(StoreKey.of("p/\u0001")),
                  new ListEntry.Prefix(StorePrefix.of("p/d/")))
              .hasSize(STRANGE.size());
          await(store.erasePrefix(StorePrefix.of("p/")));
          assertThat(bucket.keys).isEmpty();
        });
  }

  @Test
  void a_key_that_a_server_lists_as_another_is_not_said_to_be_erased() {
    Bucket bucket =
        new Bucket(false) {
          @Override
          public ServerResponse apply(ReceivedRequest asked) {
            ServerResponse answer = super.apply(asked);
            String xml = new String(answer.body().toByteArray(), StandardCharsets.UTF_8);
            return new ServerResponse(
                answer.status(), answer.headers(), Bytes.utf8(xml.replace('\u0001', '\uFFFD')));
          }
        };
    with(
        bucket,
        store ->
            assertThat(errorOf(store.erasePrefix(StorePrefix.of("p/"))))
                .isExactlyInstanceOf(StoreException.class)
                .hasMessageContaining("cannot erase all of s3://bucket/p/")
                .hasMessageContaining("ignores encoding-type=url")
                .hasMessageContaining("p/\uFFFD"));
    assertThat(bucket.keys).containsExactly("p/\u0001");
  }

  @Test
  void a_prefix_that_the_server_repeats_without_encoding_is_listed_all_the_same() {
    with(
        asked -> {
          boolean encoded = asked.uri().contains("encoding-type");
          return ServerResponse.of(
              200,
              Bytes.utf8(
                  "<ListBucketResult>"
                      + (encoded ? "<EncodingType>url</EncodingType>" : "")
                      + "<Prefix>100%/</Prefix><Contents><Key>"
                      + (encoded ? "100%25/a" : "100%/a")
                      + "</Key></Contents></ListBucketResult>"));
        },
        store ->
            assertThat(await(store.listPrefix(StorePrefix.of("100%/")).collectList()))
                .containsExactly(StoreKey.of("100%/a")));
  }

  @Test
  void a_server_that_ignores_the_encoding_is_read_as_it_writes() {
    Bucket bucket = new Bucket(false);
    bucket.keys.remove("p/\u0001");
    with(
        bucket,
        store ->
            assertThat(await(store.list().map(StoreKey::value).collectList()))
                .containsExactlyInAnyOrderElementsOf(bucket.keys));
  }
}
