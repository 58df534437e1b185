package dev.zarrreactive.icechunk;

import static dev.zarrreactive.icechunk.WrittenRepository.SNAPSHOT;
import static dev.zarrreactive.icechunk.WrittenRepository.id;
import static dev.zarrreactive.testing.Waiting.await;
import static dev.zarrreactive.testing.Waiting.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import dev.zarrreactive.base.ByteRange;
import dev.zarrreactive.base.Bytes;
import dev.zarrreactive.base.StoreKey;
import dev.zarrreactive.base.StorePrefix;
import dev.zarrreactive.icechunk.WrittenRepository.Ref;
import dev.zarrreactive.observation.StoreRequest;
import dev.zarrreactive.store.LocatedValues;
import dev.zarrreactive.store.Store;
import dev.zarrreactive.store.ValuePlace;
import dev.zarrreactive.testkit.HeldRequests;
import dev.zarrreactive.testkit.InstrumentedStore;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Schedulers;

/** What a read of a repository asks its store for. */
class IcechunkRequestsTest {
  private final InstrumentedStore place = InstrumentedStore.of(written().store());

  private static WrittenRepository written() {
    return new WrittenRepository()
        .group("/", "{}")
        .array(
            "/a",
            "{\"a\":1}",
            new int[] {4},
            List.of(Ref.chunk(7, 0, 2, 0), Ref.chunk(7, 2, 2, 1)),
            List.of(Ref.chunk(8, 0, 2, 2), Ref.inline(new byte[] {9}, 3)))
        .object(7, new byte[] {1, 2, 3, 4})
        .object(8, new byte[] {5, 6});
  }

  private List<String> asked() {
    List<String> keys = place.counts().requests().stream().map(StoreRequest::target).toList();
    place.counts().reset();
    return keys;
  }

  private IcechunkRepository open(IcechunkOptions options) {
    return await(Icechunk.open(place, options));
  }

  private Store main() {
    return await(open(IcechunkOptions.defaults()).store(IcechunkVersion.MAIN));
  }

  @Test
  void a_node_of_a_repository_of_version_2_costs_two_requests() {
    Store store = main();
    assertThat(await(store.get(StoreKey.of("a/zarr.json")))).isEqualTo(Bytes.utf8("{\"a\":1}"));
    assertThat(asked()).containsExactly("repo", "snapshots/" + SNAPSHOT);
  }

  @Test
  void a_node_of_a_repository_of_version_1_costs_three_requests() {
    InstrumentedStore old = InstrumentedStore.of(WrittenRepository.oldHistory(3));
    Mono<Store> store =
        Icechunk.open(old).flatMap(repository -> repository.store(IcechunkVersion.MAIN));
    await(store);
    assertThat(old.counts().requests())
        .extracting(StoreRequest::target)
        .containsExactly("repo", "refs/branch.main/ref.json", "snapshots/" + id(3));
  }

  @Test
  void version_1_is_looked_for_after_version_2_has_been_missed() {
    InstrumentedStore old = InstrumentedStore.of(WrittenRepository.oldHistory(1));
    HeldRequests held = old.hold(request -> request.target().equals("repo"));
    Mono<IcechunkRepository> opening = Icechunk.open(old).cache();
    opening.subscribeOn(Schedulers.parallel()).subscribe();
    eventually("the request of version 2", () -> old.counts().inFlight() == 1);
    assertThat(old.counts().requests()).hasSize(1);
    held.release();
    assertThat(await(opening).specVersion()).isEqualTo(1);
  }

  @Test
  void both_versions_are_looked_for_at_once_where_version_1_is_expected() {
    InstrumentedStore old = InstrumentedStore.of(WrittenRepository.oldHistory(1));
    for (InstrumentedStore one : List.of(old, place)) {
      HeldRequests held = one.hold(request -> true);
      Mono<IcechunkRepository> opening =
          Icechunk.open(one, IcechunkOptions.defaults().withVersion1Expected(true)).cache();
      opening.subscribeOn(Schedulers.parallel()).subscribe();
      eventually("both requests", () -> one.counts().inFlight() == 2);
      held.release();
      assertThat(await(opening).specVersion()).isEqualTo(one == place ? 2 : 1);
      assertThat(one.counts().requests())
          .extracting(StoreRequest::target)
          .containsExactlyInAnyOrder("repo", "refs/branch.main/ref.json");
    }
  }

  @Test
  void a_repository_of_version_1_looks_for_both_versions_at_once_when_it_is_refreshed() {
    InstrumentedStore old = InstrumentedStore.of(WrittenRepository.oldHistory(1));
    IcechunkRepository repository = await(Icechunk.open(old));
    old.counts().reset();
    HeldRequests held = old.hold(request -> true);
    Mono<IcechunkRepository> refreshing = repository.refresh().cache();
    refreshing.subscribeOn(Schedulers.parallel()).subscribe();
    eventually("both requests", () -> old.counts().inFlight() == 2);
    held.release();
    assertThat(await(refreshing).specVersion()).isEqualTo(1);
  }

  @Test
  void branches_tags_and_history_of_version_2_cost_nothing() {
    IcechunkRepository repository = open(IcechunkOptions.defaults());
    asked();
    await(repository.branches());
    await(repository.tags());
    await(repository.history(IcechunkVersion.MAIN));
    await(repository.snapshot(IcechunkVersion.MAIN));
    assertThat(asked()).isEmpty();
  }

  @Test
  void a_chunk_costs_its_manifest_and_itself_and_the_next_one_itself() {
    Store store = main();
    asked();
    assertThat(await(store.get(StoreKey.of("a/c/0")))).isEqualTo(Bytes.wrap(new byte[] {1, 2}));
    assertThat(asked()).containsExactly("manifests/" + id(100), "chunks/" + id(7));
    assertThat(await(store.get(StoreKey.of("a/c/1")))).isEqualTo(Bytes.wrap(new byte[] {3, 4}));
    assertThat(asked()).containsExactly("chunks/" + id(7));
    assertThat(await(store.get(StoreKey.of("a/c/3")))).isEqualTo(Bytes.wrap(new byte[] {9}));
    assertThat(asked()).containsExactly("manifests/" + id(101));
  }

  @Test
  void a_chunk_outside_of_the_grid_or_of_no_array_costs_nothing() {
    Store store = main();
    asked();
    for (String key : List.of("a/c/4", "a/c/0/0", "a/c", "b/c/0", "c/0", "a/.zarray", "a/c/00")) {
      assertThat(await(store.get(StoreKey.of(key)))).as(key).isNull();
    }
    assertThat(asked()).isEmpty();
  }

  @Test
  void many_readers_of_one_manifest_share_one_request() {
    Store store = main();
    asked();
    HeldRequests held = place.hold(request -> request.target().startsWith("manif"));
    Mono<List<Bytes>> reading =
        Flux.range(0, 50)
            .flatMap(i -> store.get(StoreKey.of("a/c/" + i % 2)), 50)
            .collectList()
            .cache();
    reading.subscribeOn(Schedulers.parallel()).subscribe();
    eventually("the request", () -> place.counts().inFlight() == 1);
    held.release();
    assertThat(await(reading)).hasSize(50);
    assertThat(asked().stream().filter(key -> key.startsWith("manifests/")).toList())
        .containsExactly("manifests/" + id(100));
  }

  @Test
  void the_manifests_of_a_read_are_asked_for_at_once() {
    Store store = main();
    HeldRequests held = place.hold(request -> request.target().startsWith("manif"));
    Mono<List<Bytes>> reading =
        Flux.range(0, 4).flatMap(i -> store.get(StoreKey.of("a/c/" + i))).collectList().cache();
    reading.subscribeOn(Schedulers.parallel()).subscribe();
    eventually("both manifests", () -> place.counts().inFlight() == 2);
    held.release();
    assertThat(await(reading)).hasSize(4);
  }

  @Test
  void where_many_chunks_lie_costs_their_manifests_at_once() {
    Store store = main();
    asked();
    List<StoreKey> keys =
        List.of(
            StoreKey.of("a/c/2"),
            StoreKey.of("a/zarr.json"),
            StoreKey.of("a/c/1"),
            StoreKey.of("a/c/3"),
            StoreKey.of("a/c/9"));
    List<Optional<ValuePlace>> places =
        await(Objects.requireNonNull(LocatedValues.of(store)).places(keys));
    assertThat(
            places.stream()
                .map(place -> place.map(found -> found.object().key() + " " + found.range())))
        .containsExactly(
            Optional.of("chunks/" + id(8) + " " + new ByteRange.Slice(0, 2)),
            Optional.empty(),
            Optional.of("chunks/" + id(7) + " " + new ByteRange.Slice(2, 2)),
            Optional.empty(),
            Optional.empty());
    assertThat(asked()).containsExactlyInAnyOrder("manifests/" + id(100), "manifests/" + id(101));
  }

  private static List<Ref> inline(int count) {
    return IntStream.range(0, count).mapToObj(i -> Ref.inline(new byte[] {1}, i)).toList();
  }

  @Test
  void manifests_of_coordinates_are_asked_for_with_the_store_only_where_the_reader_wants_it() {
    WrittenRepository written =
        new WrittenRepository()
            .listed()
            .array("/air", "{}", new int[] {4}, inline(4))
            .array("/g/lat", "{}", new int[] {4}, inline(4))
            .array("/g/latent", "{}", new int[] {4}, inline(4))
            .array("/level2", "{}", new int[] {1000}, inline(1000))
            .array("/longitude_b", "{}", new int[] {4}, inline(4))
            .array(
                "/time",
                "{}",
                new int[] {2000},
                inline(1001),
                List.of(Ref.inline(new byte[1], 1001)));
    InstrumentedStore sea = InstrumentedStore.of(written.store());
    for (boolean preloads : new boolean[] {true, false}) {
      IcechunkOptions options = IcechunkOptions.defaults().withPreloadedCoordinates(preloads);
      IcechunkRepository repository = await(Icechunk.open(sea, options));
      sea.counts().reset();
      Store store = await(repository.store(IcechunkVersion.MAIN));
      List<String> wanted =
          IntStream.of(101, 102, 103, 106).mapToObj(number -> "manifests/" + id(number)).toList();
      assertThat(sea.counts().requests().stream().map(StoreRequest::target))
          .filteredOn(target -> target.startsWith("manifests/"))
          .as("lat, latent, level2 and the small manifest of time")
          .containsExactlyInAnyOrderElementsOf(preloads ? wanted : List.of());
      sea.counts().reset();
      assertThat(await(store.get(StoreKey.of("g/lat/c/0")))).isNotNull();
      assertThat(sea.counts().total()).isEqualTo(preloads ? 0 : 1);
    }
  }

  @Test
  void the_manifests_of_coordinates_are_bounded_in_all() {
    WrittenRepository written = new WrittenRepository().listed();
    for (int i = 0; i < 12; i++) {
      written.array("/a" + i + "/time", "{}", new int[] {900}, inline(900));
    }
    for (int i = 0; i < 60; i++) {
      written.array("/b" + i + "/time", "{}", new int[] {1}, inline(1));
    }
    InstrumentedStore sea = InstrumentedStore.of(written.store());
    IcechunkOptions options = IcechunkOptions.defaults().withPreloadedCoordinates(true);
    await(Icechunk.open(sea, options).flatMap(found -> found.store(IcechunkVersion.MAIN)));
    assertThat(sea.counts().requests().stream().map(StoreRequest::target))
        .filteredOn(target -> target.startsWith("manifests/"))
        .as("11 of 900 references, and the small ones of 50 arrays in all")
        .hasSize(11 + 38);
  }

  @Test
  void names_of_coordinates_are_those_of_icechunk() {
    assertThat(
            List.of(
                "t",
                "time",
                "year2",
                "z",
                "olev",
                "level",
                "hght",
                "height_2",
                "isobaric1",
                "y",
                "j",
                "rlat",
                "lat",
                "ylatb",
                "latitude",
                "nav_lat",
                "glamt",
                "xlon",
                "lon2",
                "ni"))
        .allMatch(Coordinates::isName);
    assertThat(
            List.of(
                "T",
                "times",
                "tt",
                "lat_b",
                "xlat",
                "ylon",
                "yy",
                "temperature",
                "band",
                "",
                "heght"))
        .noneMatch(Coordinates::isName);
  }

  @Test
  void a_cancelled_reader_takes_no_manifest_from_another_one_and_the_last_one_ends_the_request() {
    Store store = main();
    asked();
    HeldRequests held = place.hold(request -> request.target().startsWith("manif"));
    Mono<Bytes> reading = store.get(StoreKey.of("a/c/0"));
    var one = reading.subscribe();
    var other = reading.subscribe();
    eventually("the request", () -> place.counts().inFlight() == 1);
    one.dispose();
    assertThat(place.counts().inFlight()).isEqualTo(1);
    other.dispose();
    eventually("no request", () -> place.counts().inFlight() == 0);
    assertThat(place.counts().cancelled()).isEqualTo(1);
    held.release();
    assertThat(await(reading)).isNotNull();
  }

  @Test
  void a_file_that_is_larger_than_the_cache_is_kept_until_the_next_one() {
    IcechunkRepository repository = open(IcechunkOptions.defaults().withCacheBytes(1));
    Store store = await(repository.store(IcechunkVersion.MAIN));
    asked();
    await(store.get(StoreKey.of("a/c/0")));
    await(store.get(StoreKey.of("a/c/1")));
    assertThat(asked().stream().filter(key -> key.startsWith("manifests/"))).hasSize(1);
    await(store.get(StoreKey.of("a/c/2")));
    await(store.get(StoreKey.of("a/c/0")));
    assertThat(asked().stream().filter(key -> key.startsWith("manifests/"))).hasSize(2);
  }

  @Test
  void a_repository_that_has_not_changed_is_revalidated_by_one_request_without_a_body() {
    IcechunkRepository repository = open(IcechunkOptions.defaults());
    place.counts().reset();
    assertThat(await(repository.refresh())).isSameAs(repository);
    assertThat(place.counts().bytesRead()).isZero();
    assertThat(asked()).containsExactly("repo");
  }

  @Test
  void a_repository_that_has_changed_is_another_one_with_the_same_files_in_memory() {
    IcechunkRepository repository = open(IcechunkOptions.defaults());
    Store before = await(repository.store(IcechunkVersion.MAIN));
    Bytes repo = await(place.get(StoreKey.of("repo")));
    await(place.set(StoreKey.of("repo"), repo));
    asked();
    IcechunkRepository now = await(repository.refresh());
    assertThat(now).isNotSameAs(repository);
    assertThat(await(now.store(IcechunkVersion.MAIN))).hasToString(before.toString());
    assertThat(asked()).containsExactly("repo");
  }

  @Test
  void a_listing_of_nodes_asks_for_nothing_and_one_of_chunks_for_their_manifests() {
    Store store = main();
    asked();
    await(store.listDir(StorePrefix.ROOT));
    assertThat(asked()).isEmpty();
    assertThat(await(store.listPrefix(StorePrefix.of("a/c/")))).hasSize(4);
    assertThat(asked())
        .containsExactlyInAnyOrderElementsOf(
            IntStream.of(100, 101).mapToObj(number -> "manifests/" + id(number)).toList());
  }
}
