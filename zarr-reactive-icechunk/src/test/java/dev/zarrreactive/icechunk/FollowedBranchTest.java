package dev.zarrreactive.icechunk;

import static dev.zarrreactive.testing.Waiting.await;
import static dev.zarrreactive.testing.Waiting.errorOf;
import static org.assertj.core.api.Assertions.assertThat;

import dev.zarrreactive.Zarr;
import dev.zarrreactive.ZarrArray;
import dev.zarrreactive.ZarrHierarchy;
import dev.zarrreactive.ZarrNode;
import dev.zarrreactive.array.NdArray;
import dev.zarrreactive.array.Shape;
import dev.zarrreactive.array.selection.Selection;
import dev.zarrreactive.base.StorePrefix;
import dev.zarrreactive.datatype.DataTypes;
import dev.zarrreactive.metadata.ArrayMetadata;
import dev.zarrreactive.store.Store;
import dev.zarrreactive.store.StoreSnapshot;
import dev.zarrreactive.store.decorator.Stores;
import dev.zarrreactive.store.file.FileSystemStore;
import dev.zarrreactive.testkit.InstrumentedStore;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Schedulers;

/** A hierarchy that follows a branch opens nodes in its newest snapshot, and reads them in that. */
class FollowedBranchTest {
  private static final int ROWS = 64;

  @TempDir Path directory;
  private InstrumentedStore files;
  private IcechunkRepository repository;
  private ZarrHierarchy followed;

  @BeforeEach
  void write() {
    FileSystemStore place = FileSystemStore.open(directory);
    await(Icechunk.create(place));
    commit("main", 1);
    files = InstrumentedStore.of(place);
    repository = await(Icechunk.open(files));
    followed = Zarr.hierarchy(await(repository.store(IcechunkVersion.MAIN))).following();
  }

  /** Writes arrays of one value, and commits them, by another program as it were. */
  private void commit(String branch, int value) {
    IcechunkRepository other = await(Icechunk.open(FileSystemStore.open(directory)));
    IcechunkSession session = await(other.session(branch));
    ZarrHierarchy hierarchy = Zarr.hierarchy(session);
    for (String name : List.of("a", "b")) {
      int[] values = new int[ROWS * 1000];
      Arrays.fill(values, value);
      NdArray data = NdArray.ofInts(DataTypes.INT32, Shape.of(ROWS, 1000), values);
      await(
          hierarchy
              .openArray(name)
              .onErrorResume(
                  e ->
                      hierarchy.createArray(
                          name,
                          ArrayMetadata.v3(data.shape(), DataTypes.INT32)
                              .chunkShape(1, 1000)
                              .build()))
              .flatMap(array -> array.write("...", data)));
    }
    await(session.commit("value " + value));
  }

  private static Mono<Integer> value(ZarrArray array, String selection) {
    return array
        .read(selection)
        .map(
            read -> {
              double[] all = read.toDoubleArray();
              assertThat(all).containsOnly(all[0]);
              return (int) all[0];
            });
  }

  private static int firstRow(Mono<? extends ZarrNode> opened) {
    return await(opened.flatMap(node -> value((ZarrArray) node, "0,:")));
  }

  private int now() {
    return await(followed.openArray("a").flatMap(array -> value(array, "5:7,:")));
  }

  @Test
  void a_node_is_opened_in_the_newest_snapshot_and_read_in_that_to_its_end() {
    ZarrArray before = await(followed.openArray("a"));
    List<Double> seen =
        await(
            before
                .chunksInOrder(Selection.all())
                .publishOn(Schedulers.boundedElastic(), 1)
                .index()
                .doOnNext(
                    chunk -> {
                      if (chunk.getT1() % 16 == 3) {
                        commit("main", (int) (chunk.getT1() + 100));
                      }
                    })
                .map(chunk -> chunk.getT2().data().getDouble(0, 0)));
    assertThat(seen).hasSize(ROWS).containsOnly(1.0);
    assertThat(now()).as("opened after the commits").isEqualTo(151);
    assertThat(await(value(before, "..."))).isEqualTo(1);
  }

  @Test
  void all_ways_to_open_a_node_see_a_commit() {
    commit("main", 2);
    assertThat(firstRow(followed.open("a"))).isEqualTo(2);
    commit("main", 3);
    assertThat(firstRow(followed.inspect("a"))).isEqualTo(3);
    commit("main", 4);
    List<String> children =
        await(
            followed
                .openGroup("")
                .flatMapMany(group -> group.children())
                .concatMap(node -> value((ZarrArray) node, "0,:"))
                .map(String::valueOf));
    assertThat(children).containsExactly("4", "4");
    assertThat(await(followed.exists("a"))).isTrue();
    assertThat(followed.store().toString()).contains(followed(4));
  }

  private String followed(int commits) {
    List<IcechunkSnapshot> history =
        await(repository.refresh().flatMapMany(now -> now.history(IcechunkVersion.MAIN)));
    assertThat(history).hasSize(commits + 1);
    return history.get(0).id();
  }

  @Test
  void nothing_new_costs_one_request_without_a_body_and_keeps_what_is_cached() {
    assertThat(now()).isEqualTo(1);
    files.counts().reset();
    assertThat(now()).isEqualTo(1);
    assertThat(files.counts().total()).as("the info; small chunks are in manifests").isEqualTo(1);
    assertThat(files.counts().bytesRead()).isZero();
    commit("main", 2);
    assertThat(now()).isEqualTo(2);
  }

  @Test
  void a_commit_to_another_branch_keeps_the_hierarchy() {
    await(repository.createBranch("dev", IcechunkVersion.MAIN));
    assertThat(now()).isEqualTo(1);
    Store before = followed.store();
    commit("dev", 9);
    assertThat(now()).isEqualTo(1);
    assertThat(followed.store()).isSameAs(before);
  }

  @Test
  void many_who_ask_at_once_share_the_requests_for_the_state() {
    commit("main", 2);
    files.counts().reset();
    List<Integer> all =
        await(
            Flux.range(0, 200)
                .flatMap(
                    any -> followed.openArray("a").flatMap(array -> value(array, "0,:")), 200));
    assertThat(all).containsOnly(2);
    assertThat(files.counts().total()).as("the chunk, and some of the info").isLessThan(30);
  }

  @Test
  void one_context_has_one_snapshot() {
    int[] seen =
        await(
            Mono.defer(() -> followed.openArray("a"))
                .publishOn(Schedulers.boundedElastic())
                .doOnNext(any -> commit("main", 7))
                .zipWhen(any -> followed.openArray("b"))
                .flatMap(
                    both ->
                        value(both.getT1(), "0,:")
                            .zipWith(value(both.getT2(), "0,:"), (a, b) -> new int[] {a, b}))
                .contextWrite(ZarrHierarchy::inOneSnapshot));
    assertThat(seen).containsExactly(1, 1);
    assertThat(now()).isEqualTo(7);
  }

  @Test
  void a_tag_and_a_snapshot_stay_and_a_part_of_a_branch_follows() {
    IcechunkRepository tagged = await(repository.createTag("v1", IcechunkVersion.MAIN));
    ZarrHierarchy tag = Zarr.hierarchy(await(tagged.store(IcechunkVersion.tag("v1")))).following();
    Store part =
        Stores.prefixed(await(repository.store(IcechunkVersion.MAIN)), StorePrefix.of("a/"));
    ZarrHierarchy below = Zarr.hierarchy(part).following();
    commit("main", 2);
    assertThat(firstRow(tag.openArray("a"))).isEqualTo(1);
    assertThat(firstRow(below.openArray(""))).isEqualTo(2);
    assertThat(StoreSnapshot.of(part)).isNotNull();
    ZarrHierarchy plain = Zarr.hierarchy(FileSystemStore.open(directory));
    assertThat(plain.following()).isSameAs(plain);
  }

  @Test
  void a_service_follows_a_branch_as_the_page_shows_it() {
    Store store = await(repository.store(IcechunkVersion.MAIN));
    // docs: icechunk-follow
    ZarrHierarchy hierarchy = Zarr.hierarchy(store).following();
    Mono<NdArray> newest = hierarchy.openArray("a").flatMap(array -> array.read("0,0:2"));
    // docs: end
    assertThat(await(newest).toDoubleArray()).containsExactly(1, 1);
    commit("main", 2);
    assertThat(await(newest).toDoubleArray()).containsExactly(2, 2);
  }

  @Test
  void a_branch_that_was_deleted_is_an_error() {
    IcechunkRepository now = await(repository.createBranch("dev", IcechunkVersion.MAIN));
    Store dev = await(now.store(IcechunkVersion.branch("dev")));
    await(now.deleteBranch("dev"));
    assertThat(errorOf(Zarr.hierarchy(dev).following().openArray("a"))).hasMessageContaining("dev");
  }
}
