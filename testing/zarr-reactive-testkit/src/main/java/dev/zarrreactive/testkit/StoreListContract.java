package dev.zarrreactive.testkit;

import static dev.zarrreactive.store.StoreCapability.LIST;
import static dev.zarrreactive.store.StoreCapability.VERSIONS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.zarrreactive.base.StoreKey;
import dev.zarrreactive.base.StorePrefix;
import dev.zarrreactive.error.PreconditionFailedException;
import dev.zarrreactive.error.StoreException;
import dev.zarrreactive.store.ListEntry;
import dev.zarrreactive.store.ReadCondition;
import java.time.Instant;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import reactor.core.publisher.Flux;
import reactor.test.StepVerifier;

/** Listing keys. */
abstract class StoreListContract extends StoreEraseContract {
  StoreListContract() {}

  @Test
  void all_keys_are_listed_once() {
    needs(LIST);
    seed("zarr.json", "a/zarr.json", "a/c/0/0", "a/c/0/1", "b");
    assertThat(keys(store().list()))
        .containsExactlyInAnyOrder("zarr.json", "a/zarr.json", "a/c/0/0", "a/c/0/1", "b");
    assertThat(keys(store().listPrefix(StorePrefix.ROOT)))
        .containsExactlyInAnyOrder("zarr.json", "a/zarr.json", "a/c/0/0", "a/c/0/1", "b");
  }

  @Test
  void an_empty_store_lists_nothing() {
    needs(LIST);
    assertThat(keys(store().list())).isEmpty();
    assertThat(await(store().listDir(StorePrefix.ROOT))).isEmpty();
  }

  @Test
  void a_prefix_lists_what_begins_with_it_and_not_its_neighbours() {
    needs(LIST);
    seed("a/b/c", "a/b/d/e", "a/bc", "a/b!", "a/b0/c", "ab/b/c");
    assertThat(keys(store().listPrefix(StorePrefix.of("a/b/"))))
        .containsExactlyInAnyOrder("a/b/c", "a/b/d/e");
  }

  @Test
  void an_unknown_prefix_is_empty_and_no_error() {
    needs(LIST);
    seed("a/b", "c");
    for (String unknown : List.of("b/", "a/c/d/", "c/", "a/b/")) {
      assertThat(keys(store().listPrefix(StorePrefix.of(unknown)))).as(unknown).isEmpty();
      assertThat(await(store().listDir(StorePrefix.of(unknown)))).as(unknown).isEmpty();
    }
  }

  @Test
  void a_listing_tells_the_times_that_conditions_go_by_or_none() {
    needs(LIST);
    needs(VERSIONS);
    seed("a/b", "a/c");
    for (ListEntry.Key entry : await(store().listValues(StorePrefix.of("a/")))) {
      Instant time = entry.modified();
      if (time != null) {
        // HTTP sends whole seconds, and a server may compare less
        assertThat(readUnless(entry, time.plusSeconds(1))).isIn("read", "unsupported");
        assertThat(readUnless(entry, time.minusSeconds(60))).isIn("modified", "unsupported");
      }
    }
  }

  private String readUnless(ListEntry.Key entry, Instant modified) {
    return await(
            store()
                .getVersioned(entry.key(), null, ReadCondition.ifUnmodifiedSince(modified))
                .map(read -> "read")
                .onErrorReturn(PreconditionFailedException.class, "modified")
                .onErrorReturn(StoreException.class, "unsupported")
                .flux())
        .get(0);
  }

  @Test
  void a_directory_lists_keys_and_prefixes_one_level_down_each_once() {
    needs(LIST);
    seed("zarr.json", "a/zarr.json", "a/c/0/0", "a/c/0/1", "a/c/1/0", "ab/zarr.json", "c");
    assertThat(await(store().listDir(StorePrefix.ROOT)))
        .containsExactlyInAnyOrder(key("zarr.json"), prefix("a/"), prefix("ab/"), key("c"));
    assertThat(await(store().listDir(StorePrefix.of("a/"))))
        .containsExactlyInAnyOrder(key("a/zarr.json"), prefix("a/c/"));
    assertThat(await(store().listDir(StorePrefix.of("a/c/")).map(ListEntry::name)))
        .containsExactlyInAnyOrder("0", "1");
    assertThat(await(store().listDir(StorePrefix.of("a/c/0/"))))
        .containsExactlyInAnyOrder(key("a/c/0/0"), key("a/c/0/1"));
  }

  @Test
  void a_name_that_is_both_a_key_and_a_prefix_is_listed_as_both() {
    needs(LIST);
    assumeTrue(keysMayBePrefixes());
    seed("a", "a/b", "a/b/c");
    assertThat(keys(store().list())).containsExactlyInAnyOrder("a", "a/b", "a/b/c");
    assertThat(keys(store().listPrefix(StorePrefix.of("a/"))))
        .containsExactlyInAnyOrder("a/b", "a/b/c");
    assertThat(await(store().listDir(StorePrefix.ROOT)))
        .containsExactlyInAnyOrder(key("a"), prefix("a/"));
    assertThat(await(store().listDir(StorePrefix.of("a/"))))
        .containsExactlyInAnyOrder(key("a/b"), prefix("a/b/"));
  }

  @Test
  void unusual_names_are_listed_as_they_were_written() {
    needs(LIST);
    String[] names =
        StoreContract.UNUSUAL_KEYS.stream()
            .filter(name -> canHold(StoreKey.of(name)))
            .toArray(String[]::new);
    seed(names);
    assertThat(keys(store().list())).containsExactlyInAnyOrder(names);
    assertThat(
            await(
                store()
                    .listDir(StorePrefix.ROOT)
                    .flatMap(
                        entry ->
                            entry instanceof ListEntry.Prefix below
                                ? store().listPrefix(below.prefix())
                                : Flux.just(((ListEntry.Key) entry).key()))
                    .map(StoreKey::value)))
        .containsExactlyInAnyOrder(names);
  }

  @Test
  void more_keys_than_fit_on_a_page_are_all_listed() {
    needs(LIST);
    String[] names =
        IntStream.range(0, 1040)
            .mapToObj(i -> "a/c/" + i / 40 + "/" + i % 40)
            .toArray(String[]::new);
    seed(names);
    assertThat(keys(store().listPrefix(StorePrefix.of("a/")))).containsExactlyInAnyOrder(names);
    assertThat(await(store().listDir(StorePrefix.of("a/c/")))).hasSize(26).doesNotHaveDuplicates();
  }

  @Test
  void listings_deliver_what_is_demanded_and_no_more() {
    needs(LIST);
    seed("d/1", "d/2", "d/3", "d/4");
    for (Flux<?> listing : listings()) {
      StepVerifier.create(listing, 0)
          .expectSubscription()
          .thenRequest(1)
          .expectNextCount(1)
          .thenRequest(2)
          .expectNextCount(2)
          .thenRequest(Long.MAX_VALUE)
          .expectNextCount(1)
          .expectComplete()
          .verify(TIMEOUT);
    }
  }

  @Test
  void a_listing_can_be_cancelled() {
    needs(LIST);
    seed("d/1", "d/2", "d/3", "d/4");
    for (Flux<?> listing : listings()) {
      StepVerifier.create(listing, 2).expectNextCount(2).thenCancel().verify(TIMEOUT);
      assertThat(await(listing.take(1))).hasSize(1);
    }
  }

  @Test
  void values_are_listed_with_their_sizes_or_without_one() {
    needs(LIST);
    seed("a/one", "a/b/three", "c");
    List<ListEntry.Key> values = await(store().listValues(StorePrefix.of("a/")));
    assertThat(values)
        .extracting(value -> value.key().value())
        .containsExactlyInAnyOrder("a/one", "a/b/three");
    List<ListEntry> entries = await(store().listDir(StorePrefix.of("a/")));
    entries.stream()
        .filter(ListEntry.Key.class::isInstance)
        .map(ListEntry.Key.class::cast)
        .forEach(values::add);
    assertThat(values)
        .allSatisfy(
            value ->
                assertThat(value.size())
                    .isIn((long) value.key().value().length(), ListEntry.Key.UNKNOWN_SIZE));
  }

  @Test
  void each_subscription_lists_again() {
    needs(LIST);
    Flux<StoreKey> all = store().list();
    Flux<ListEntry> directory = store().listDir(StorePrefix.of("a/"));
    assertThat(await(all)).isEmpty();
    assertThat(await(directory)).isEmpty();
    seed("a/b");
    assertThat(await(all)).containsExactly(StoreKey.of("a/b"));
    assertThat(await(directory)).containsExactly(key("a/b"));
  }

  private List<Flux<?>> listings() {
    StorePrefix prefix = StorePrefix.of("d/");
    return List.of(
        store().list(),
        store().listPrefix(prefix),
        store().listDir(prefix),
        store().listValues(prefix));
  }

  private static ListEntry key(String key) {
    return new ListEntry.Key(StoreKey.of(key));
  }

  private static ListEntry prefix(String prefix) {
    return new ListEntry.Prefix(StorePrefix.of(prefix));
  }
}
