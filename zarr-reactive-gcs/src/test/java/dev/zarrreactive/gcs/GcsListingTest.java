package dev.zarrreactive.gcs;

import static dev.zarrreactive.testing.Waiting.await;
import static dev.zarrreactive.testing.Waiting.errorOf;
import static org.assertj.core.api.Assertions.assertThat;

import dev.zarrreactive.base.Bytes;
import dev.zarrreactive.base.StoreKey;
import dev.zarrreactive.base.StorePrefix;
import dev.zarrreactive.error.StoreException;
import dev.zarrreactive.faults.NoLeaks;
import dev.zarrreactive.faults.server.FaultyServer;
import dev.zarrreactive.faults.server.Origin;
import dev.zarrreactive.faults.server.ServerResponse;
import dev.zarrreactive.store.ListEntry;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import reactor.core.publisher.Mono;
import reactor.test.StepVerifier;

/** The pages of a listing. */
@ExtendWith(NoLeaks.class)
class GcsListingTest {
  private final XmlApiServer google = XmlApiServer.start();
  private final String bucket = google.newBucket();
  private final FaultyServer server = FaultyServer.before(google.uri());
  private final GcsStore store = GcsStore.at(bucket).endpoint(server.uri()).open();

  @AfterEach
  void close() {
    await(store.close());
    server.close();
    google.close();
  }

  @Test
  void a_page_is_requested_when_one_of_its_keys_is_demanded() {
    google.pagesOf(2);
    for (int i = 0; i < 5; i++) {
      google.put(bucket, "a/" + i, new byte[i]);
    }
    StepVerifier.create(store.listPrefix(StorePrefix.of("a/")), 0)
        .then(() -> assertThat(server.requests()).isEmpty())
        .thenRequest(2)
        .expectNext(StoreKey.of("a/0"), StoreKey.of("a/1"))
        .then(() -> assertThat(server.requests()).hasSize(1))
        .thenRequest(3)
        .expectNextCount(3)
        .verifyComplete();
    assertThat(server.requests()).hasSize(3);
    assertThat(server.requests().get(0).uri()).isEqualTo("/" + bucket + "?list-type=2&prefix=a%2F");
  }

  @Test
  void values_have_their_sizes_and_directories_are_prefixes() {
    google.put(bucket, "a/b", new byte[3]);
    google.put(bucket, "a/c/d", new byte[4]);
    google.put(bucket, "a/", new byte[0]); // a directory of other tools
    assertThat(await(store.listDir(StorePrefix.of("a/")).collectList()))
        .containsExactlyInAnyOrder(
            new ListEntry.Key(StoreKey.of("a/b"), 3), new ListEntry.Prefix(StorePrefix.of("a/c/")));
    assertThat(await(store.listValues(StorePrefix.ROOT).collectList()))
        .containsExactly(
            new ListEntry.Key(StoreKey.of("a/b"), 3), new ListEntry.Key(StoreKey.of("a/c/d"), 4));
  }

  static Stream<Arguments> wrongPages() {
    return Stream.of(
        Arguments.of("", "is no listing in XML"),
        Arguments.of("<html></html>", "the root is html, not ListBucketResult"),
        Arguments.of("<ListBucketResult><Contents></ListBucketResult>", "is no listing in XML"),
        Arguments.of("<ListBucketResult><Contents/></ListBucketResult>", "an object has no Key"),
        Arguments.of(
            "<ListBucketResult><Contents><Key>a</Key><LastModified>noon</LastModified></Contents>"
                + "</ListBucketResult>",
            "a LastModified that is no time: noon"),
        Arguments.of(
            "<ListBucketResult><Contents><Key>a</Key><Size>x</Size></Contents></ListBucketResult>",
            "a Size is no number"),
        Arguments.of(
            "<!DOCTYPE a [<!ENTITY b SYSTEM 'file:///etc/passwd'>]>"
                + "<ListBucketResult><Contents><Key>&b;</Key></Contents></ListBucketResult>",
            "is no listing in XML"),
        Arguments.of(
            "<ListBucketResult><IsTruncated>true</IsTruncated></ListBucketResult>",
            "is cut off: more keys follow, and no continuation token"),
        Arguments.of(
            "<ListBucketResult><IsTruncated>true</IsTruncated>"
                + "<NextContinuationToken>a</NextContinuationToken></ListBucketResult>",
            "has no end: a continuation token came again"));
  }

  @ParameterizedTest
  @MethodSource("wrongPages")
  void a_page_that_is_none_is_a_located_error(String body, String said) {
    Origin wrong = asked -> Mono.just(ServerResponse.of(200, Bytes.utf8(body)));
    try (FaultyServer other = FaultyServer.of(wrong)) {
      GcsStore listed = GcsStore.at("data").endpoint(other.uri()).open();
      assertThat(errorOf(listed.listPrefix(StorePrefix.of("a/b/")).then()))
          .isInstanceOf(StoreException.class)
          .hasMessageContaining("the listing of gs://data/a/b/ ")
          .hasMessageContaining(said)
          .hasMessageContaining("key a/b/");
      await(listed.close());
    }
  }

  @Test
  void all_values_below_a_prefix_are_erased_page_by_page() {
    google.pagesOf(3);
    for (int i = 0; i < 10; i++) {
      google.put(bucket, "a/" + i, new byte[i]);
    }
    google.put(bucket, "b", new byte[1]);
    await(store.erasePrefix(StorePrefix.of("a/")));
    assertThat(await(store.list().collectList())).isEqualTo(List.of(StoreKey.of("b")));
  }
}
