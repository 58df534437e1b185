package dev.zarrreactive.internal.objects;

import static org.assertj.core.api.Assertions.assertThat;

import dev.zarrreactive.base.StorePrefix;
import dev.zarrreactive.error.StoreException;
import dev.zarrreactive.store.ListEntry;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.test.StepVerifier;

class ObjectListingTest {
  private static final ObjectNames NAMES = new ObjectNames("x://bucket/", "a/");
  private final AtomicInteger requests = new AtomicInteger();

  private ObjectListing listing(List<ObjectPage> pages) {
    return new ObjectListing(
        NAMES,
        (prefix, delimiter, token) ->
            Mono.fromSupplier(
                () -> {
                  requests.incrementAndGet();
                  return pages.get(token == null ? 0 : Integer.parseInt(token) % pages.size());
                }));
  }

  private static ObjectPage page(String next, String... names) {
    List<ObjectPage.Listed> objects =
        Flux.just(names).map(name -> new ObjectPage.Listed(name, 7, null)).collectList().block();
    return new ObjectPage(objects, List.of("a/below/"), !next.equals("end"), next);
  }

  @Test
  void a_page_is_requested_when_one_of_its_entries_is_demanded() {
    ObjectListing listing = listing(List.of(page("1", "a/b", "a/c"), page("end", "a/d")));
    StepVerifier.create(listing.keys(StorePrefix.ROOT).map(Object::toString), 0)
        .then(() -> assertThat(requests).hasValue(0))
        .thenRequest(2)
        .expectNext("b", "c")
        .then(() -> assertThat(requests).hasValue(1))
        .thenRequest(1)
        .expectNext("d")
        .expectComplete()
        .verify();
    assertThat(requests).hasValue(2);
  }

  @Test
  void entries_are_values_with_sizes_and_prefixes_without_the_markers_of_directories() {
    ObjectListing listing = listing(List.of(page("end", "a/b", "a/", "elsewhere/b")));
    assertThat(listing.entries(StorePrefix.ROOT).collectList().block())
        .hasSize(2)
        .anyMatch(entry -> entry instanceof ListEntry.Key key && key.size() == 7)
        .anyMatch(
            entry ->
                entry instanceof ListEntry.Prefix below && below.prefix().value().equals("below/"));
  }

  @Test
  void a_token_that_comes_again_is_an_error() {
    ObjectListing listing =
        listing(List.of(page("1", "a/b"), page("2", "a/c"), page("3", "a/d"), page("1", "a/e")));
    StepVerifier.create(listing.keys(StorePrefix.ROOT))
        .thenConsumeWhile(key -> true)
        .expectErrorSatisfies(
            e ->
                assertThat(e)
                    .isInstanceOf(StoreException.class)
                    .hasMessageContaining("x://bucket/a/ has no end"))
        .verify();
  }

  @Test
  void a_page_that_is_cut_off_without_a_token_is_an_error() {
    StepVerifier.create(listing(List.of(page("", "a/b"))).values(StorePrefix.ROOT))
        .expectErrorSatisfies(e -> assertThat(e).hasMessageContaining("is cut off"))
        .verify();
  }
}
