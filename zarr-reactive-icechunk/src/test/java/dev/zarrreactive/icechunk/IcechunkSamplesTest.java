package dev.zarrreactive.icechunk;

import static org.assertj.core.api.Assertions.assertThat;

import dev.zarrreactive.Zarr;
import dev.zarrreactive.ZarrArray;
import dev.zarrreactive.ZarrHierarchy;
import dev.zarrreactive.ZarrLocation;
import dev.zarrreactive.array.NdArray;
import dev.zarrreactive.array.Shape;
import dev.zarrreactive.base.Bytes;
import dev.zarrreactive.datatype.DataTypes;
import dev.zarrreactive.json.JsonObject;
import dev.zarrreactive.metadata.ArrayMetadata;
import dev.zarrreactive.store.Store;
import dev.zarrreactive.store.file.FileSystemStore;
import dev.zarrreactive.store.memory.MemoryStore;
import dev.zarrreactive.virtual.VirtualContainers;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/** The samples of docs/icechunk.md. */
class IcechunkSamplesTest {
  @TempDir static Path directory;

  @BeforeAll
  static void unpack() throws IOException {
    RepositoriesByPythonTest.unpackInto(directory);
  }

  @Test
  void a_version_is_opened_and_read() {
    Store store = FileSystemStore.open(directory.resolve("basic-v2"));
    // docs: icechunk-open
    IcechunkRepository repository = Icechunk.open(store).block();
    Store version = repository.store(IcechunkVersion.tag("v 1")).block();
    ZarrArray array = Zarr.hierarchy(version).openArray("g/plane").block();
    NdArray rows = array.read("0:2,0:3").block();
    // docs: end
    assertThat(rows).hasToString("float64 [2, 3]\n[[0. 1. 2.]\n [7. 8. 9.]]");
  }

  @Test
  void a_location_is_pinned() {
    String location = directory.resolve("basic-v2").toString();
    String id =
        Icechunk.open(FileSystemStore.open(directory.resolve("basic-v2")))
            .flatMap(repository -> repository.snapshot(IcechunkVersion.MAIN))
            .map(IcechunkSnapshot::id)
            .block();
    // docs: icechunk-pin
    Mono<ZarrLocation> pinned = Zarr.at(location + "|icechunk://branch.main/g").pin();
    // …|icechunk://1CECHNKREP0F1RSTCMT0/g, whatever is committed later
    // docs: end
    assertThat(pinned.block()).hasToString(location + "|icechunk://" + id + "/g");
  }

  @Test
  void a_repository_is_checked() {
    Store store = FileSystemStore.open(directory.resolve("basic-v2"));
    IcechunkRepository repository = Objects.requireNonNull(Icechunk.open(store).block());
    // docs: icechunk-check
    Flux<IcechunkFinding> ofVersion = repository.check(IcechunkVersion.tag("v 1"));
    Flux<IcechunkFinding> faults = repository.checkHistory().filter(IcechunkFinding::isFault);
    // docs: end
    assertThat(ofVersion.collectList().block()).isEmpty();
    assertThat(faults.collectList().block()).isEmpty();
  }

  @Test
  void branches_tags_and_history_are_told() {
    Store store = FileSystemStore.open(directory.resolve("basic-v2"));
    IcechunkRepository repository = Objects.requireNonNull(Icechunk.open(store).block());
    Instant friday = Instant.now();
    // docs: icechunk-history
    Flux<IcechunkRef> branches = repository.branches();
    Flux<IcechunkSnapshot> history = repository.history(IcechunkVersion.MAIN);
    Mono<Store> then = repository.store(IcechunkVersion.asOf("main", friday));
    Mono<IcechunkRepository> now = repository.refresh();
    // docs: end
    assertThat(branches.map(IcechunkRef::name).collectList().block())
        .containsExactly("dev", "main", "moved", "other name.1");
    assertThat(history.map(IcechunkSnapshot::message).collectList().block())
        .containsExactly("changes", "arrays", "a tree", "Repository initialized");
    assertThat(then.block()).isNotNull();
    assertThat(now.block()).isSameAs(repository);
  }

  @Test
  void virtual_chunks_are_read_where_the_reader_allows_it() {
    Path data = directory.resolve("data");
    Store store = FileSystemStore.open(directory.resolve("virtual-v2"));
    Store archive = FileSystemStore.open(data);
    // docs: icechunk-virtual
    VirtualContainers allowed =
        VirtualContainers.builder()
            .allow("file:///tmp/icechunk-virtual-data/", archive) // in a store of your own
            .allow("s3://archive/netcdf/") // opened when it is needed
            .build();
    Mono<IcechunkRepository> repository =
        Icechunk.open(store, IcechunkOptions.defaults().withContainers(allowed));
    // docs: end
    List<Float> values =
        repository
            .flatMap(found -> found.store(IcechunkVersion.MAIN))
            .flatMap(version -> Zarr.hierarchy(version).openArray("few"))
            .flatMap(array -> array.read("1:3"))
            .map(read -> List.of((float) read.getDouble(0), (float) read.getDouble(1)))
            .block();
    assertThat(values).containsExactly(1f, 2f);
  }

  @Test
  void changes_are_committed_and_named() {
    Store store = MemoryStore.create();
    ArrayMetadata metadata =
        ArrayMetadata.v3(Shape.of(0, 2), DataTypes.FLOAT64).chunkShape(31, 2).build();
    NdArray january = NdArray.ofDoubles(Shape.of(3, 2), 1, 2, 3, 4, 5, 6);
    // docs: icechunk-commit
    IcechunkRepository repository = Icechunk.create(store).block();
    IcechunkSession session = repository.session("main").block();
    ZarrHierarchy hierarchy = Zarr.hierarchy(session);
    ZarrArray days = hierarchy.createArray("days", metadata).block();
    days.append(0, january).block();
    String snapshot = session.commit("January").block();
    // docs: end
    IcechunkRepository after = Objects.requireNonNull(repository.refresh().block());
    assertThat(after.history(IcechunkVersion.MAIN).map(IcechunkSnapshot::id).blockFirst())
        .isEqualTo(snapshot);
    assertThat(
            after
                .store(IcechunkVersion.MAIN)
                .flatMap(version -> Zarr.hierarchy(version).openArray("days"))
                .flatMap(ZarrArray::read)
                .block())
        .hasToString("float64 [3, 2]\n[[1. 2.]\n [3. 4.]\n [5. 6.]]");
    two_writers(repository);
    references(repository);
  }

  @Test
  void forks_write_and_are_merged() {
    Store store = MemoryStore.create();
    Store sameStore = store;
    IcechunkRepository repository = Objects.requireNonNull(Icechunk.create(store).block());
    ArrayMetadata metadata =
        ArrayMetadata.v3(Shape.of(4, 2), DataTypes.FLOAT64).chunkShape(2, 2).build();
    NdArray rows = NdArray.ofDoubles(Shape.of(2, 2), 1, 2, 3, 4);
    // docs: icechunk-fork
    IcechunkSession session = repository.session("main").block();
    Zarr.hierarchy(session).createArray("days", metadata).block();
    Bytes fork = session.fork().block(); // goes to other machines

    // there, with a store of their own for the same place
    Mono<Bytes> changes =
        Icechunk.open(sameStore)
            .flatMap(there -> there.openFork(fork))
            .flatMap(
                forked ->
                    Zarr.hierarchy(forked)
                        .openArray("days")
                        .flatMap(days -> days.write("2:4,0:2", rows))
                        .then(Mono.defer(forked::changes)));

    // back here, for the changes of each machine
    session.merge(changes.block()).block();
    String snapshot = session.commit("written on many machines").block();
    // docs: end
    assertThat(snapshot).hasSize(20);
    assertThat(
            repository
                .refresh()
                .flatMap(now -> now.store(IcechunkVersion.MAIN))
                .flatMap(version -> Zarr.hierarchy(version).openArray("days"))
                .flatMap(ZarrArray::read)
                .block())
        .hasToString("float64 [4, 2]\n[[0. 0.]\n [0. 0.]\n [1. 2.]\n [3. 4.]]");
  }

  private static void two_writers(IcechunkRepository repository) {
    IcechunkSession session = Objects.requireNonNull(repository.session("main").block());
    SessionTree.put(session, "days/c/0/0", "ours");
    IcechunkSession other = Objects.requireNonNull(repository.session("main").block());
    SessionTree.put(other, "days/c/0/0", "theirs");
    other.commit("theirs").block();
    // docs: icechunk-conflict
    Mono<String> ours =
        session.commit(
            IcechunkCommit.of("a second look")
                .withMetadata(JsonObject.EMPTY.with("author", "me"))
                .withChunkConflicts(ChunkConflicts.OURS));
    // docs: end
    assertThat(ours.block()).hasSize(20);
    IcechunkRepository now = Objects.requireNonNull(repository.refresh().block());
    Store main = Objects.requireNonNull(now.store(IcechunkVersion.MAIN).block());
    assertThat(SessionTree.get(main, "days/c/0/0")).isEqualTo("ours");
    IcechunkSnapshot last = Objects.requireNonNull(now.snapshot(IcechunkVersion.MAIN).block());
    assertThat(last.message()).isEqualTo("a second look");
    assertThat(last.metadata().string("author")).hasValue("me");
  }

  @Test
  void old_snapshots_and_garbage_are_removed() {
    IcechunkRepository repository =
        Objects.requireNonNull(Icechunk.create(MemoryStore.create()).block());
    // docs: icechunk-clean
    Instant quarter = Instant.now().minus(Duration.ofDays(90));
    Instant week = Instant.now().minus(Duration.ofDays(7));
    IcechunkCleanup wanted = IcechunkCleanup.nothing().withExpiration(quarter).withCollection(week);
    Mono<IcechunkCleaned> told = repository.clean(wanted.withDryRun(true));
    Mono<IcechunkCleaned> done = repository.clean(wanted);
    // docs: end
    assertThat(told.block()).isEqualTo(done.block());
    assertThat(Objects.requireNonNull(done.block()).all().count()).isZero();
  }

  private static void references(IcechunkRepository opened) {
    IcechunkRepository repository =
        Objects.requireNonNull(
            opened.refresh().flatMap(now -> now.createTag("v1", IcechunkVersion.MAIN)).block());
    // docs: icechunk-refs
    Mono<IcechunkRepository> named =
        repository
            .createTag("v2", IcechunkVersion.MAIN)
            .flatMap(now -> now.createBranch("trial", IcechunkVersion.tag("v2")))
            .flatMap(now -> now.resetBranch("trial", IcechunkVersion.tag("v1")));
    // docs: end
    IcechunkRepository now = Objects.requireNonNull(named.block());
    assertThat(now.branches().map(IcechunkRef::name).collectList().block())
        .containsExactly("main", "trial");
    assertThat(now.tags().map(IcechunkRef::name).collectList().block()).containsExactly("v1", "v2");
  }
}
