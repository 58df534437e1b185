package dev.zarrreactive.icechunk;

import static dev.zarrreactive.testing.Waiting.await;
import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import dev.zarrreactive.Zarr;
import dev.zarrreactive.ZarrHierarchy;
import dev.zarrreactive.array.NdArray;
import dev.zarrreactive.array.Shape;
import dev.zarrreactive.base.StoreKey;
import dev.zarrreactive.codec.Codecs;
import dev.zarrreactive.dataset.Dataset;
import dev.zarrreactive.datatype.DataTypes;
import dev.zarrreactive.json.JsonObject;
import dev.zarrreactive.json.JsonValue;
import dev.zarrreactive.metadata.ArrayMetadata;
import dev.zarrreactive.metadata.GroupMetadata;
import dev.zarrreactive.ome.OmeImage;
import dev.zarrreactive.store.Store;
import dev.zarrreactive.store.decorator.CacheOptions;
import dev.zarrreactive.store.decorator.Stores;
import dev.zarrreactive.store.file.FileSystemStore;
import dev.zarrreactive.store.memory.MemoryStore;
import dev.zarrreactive.testkit.InstrumentedStore;
import java.nio.file.Path;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Images, datasets and caches work over versions of a repository. */
class AboveARepositoryTest {
  private static final String IMAGE =
      """
      {"ome": {"version": "0.5", "multiscales": [{
        "axes": [{"name": "y", "type": "space"}, {"name": "x", "type": "space"}],
        "datasets": [
          {"path": "0",
           "coordinateTransformations": [{"type": "scale", "scale": [0.5, 0.5]}]},
          {"path": "1",
           "coordinateTransformations": [{"type": "scale", "scale": [1.0, 1.0]}]}]}]}}
      """;

  @TempDir Path directory;

  /** A hierarchy with an image of two levels, and a dataset of one variable. */
  private static Store hierarchy(int start) {
    Store store = MemoryStore.create();
    ZarrHierarchy nodes = Zarr.hierarchy(store);
    await(nodes.createGroup("image", GroupMetadata.of((JsonObject) JsonValue.parse(IMAGE))));
    array(nodes, "image/0", start, 8, 8);
    array(nodes, "image/1", start, 4, 4);
    await(nodes.createGroup("data"));
    array(nodes, "data/v", start, 6, 4);
    return store;
  }

  private static void array(ZarrHierarchy nodes, String path, int start, long... shape) {
    int[] numbers = IntStream.range(start, start + (int) (shape[0] * shape[1])).toArray();
    await(
        nodes
            .createArray(
                path,
                ArrayMetadata.v3(Shape.of(shape), DataTypes.INT32)
                    .chunkShape(2, 2)
                    .dimensionNames("y", "x")
                    .codecs(Codecs.bytes(), Codecs.crc32c())
                    .build())
            .flatMap(
                array ->
                    array.write(
                        dev.zarrreactive.array.selection.Selection.all(),
                        NdArray.ofInts(DataTypes.INT32, Shape.of(shape), numbers))));
  }

  @Test
  void an_image_is_opened_at_each_version_of_a_repository() {
    WrittenCommits commits = new WrittenCommits(FileSystemStore.open(directory));
    String first = commits.commit(hierarchy(100));
    commits.commit(hierarchy(200));
    OmeImage now =
        requireNonNull(await(OmeImage.open(Zarr.at(directory + "|icechunk://branch.main/image"))));
    assertThat(now.levels()).hasSize(2);
    assertThat(await(now.levels().get(1).array().read()).toIntArray())
        .containsExactly(IntStream.range(200, 216).toArray());
    OmeImage then =
        requireNonNull(
            await(OmeImage.open(Zarr.at(directory + "|icechunk://" + first + "/image"))));
    assertThat(await(then.levels().get(0).array().read("0:2,0:2")).toIntArray())
        .containsExactly(100, 101, 108, 109);
    assertThat(then.levels().get(1).scale("x")).isEqualTo(1.0);
  }

  @Test
  void a_cache_in_memory_holds_the_chunks_of_each_version() {
    InstrumentedStore origin = InstrumentedStore.of(MemoryStore.create());
    WrittenCommits commits = new WrittenCommits(origin);
    commits.commit(hierarchy(100));
    IcechunkRepository repository = requireNonNull(await(Icechunk.open(origin)));
    Store old = requireNonNull(await(repository.store(IcechunkVersion.MAIN)));
    Store cached = Stores.stack(old).cache(CacheOptions.ofBytes(1 << 20)).build();
    commits.commit(hierarchy(500));
    repository = requireNonNull(await(repository.refresh()));
    Store fresh =
        Stores.stack(requireNonNull(await(repository.store(IcechunkVersion.MAIN))))
            .cache(CacheOptions.ofBytes(1 << 20))
            .build();
    assertThat(sum(cached)).isEqualTo(sum(100));
    assertThat(sum(fresh)).isEqualTo(sum(500));
    origin.counts().reset();
    assertThat(sum(cached)).isEqualTo(sum(100));
    assertThat(sum(fresh)).isEqualTo(sum(500));
    assertThat(origin.counts().total()).as("all is cached").isZero();
  }

  @Test
  void a_cache_below_a_repository_serves_its_snapshots_and_asks_for_its_state() {
    InstrumentedStore origin = InstrumentedStore.of(MemoryStore.create());
    WrittenCommits commits = new WrittenCommits(origin);
    commits.commit(hierarchy(100));
    Store cached =
        Stores.stack(origin)
            .cache(CacheOptions.ofBytes(1 << 20).withRevalidation(java.time.Duration.ZERO))
            .build();
    assertThat(sum(main(cached))).isEqualTo(sum(100));
    origin.counts().reset();
    assertThat(sum(main(cached))).isEqualTo(sum(100));
    assertThat(origin.counts().bytesRead()).as("nothing has changed").isZero();
    Store neverAsking = Stores.stack(origin).cache(CacheOptions.ofBytes(1 << 20)).build();
    assertThat(sum(main(neverAsking))).isEqualTo(sum(100));
    commits.commit(hierarchy(500));
    assertThat(sum(main(cached))).isEqualTo(sum(500));
    assertThat(sum(main(neverAsking))).as("docs/icechunk.md warns of it").isEqualTo(sum(100));
  }

  private static Store main(Store store) {
    return requireNonNull(
        await(Icechunk.open(store).flatMap(repository -> repository.store(IcechunkVersion.MAIN))));
  }

  private static long sum(int start) {
    return IntStream.range(start, start + 24).sum();
  }

  private static long sum(Store store) {
    Dataset dataset = requireNonNull(await(Dataset.open(Zarr.hierarchy(store), "data")));
    return IntStream.of(requireNonNull(await(dataset.variable("v").array().read())).toIntArray())
        .sum();
  }

  @Test
  void a_commit_has_all_that_the_store_had() {
    Store files = MemoryStore.create();
    Store hierarchy = hierarchy(7);
    new WrittenCommits(files).commit(hierarchy);
    Store version = main(files);
    for (StoreKey key : await(hierarchy.list())) {
      assertThat(await(version.get(key))).as(key.value()).isEqualTo(await(hierarchy.get(key)));
    }
    assertThat(await(version.list())).containsAll(await(hierarchy.list()));
  }
}
