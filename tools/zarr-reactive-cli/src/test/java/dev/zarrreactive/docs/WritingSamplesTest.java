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
import dev.zarrreactive.base.StoreKey;
import dev.zarrreactive.chunkgrid.ShrinkMode;
import dev.zarrreactive.codec.Blosc.Compressor;
import dev.zarrreactive.codec.Codecs;
import dev.zarrreactive.datatype.DataTypes;
import dev.zarrreactive.datatype.Datetime64Type;
import dev.zarrreactive.datatype.NumpyUnit;
import dev.zarrreactive.datatype.StructField;
import dev.zarrreactive.datatype.StructType;
import dev.zarrreactive.error.Location;
import dev.zarrreactive.error.NodeExistsException;
import dev.zarrreactive.error.TransientStoreException;
import dev.zarrreactive.error.UnfinishedAppendException;
import dev.zarrreactive.error.UnfinishedWriteException;
import dev.zarrreactive.json.JsonObject;
import dev.zarrreactive.metadata.ArrayMetadata;
import dev.zarrreactive.metadata.GroupMetadata;
import dev.zarrreactive.store.Store;
import dev.zarrreactive.store.file.FileSystemStore;
import dev.zarrreactive.store.memory.MemoryStore;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Arrays;
import java.util.Map;
import java.util.function.LongFunction;
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
            "small", ArrayMetadata.v3(Shape.of(4, 6), DataTypes.INT32).chunkShape(2, 3).build())
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
        ArrayMetadata.v3(Shape.of(365, 4, 8), DataTypes.FLOAT32)
            .fillValue(Double.NaN)
            .dimensionNames("day", "lat", "lon")
            .attributes(JsonObject.EMPTY.with("units", "K"))
            .build();
    NdArray data = NdArray.ofFloats(DataTypes.FLOAT32, Shape.of(365, 4, 8), values);

    Mono<Void> written =
        Zarr.hierarchy(FileSystemStore.open(directory))
            .createArray("climate/temperature", metadata) // makes the group "climate", too
            .flatMap(array -> array.write(Selection.all(), data));
    // docs: end
    written.block();
    NdArray read =
        Zarr.hierarchy(FileSystemStore.open(directory))
            .openArray("climate/temperature")
            .flatMap(array -> array.read(Selection.all()))
            .block();
    assertThat(read.toFloatArray()).isEqualTo(values);
  }

  @Test
  void at_a_location() {
    String place = directory.resolve("earth.zarr").toString();
    ArrayMetadata metadata = ArrayMetadata.v3(Shape.of(4), DataTypes.INT8).build();
    // docs: location
    Mono<ZarrArray> created =
        Zarr.at(place) // a path, or the URL of a store that can be written
            .createGroup()
            .flatMap(group -> group.createArray("north/ice", metadata));
    // docs: end
    assertThat(created.block().path()).hasToString("/north/ice");
    assertThat(Zarr.at(place + "/north/ice").openArray().block().shape()).isEqualTo(Shape.of(4));
  }

  @Test
  void chunks_and_shards() {
    Shape shape = Shape.of(8760, 721, 1440);
    // docs: create-shards
    ArrayMetadata given =
        ArrayMetadata.v3(shape, DataTypes.FLOAT32)
            .chunkShape(24, 103, 144)
            .shardShape(24, 721, 1440)
            .compressors(Codecs.zstd(3))
            .build();
    ArrayMetadata chosen =
        ArrayMetadata.v3(shape, DataTypes.FLOAT32).readInPlanes(1, 2).sharded().build();
    // docs: end
    assertThat(given.chunkGrid().member("chunk_shape").value()).hasToString("[24,721,1440]");
    assertThat(chosen.chunkGrid().member("chunk_shape").value()).hasToString("[16,722,1440]");
    assertThat(chosen.codecs().get(0).member("chunk_shape").value()).hasToString("[1,361,720]");
  }

  @Test
  void codecs() {
    // docs: codecs
    ArrayMetadata metadata =
        ArrayMetadata.v3(Shape.of(1000, 1000), DataTypes.INT16)
            .chunkShape(100, 100)
            .codecs(
                Codecs.transpose(1, 0), // bytes, little-endian, is added after it
                Codecs.blosc(Compressor.LZ4).level(5).shuffle(),
                Codecs.crc32c())
            .build();
    // docs: end
    ZarrArray array = Zarr.hierarchy(store).createArray("a", metadata).block();
    array.write(Selection.parse("5,7"), NdArray.scalar(DataTypes.INT16, 42)).block();
    assertThat(array.read(Selection.parse("5,7")).block().getInt()).isEqualTo(42);
    assertThat(metadata.codecs()).hasSize(4);
  }

  @Test
  void another_like_it() {
    ZarrArray array = small();
    // docs: like
    ArrayMetadata longer =
        ArrayMetadata.like(array.metadata())
            .shape(Shape.of(400, 6))
            .compressors(Codecs.gzip(6))
            .build();
    ArrayMetadata old =
        ArrayMetadata.v2(Shape.of(400, 6), DataTypes.INT32).compressors(Codecs.zlib(1)).build();
    // docs: end
    assertThat(longer.chunkGrid()).isEqualTo(array.metadata().chunkGrid());
    assertThat(old.zarrFormat()).isEqualTo(2);
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

  private ZarrArray temperature(int hours) {
    return Zarr.hierarchy(store)
        .createArray(
            "temperature",
            ArrayMetadata.v3(Shape.of(hours, 4, 8), DataTypes.FLOAT32)
                .uncompressed()
                .chunkShape(24, 4, 8)
                .build())
        .block();
  }

  private static NdArray hours(int hours) {
    float[] values = new float[hours * 4 * 8];
    Arrays.fill(values, hours);
    return NdArray.ofFloats(DataTypes.FLOAT32, Shape.of(hours, 4, 8), values);
  }

  @Test
  void a_block_at_the_end() {
    ZarrArray array = temperature(48);
    NdArray day = hours(24);
    // docs: append
    Mono<ZarrArray> longer = array.append(0, day); // 48 hours, and the 24 of the day
    // docs: end
    assertThat(longer.block().shape()).isEqualTo(Shape.of(72, 4, 8));
    assertThat(
            Zarr.hierarchy(store)
                .openArray("temperature")
                .block()
                .read(Selection.parse("48:"))
                .block())
        .isEqualTo(day);
  }

  @Test
  void blocks_at_the_end() {
    ZarrArray array = temperature(0);
    Flux<NdArray> days = Flux.just(hours(24), hours(24), hours(5));
    // docs: append-stream
    Mono<Shape> shape = array.append(0, days).map(ZarrArray::shape);
    // docs: end
    assertThat(shape.block()).isEqualTo(Shape.of(53, 4, 8));
  }

  @Test
  void a_block_that_is_written_again() {
    ZarrArray array = temperature(48);
    NdArray day = hours(24);
    Mono<ZarrArray> append =
        Mono.error(
            new UnfinishedAppendException(
                "48:72,:,:", new TransientStoreException("503", Location.UNKNOWN)));
    array.resize(Shape.of(72, 4, 8)).block();
    ZarrHierarchy hierarchy = Zarr.hierarchy(store);
    // docs: append-again
    Mono<ZarrArray> repaired =
        append.onErrorResume(
            UnfinishedAppendException.class,
            e ->
                hierarchy
                    .openArray("temperature")
                    .delayUntil(now -> now.write(Selection.parse(e.place()), day)));
    // docs: end
    assertThat(repaired.block().read(Selection.parse("48:")).block()).isEqualTo(day);
  }

  @Test
  void a_stream_of_blocks() {
    ZarrArray array = temperature(48);
    NdArray all = hours(48);
    Flux<NdArray> hours =
        Flux.range(0, 48).map(hour -> all.slice(Selection.parse(hour + ":" + (hour + 1))));
    // docs: blocks
    Mono<Void> written = array.write(Selection.all(), hours); // one block an hour, in order
    // docs: end
    written.block();
    assertThat(array.read().block()).isEqualTo(all);
  }

  @Test
  void the_rest_of_a_stream_of_blocks() {
    ZarrArray array = temperature(48);
    NdArray every = hours(48);
    Flux<NdArray> hours =
        Flux.just(every.slice(Selection.parse("0:30")))
            .concatWith(Mono.error(new IllegalStateException("the sensor is gone")));
    LongFunction<Flux<NdArray>> hoursFrom =
        first -> Flux.just(every.slice(Selection.parse(first + ":")));
    // docs: blocks-again
    Mono<Void> all =
        array
            .write(Selection.all(), hours)
            .onErrorResume(
                UnfinishedWriteException.class,
                e ->
                    array.write(
                        Selection.parse(e.writtenRows() + ":"), hoursFrom.apply(e.writtenRows())));
    // docs: end
    all.block();
    assertThat(array.read().block()).isEqualTo(every);
  }

  @Test
  void another_shape() {
    ZarrArray array = temperature(48);
    // docs: resize
    Mono<ZarrArray> larger = array.resize(Shape.of(96, 4, 8));
    Mono<ZarrArray> smaller = array.resize(Shape.of(30, 4, 8), ShrinkMode.TRIM);
    // docs: end
    assertThat(smaller.block().shape()).isEqualTo(Shape.of(30, 4, 8));
    assertThat(larger.block().shape()).isEqualTo(Shape.of(96, 4, 8));
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
                ArrayMetadata.v3(Shape.of(4, 6), DataTypes.INT32).chunkShape(4, 2).build())
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
    ArrayMetadata metadata = ArrayMetadata.v3(Shape.of(1), DataTypes.INT8).build();
    // docs: exists
    Mono<ZarrArray> array =
        hierarchy
            .createArray("small", metadata)
            .onErrorResume(NodeExistsException.class, e -> hierarchy.openArray("small"));
    // docs: end
    assertThat(array.block().shape()).isEqualTo(Shape.of(4, 6));
    StepVerifier.create(hierarchy.createGroup("small/below"))
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
    Mono<ZarrGroup> consolidated =
        Zarr.hierarchy(store).openGroup("").flatMap(ZarrGroup::consolidate);
    // docs: end
    assertThat(consolidated.block().metadata().consolidated().paths()).containsExactly("small");
  }

  @Test
  void trees_of_nodes() {
    ZarrHierarchy hierarchy = Zarr.hierarchy(store);
    ArrayMetadata metadata = ArrayMetadata.v3(Shape.of(4), DataTypes.INT32).build();
    // docs: trees
    Mono<Void> created =
        hierarchy.create(
            Map.of(
                "2027", GroupMetadata.of(JsonObject.EMPTY),
                "2027/january/t", metadata, // the group between is made, too
                "2027/february/t", metadata));
    Mono<Void> moved = hierarchy.move("2027/february", "2027/winter/february");
    Flux<Long> erased = hierarchy.eraseInSteps("2027"); // the number of values so far
    // docs: end
    created.then(moved).block();
    assertThat(hierarchy.openArray("2027/winter/february/t").block().shape())
        .isEqualTo(Shape.of(4));
    assertThat(erased.blockLast()).isPositive();
    assertThat(hierarchy.exists("2027").block()).isFalse();
  }

  @Test
  void groups_attributes_and_erasing() {
    // docs: nodes
    ZarrHierarchy hierarchy = Zarr.hierarchy(store);
    Mono<ZarrGroup> group =
        hierarchy.createGroup(
            "2026/november", GroupMetadata.of(JsonObject.EMPTY.with("station", "Alert")));
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
