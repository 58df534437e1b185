package dev.zarrreactive.docs;

import static org.assertj.core.api.Assertions.assertThat;

import dev.zarrreactive.Zarr;
import dev.zarrreactive.ZarrArray;
import dev.zarrreactive.ZarrGroup;
import dev.zarrreactive.ZarrHierarchy;
import dev.zarrreactive.ZarrNode;
import dev.zarrreactive.ZarrOptions;
import dev.zarrreactive.array.Chunk;
import dev.zarrreactive.array.NdArray;
import dev.zarrreactive.array.Shape;
import dev.zarrreactive.array.selection.Selection;
import dev.zarrreactive.datatype.DataTypes;
import dev.zarrreactive.datatype.Datetime64Type;
import dev.zarrreactive.datatype.FillValue;
import dev.zarrreactive.datatype.NumpyUnit;
import dev.zarrreactive.datatype.StructField;
import dev.zarrreactive.datatype.StructType;
import dev.zarrreactive.error.NodeExistsException;
import dev.zarrreactive.extension.NamedConfiguration;
import dev.zarrreactive.json.JsonArray;
import dev.zarrreactive.json.JsonNumber;
import dev.zarrreactive.json.JsonObject;
import dev.zarrreactive.metadata.ArrayMetadata;
import dev.zarrreactive.metadata.ArrayMetadataBuilder;
import dev.zarrreactive.store.Store;
import dev.zarrreactive.store.StoreKey;
import dev.zarrreactive.store.file.FileSystemStore;
import dev.zarrreactive.store.memory.MemoryStore;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Arrays;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.test.StepVerifier;

/** The samples of docs/writing.md. */
class WritingSamplesTest {
  @TempDir Path directory;

  private final Store store = MemoryStore.create();

  private ZarrArray small() {
    return Zarr.hierarchy(store)
        .createArray(
            "small",
            new ArrayMetadataBuilder(Shape.of(4, 6), DataTypes.INT32).chunkShape(2, 3).build())
        .block();
  }

  @Test
  void create_and_write() {
    float[] values = new float[365 * 4 * 8];
    for (int i = 0; i < values.length; i++) {
      values[i] = i / 7f;
    }
    // docs: create
    ArrayMetadata metadata =
        new ArrayMetadataBuilder(Shape.of(365, 4, 8), DataTypes.FLOAT32)
            .chunkShape(30, 4, 8)
            .fillValue(FillValue.of(DataTypes.FLOAT32, Double.NaN))
            .compressedBy(NamedConfiguration.of("zstd", JsonObject.EMPTY.with("level", 3)))
            .dimensionNames("day", "lat", "lon")
            .attributes(JsonObject.EMPTY.with("units", "K"))
            .build();

    Mono<Void> written =
        Zarr.hierarchy(FileSystemStore.open(directory))
            .createArray("climate/temperature", metadata) // makes the group "climate", too
            .flatMap(
                array ->
                    array.write(
                        Selection.all(),
                        NdArray.ofFloats(DataTypes.FLOAT32, Shape.of(365, 4, 8), values)));
    // docs: end
    written.block();
    NdArray read =
        Zarr.openArray(FileSystemStore.open(directory), "climate/temperature")
            .flatMap(array -> array.read(Selection.all()))
            .block();
    assertThat(read.toFloatArray()).isEqualTo(values);
  }

  @Test
  void codecs() {
    // docs: codecs
    ArrayMetadata metadata =
        new ArrayMetadataBuilder(Shape.of(1000, 1000), DataTypes.INT16)
            .chunkShape(100, 100)
            .codecs(
                NamedConfiguration.of(
                    "transpose",
                    JsonObject.EMPTY.with(
                        "order", JsonArray.of(JsonNumber.of(1), JsonNumber.of(0)))),
                NamedConfiguration.of("bytes", JsonObject.EMPTY.with("endian", "little")),
                NamedConfiguration.of(
                    "blosc",
                    JsonObject.EMPTY
                        .with("cname", "lz4")
                        .with("clevel", 5)
                        .with("shuffle", "shuffle")
                        .with("typesize", 2)
                        .with("blocksize", 0)),
                NamedConfiguration.of("crc32c"))
            .build();
    // docs: end
    ZarrArray array = Zarr.hierarchy(store).createArray("a", metadata).block();
    array.write(Selection.parse("5,7"), NdArray.scalar(DataTypes.INT16, 42)).block();
    assertThat(array.read(Selection.parse("5,7")).block().getInt()).isEqualTo(42);
  }

  @Test
  void parts() {
    ZarrArray array = small();
    // docs: part
    NdArray column = NdArray.ofInts(DataTypes.INT32, Shape.of(4), 1, 2, 3, 4);
    Mono<Void> written = array.write(Selection.parse(":,2"), column);
    // docs: end
    written.block();
    assertThat(array.read(Selection.parse("3")).block().toIntArray())
        .containsExactly(0, 0, 4, 0, 0, 0);
  }

  @Test
  void scalars() {
    ZarrArray array = small();
    NdArray row = NdArray.ofInts(DataTypes.INT32, Shape.of(6), 1, 2, 3, 4, 5, 6);
    // docs: scalars
    Mono<Void> written =
        array
            .write("0:3", row) // each of the three rows
            .then(array.write(Selection.parse(":,::2"), 7));
    // docs: end
    written.block();
    assertThat(array.read().block().toInt2d())
        .isEqualTo(
            new int[][] {
              {7, 2, 7, 4, 7, 6}, {7, 2, 7, 4, 7, 6}, {7, 2, 7, 4, 7, 6}, {7, 0, 7, 0, 7, 0}
            });
  }

  @Test
  void structs_and_times() {
    // docs: structs
    Datetime64Type seconds = new Datetime64Type(NumpyUnit.SECOND, 1);
    StructType type =
        DataTypes.struct(
            new StructField("time", seconds), new StructField("depth", DataTypes.FLOAT32));
    NdArray samples =
        NdArray.ofFields(
            type,
            NdArray.ofInstants(seconds, Shape.of(1), Instant.parse("2026-11-23T12:00:00Z")),
            NdArray.ofFloats(DataTypes.FLOAT32, Shape.of(1), 10.5f));
    // docs: end
    assertThat(samples.field("time").getInstant(0)).hasToString("2026-11-23T12:00:00Z");
    assertThat(samples.field("depth").getFloat(0)).isEqualTo(10.5f);
  }

  @Test
  void a_stream_of_chunks() {
    ZarrArray source = small();
    ZarrArray target =
        Zarr.hierarchy(store)
            .createArray(
                "doubled",
                new ArrayMetadataBuilder(Shape.of(4, 6), DataTypes.INT32).chunkShape(4, 2).build())
            .block();
    source.write(Selection.parse("1,1"), NdArray.scalar(DataTypes.INT32, 21)).block();
    // docs: stream
    Flux<Chunk> doubled =
        source
            .chunks(Selection.all())
            .map(
                chunk -> {
                  int[] values = chunk.data().toIntArray();
                  Arrays.setAll(values, i -> 2 * values[i]);
                  NdArray data = NdArray.ofInts(DataTypes.INT32, chunk.data().shape(), values);
                  return new Chunk(chunk.index(), chunk.selection(), data);
                });
    Mono<Void> written = target.write(doubled); // the chunk grids may differ
    // docs: end
    written.block();
    assertThat(target.read(Selection.parse("1,1")).block().getInt()).isEqualTo(42);
  }

  @Test
  void nothing_is_overwritten() {
    small();
    ZarrHierarchy hierarchy = Zarr.hierarchy(store);
    ArrayMetadata metadata = new ArrayMetadataBuilder(Shape.of(1), DataTypes.INT8).build();
    // docs: exists
    Mono<ZarrArray> array =
        hierarchy
            .createArray("small", metadata)
            .onErrorResume(NodeExistsException.class, e -> hierarchy.openArray("small"));
    // docs: end
    assertThat(array.block().shape()).isEqualTo(Shape.of(4, 6));
    StepVerifier.create(hierarchy.createGroup("small/below", JsonObject.EMPTY))
        .verifyError(NodeExistsException.class);
  }

  @Test
  void empty_chunks() {
    ZarrOptions defaults = ZarrOptions.defaults();
    small()
        .write(Selection.all(), NdArray.ofInts(DataTypes.INT32, Shape.of(4, 6), new int[24]))
        .block();
    assertThat(store.get(StoreKey.of("small/c/0/0")).block()).isNull();
    // docs: empty
    ZarrOptions options = ZarrOptions.defaults().withWriteEmptyChunks(true);
    // docs: end
    assertThat(defaults.writeEmptyChunks()).isFalse();
    Zarr.hierarchy(store, options)
        .openArray("small")
        .flatMap(
            array ->
                array.write(
                    Selection.all(), NdArray.ofInts(DataTypes.INT32, Shape.of(4, 6), new int[24])))
        .block();
    assertThat(store.get(StoreKey.of("small/c/0/0")).block()).isNotNull();
  }

  @Test
  void consolidating() {
    small();
    // docs: consolidate
    Mono<ZarrGroup> consolidated = Zarr.openGroup(store, "").flatMap(ZarrGroup::consolidate);
    // docs: end
    assertThat(consolidated.block().metadata().consolidated().paths()).containsExactly("small");
  }

  @Test
  void groups_attributes_and_erasing() {
    // docs: nodes
    ZarrHierarchy hierarchy = Zarr.hierarchy(store);
    Mono<ZarrGroup> group =
        hierarchy.createGroup("2026/november", JsonObject.EMPTY.with("station", "Alert"));
    Mono<? extends ZarrNode> changed =
        group.flatMap(g -> g.updateAttributes(old -> old.with("complete", true)));
    Mono<Void> erased = hierarchy.erase("2026"); // and everything below it
    // docs: end
    assertThat(changed.block().attributes())
        .hasToString("{\"station\":\"Alert\",\"complete\":true}");
    erased.block();
    assertThat(hierarchy.exists("2026/november").block()).isFalse();
  }
}
