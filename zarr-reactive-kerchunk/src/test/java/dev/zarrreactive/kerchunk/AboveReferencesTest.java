package dev.zarrreactive.kerchunk;

import static dev.zarrreactive.testing.Waiting.await;
import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import dev.zarrreactive.Zarr;
import dev.zarrreactive.ZarrHierarchy;
import dev.zarrreactive.ZarrLocation;
import dev.zarrreactive.array.NdArray;
import dev.zarrreactive.array.Shape;
import dev.zarrreactive.base.Bytes;
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
import dev.zarrreactive.store.StoreOptions;
import dev.zarrreactive.store.decorator.CacheOptions;
import dev.zarrreactive.store.decorator.Stores;
import dev.zarrreactive.store.file.FileSystemStore;
import dev.zarrreactive.testkit.InstrumentedStore;
import dev.zarrreactive.virtual.VirtualContainers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Images, datasets and caches work over references. */
class AboveReferencesTest {
  private static final String IMAGE =
      """
      {"ome": {"version": "0.5", "multiscales": [{
        "axes": [{"name": "y", "type": "space"}, {"name": "x", "type": "space"}],
        "datasets": [{"path": "0",
          "coordinateTransformations": [{"type": "scale", "scale": [0.5, 0.25]}]}]}]}}
      """;

  @TempDir Path directory;

  /** An image whose chunks are whole objects, as its references say. */
  private String write() throws Exception {
    Store data = FileSystemStore.open(directory.resolve("data"));
    ZarrHierarchy nodes = Zarr.hierarchy(data);
    await(nodes.createGroup("image", GroupMetadata.of((JsonObject) JsonValue.parse(IMAGE))));
    NdArray values =
        NdArray.ofInts(DataTypes.INT32, Shape.of(6, 4), IntStream.range(0, 24).toArray());
    await(
        nodes
            .createArray(
                "image/0",
                ArrayMetadata.v3(values.shape(), DataTypes.INT32)
                    .chunkShape(2, 2)
                    .dimensionNames("y", "x")
                    .codecs(Codecs.bytes())
                    .build())
            .flatMap(array -> array.write("...", values)));
    String prefix = directory.resolve("data").toUri().toString();
    List<String> refs = new ArrayList<>();
    for (StoreKey key : await(data.list())) {
      refs.add("\"" + key + "\": [\"" + prefix + key + "\"]");
    }
    Files.writeString(
        directory.resolve("image.json"),
        "{\"version\": 1, \"refs\": {" + String.join(",\n", refs) + "}}");
    return prefix;
  }

  @Test
  void an_image_over_references_is_opened_and_drawn() throws Exception {
    ZarrLocation location =
        Zarr.at(directory.resolve("image.json") + "|kerchunk:image")
            .withStoreOptions(StoreOptions.none().with("virtual:" + write(), ""));
    OmeImage image = requireNonNull(await(OmeImage.open(location)));
    assertThat(image.levels().get(0).scale("x")).isEqualTo(0.25);
    assertThat(await(image.levels().get(0).array().read()).toIntArray())
        .containsExactly(IntStream.range(0, 24).toArray());
    assertThat(await(image.thumbnail(64))).isNotNull();
  }

  @Test
  void a_cache_in_memory_keeps_what_a_dataset_over_references_has_read() throws Exception {
    String prefix = write();
    InstrumentedStore data = InstrumentedStore.of(FileSystemStore.open(directory.resolve("data")));
    Store references =
        requireNonNull(
            await(
                Kerchunk.open(
                    FileSystemStore.open(directory),
                    StoreKey.of("image.json"),
                    VirtualContainers.builder().allow(prefix, data).build())));
    Store cached = Stores.stack(references).cache(CacheOptions.ofBytes(1 << 20)).build();
    assertThat(sum(cached)).isEqualTo(276);
    data.counts().reset();
    assertThat(sum(cached)).isEqualTo(276);
    assertThat(data.counts().total()).as("all is cached").isZero();
    Store asking =
        Stores.stack(references)
            .cache(CacheOptions.ofBytes(1 << 20).withRevalidation(java.time.Duration.ZERO))
            .build();
    assertThat(sum(asking)).isEqualTo(276);
    StoreKey chunk = StoreKey.of("image/0/c/0/0");
    await(data.set(chunk, Bytes.wrap(new byte[16])));
    assertThat(sum(asking)).as("an object that was replaced has another version").isEqualTo(266);
  }

  private static long sum(Store store) {
    Dataset dataset = requireNonNull(await(Dataset.open(Zarr.hierarchy(store), "image")));
    return IntStream.of(requireNonNull(await(dataset.variable("0").array().read())).toIntArray())
        .sum();
  }
}
