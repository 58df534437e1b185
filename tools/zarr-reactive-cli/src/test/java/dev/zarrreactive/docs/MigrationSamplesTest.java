package dev.zarrreactive.docs;

import static dev.zarrreactive.codec.Codecs.bytes;
import static dev.zarrreactive.codec.Codecs.crc32c;
import static dev.zarrreactive.codec.Codecs.zlib;
import static dev.zarrreactive.codec.Codecs.zstd;
import static dev.zarrreactive.datatype.DataTypes.FLOAT32;
import static dev.zarrreactive.datatype.DataTypes.INT16;
import static dev.zarrreactive.datatype.DataTypes.UINT8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.zarrreactive.Zarr;
import dev.zarrreactive.ZarrArray;
import dev.zarrreactive.ZarrGroup;
import dev.zarrreactive.ZarrNode;
import dev.zarrreactive.ZarrOptions;
import dev.zarrreactive.array.Chunk;
import dev.zarrreactive.array.NdArray;
import dev.zarrreactive.array.Shape;
import dev.zarrreactive.array.selection.Selection;
import dev.zarrreactive.base.Bytes;
import dev.zarrreactive.base.StoreKey;
import dev.zarrreactive.cli.CommandRun;
import dev.zarrreactive.copy.CopyProgress;
import dev.zarrreactive.copy.ZarrCopy;
import dev.zarrreactive.dataset.Dataset;
import dev.zarrreactive.dataset.LabelMethod;
import dev.zarrreactive.datatype.DataType;
import dev.zarrreactive.datatype.FillValue;
import dev.zarrreactive.error.CodecException;
import dev.zarrreactive.error.NodeNotFoundException;
import dev.zarrreactive.error.StoreException;
import dev.zarrreactive.faults.server.Fault;
import dev.zarrreactive.faults.server.FaultyServer;
import dev.zarrreactive.json.JsonObject;
import dev.zarrreactive.metadata.ArrayMetadata;
import dev.zarrreactive.s3.S3Store;
import dev.zarrreactive.s3.S3StoreBuilder;
import dev.zarrreactive.store.Store;
import dev.zarrreactive.store.StoreOptions;
import dev.zarrreactive.store.file.FileSystemStore;
import dev.zarrreactive.store.memory.MemoryStore;
import java.io.IOException;
import java.net.URI;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.DoubleStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/**
 * Our lines in the tables of docs/from-*.md, and what these pages say of us. A cell of the last
 * column equals the code between {@code // row: NAME} and {@code // row: end}, but for line breaks.
 */
class MigrationSamplesTest {
  private static final Path SOURCE =
      Path.of("src/test/java/dev/zarrreactive/docs/MigrationSamplesTest.java");
  private static final Shape SHAPE = Shape.of(365, 4, 8);

  @TempDir Path directory;
  private NdArray data;
  private String place = "";
  private ZarrArray array;
  private ZarrGroup group;

  @BeforeEach
  void create() {
    float[] values = new float[365 * 4 * 8];
    for (int i = 0; i < values.length; i++) {
      values[i] = i % 100;
    }
    data = NdArray.ofFloats(FLOAT32, SHAPE, values);
    String root = directory.resolve("earth.zarr").toString();
    group = Zarr.at(root).createGroup().block();
    array =
        group
            .createArray(
                "temperature",
                ArrayMetadata.v3(SHAPE, FLOAT32)
                    .chunkShape(100, 4, 8)
                    .attributes(JsonObject.EMPTY.with("units", "C"))
                    .build())
            .delayUntil(created -> created.write("...", data))
            .block();
    place = root + "/temperature";
  }

  private String fresh() {
    return directory.resolve("new.zarr").toString();
  }

  @Test
  void open() {
    // row: open
    Mono<ZarrArray> opened = Zarr.at(place).openArray();
    // row: end
    assertThat(opened.block().shape()).isEqualTo(SHAPE);
  }

  @Test
  void wait_for_the_result() {
    // row: wait
    ZarrArray array = Zarr.at(place).openArray().block();
    // row: end
    assertThat(array.shape()).isEqualTo(SHAPE);
  }

  @Test
  void open_by_a_hierarchy() {
    String root = directory.resolve("earth.zarr").toString();
    // row: open-in-group
    Mono<ZarrArray> opened = group.openArray("temperature");
    // row: end
    assertThat(opened.block().shape()).isEqualTo(SHAPE);
    // row: open-group
    Mono<ZarrGroup> group = Zarr.at(root).openGroup();
    // row: end
    assertThat(group.block().path().isRoot()).isTrue();
  }

  @Test
  void shape_and_type() {
    // row: shape
    Shape shape = array.shape();
    DataType type = array.dataType();
    // row: end
    assertThat(shape).isEqualTo(SHAPE);
    assertThat(type).isEqualTo(FLOAT32);
  }

  @Test
  void attributes() {
    // row: attribute
    String units = array.attributes().string("units").orElse("1");
    // row: end
    assertThat(units).isEqualTo("C");
    // row: set-attribute
    Mono<ZarrArray> changed = array.updateAttributes(old -> old.with("units", "K"));
    // row: end
    assertThat(changed.block().attributes().string("units")).contains("K");
  }

  @Test
  void read() {
    // row: read
    Mono<NdArray> all = array.read();
    // row: end
    assertThat(all.block()).isEqualTo(data);
    // row: floats
    Mono<float[]> values = array.read().map(NdArray::toFloatArray);
    // row: end
    assertThat(values.block()).isEqualTo(data.toFloatArray());
  }

  @Test
  void read_into() {
    ByteBuffer buffer = ByteBuffer.allocate(10 * 4 * 8 * Float.BYTES);
    // row: read-into
    Mono<ByteBuffer> filled = array.readInto(Selection.parse("0:10"), buffer);
    // row: end
    assertThat(filled.block().order(ByteOrder.LITTLE_ENDIAN).getFloat(4)).isEqualTo(1);
  }

  @Test
  void slices() {
    // row: slice
    Mono<NdArray> part = array.read("0:10,:,5");
    // row: end
    assertThat(part.block()).isEqualTo(data.slice(Selection.parse("0:10,:,5")));
    // row: box
    Mono<NdArray> box = array.read(Selection.box(new long[] {0, 0, 5}, new long[] {10, 4, 1}));
    // row: end
    assertThat(box.block()).isEqualTo(data.slice(Selection.parse("0:10,:,5:6")));
    // row: strided
    Mono<NdArray> coarse = array.read(":,::2,::2");
    // row: end
    assertThat(coarse.block().shape()).isEqualTo(Shape.of(365, 2, 4));
    // row: lists
    Mono<NdArray> crossings = array.read(":,[0,2],[1,3]");
    // row: end
    assertThat(crossings.block().shape()).isEqualTo(Shape.of(365, 2, 2));
    // row: points
    Mono<NdArray> points = array.read(Selection.points(new long[] {0, 0, 2}, new long[] {9, 3, 0}));
    // row: end
    assertThat(points.block().toFloatArray()).containsExactly(2, (9 * 32 + 24) % 100);
    // row: clipped
    Mono<NdArray> clipped = array.read(Selection.parse("300:99999").clipped());
    // row: end
    assertThat(clipped.block().shape()).isEqualTo(Shape.of(65, 4, 8));
  }

  @Test
  void masks() {
    NdArray mask = NdArray.ofBooleans(Shape.of(365), new boolean[365]);
    Mono<ZarrArray> series =
        group.createArray("series", ArrayMetadata.v3(Shape.of(365), FLOAT32).build());
    array = series.block();
    // row: mask
    Mono<NdArray> masked = array.read(Selection.mask(mask));
    // row: end
    assertThat(masked.block().shape()).isEqualTo(Shape.of(0));
  }

  @Test
  void scalars() {
    // row: scalar
    Mono<Float> value = array.read("3,2,1").map(NdArray::getFloat);
    // row: end
    assertThat(value.block()).isEqualTo((3 * 32 + 2 * 8 + 1) % 100f);
  }

  @Test
  void chunks() {
    // row: chunk
    Mono<NdArray> chunk = array.readChunk(2, 0, 0);
    // row: end
    assertThat(chunk.block()).isEqualTo(data.slice(Selection.parse("200:300")));
    // row: encoded-chunk
    Mono<Bytes> stored = array.readEncodedChunk(2, 0, 0);
    // row: end
    assertThat(stored.block().size()).isPositive();
    // row: chunk-exists
    Mono<Boolean> isStored = array.chunkExists(2, 0, 0);
    // row: end
    assertThat(isStored.block()).isTrue();
  }

  @Test
  void streams() {
    // row: stream
    Flux<Chunk> chunks = array.chunks();
    Mono<Double> sum =
        chunks.map(c -> DoubleStream.of(c.data().toDoubleArray()).sum()).reduce(Double::sum);
    // row: end
    assertThat(sum.block()).isEqualTo(DoubleStream.of(data.toDoubleArray()).sum());
  }

  @Test
  void create_an_array() {
    String place = fresh();
    // row: create
    var metadata =
        ArrayMetadata.v3(Shape.of(365, 720), FLOAT32).chunkShape(30, 90).compressors(zstd(3));
    Mono<ZarrArray> created = Zarr.at(place).createArray(metadata.build());
    // row: end
    assertThat(created.block().metadata().codecs())
        .extracting(codec -> codec.name())
        .containsExactly("bytes", "zstd");
  }

  @Test
  void create_an_array_of_zarr_v2() {
    String place = fresh();
    // row: create-v2
    var metadata =
        ArrayMetadata.v2(Shape.of(365, 720), FLOAT32).chunkShape(30, 90).compressors(zlib(5));
    Mono<ZarrArray> created = Zarr.at(place).createArray(metadata.build());
    // row: end
    assertThat(created.block().metadata().zarrFormat()).isEqualTo(2);
  }

  @Test
  void create_shards() {
    String place = fresh();
    // row: shards
    var metadata =
        ArrayMetadata.v3(Shape.of(360, 720), FLOAT32).chunkShape(10, 90).shardShape(60, 720);
    Mono<ZarrArray> created = Zarr.at(place).createArray(metadata.build());
    // row: end
    assertThat(created.block().metadata().chunkGrid().member("chunk_shape").value())
        .hasToString("[60,720]");
  }

  @Test
  void create_with_a_fill_value_and_big_endian() {
    String place = fresh();
    // row: fill-value
    var metadata = ArrayMetadata.v3(Shape.of(365, 720), FLOAT32).fillValue(-9999);
    // row: end
    assertThat(metadata.build().fillValue()).isNotNull();
    // row: endian
    var bigEndian = metadata.codecs(bytes(ByteOrder.BIG_ENDIAN), zstd(3), crc32c());
    // row: end
    ZarrArray created = Zarr.at(place).createArray(bigEndian.build()).block();
    created.write(Selection.all(), 7).block();
    assertThat(created.read("3,4").block().getFloat()).isEqualTo(7);
  }

  @Test
  void write() {
    NdArray part = data.slice(Selection.parse("3:13"));
    float[] values = part.toFloatArray();
    // row: write
    Mono<Void> written = array.write("...", data);
    // row: end
    written.block();
    // row: write-region
    Mono<Void> region = array.write("0:10", part);
    // row: end
    region.block();
    assertThat(array.read("0:10").block()).isEqualTo(part);
    // row: write-floats
    Mono<Void> days = array.write("20:30", NdArray.ofFloats(FLOAT32, Shape.of(10, 4, 8), values));
    // row: end
    days.block();
    assertThat(array.read("20:30").block()).isEqualTo(part);
    // row: write-number
    Mono<Void> sevens = array.write(Selection.parse("...,::2"), 7);
    // row: end
    sevens.block();
    assertThat(array.read("0,0").block().toFloatArray()).startsWith(7, 97, 7, 99);
  }

  @Test
  void grow() {
    NdArray block = data.slice(Selection.parse("0:1"));
    // row: append
    Mono<ZarrArray> longer = array.append(0, block);
    // row: end
    assertThat(longer.block().shape()).isEqualTo(Shape.of(366, 4, 8));
    // row: resize
    Mono<ZarrArray> resized = array.resize(Shape.of(730, 4, 8));
    // row: end
    assertThat(resized.block().shape()).isEqualTo(Shape.of(730, 4, 8));
  }

  @Test
  void fill_values() {
    // row: fill
    FillValue fill = array.fillValue();
    // row: end
    assertThat(fill).isNotNull();
  }

  @Test
  void groups() {
    ArrayMetadata metadata = ArrayMetadata.v3(SHAPE, FLOAT32).build();
    String place = fresh();
    // row: create-group
    Mono<ZarrGroup> created = Zarr.at(place).createGroup();
    // row: end
    assertThat(created.block().path().isRoot()).isTrue();
    // row: create-in-group
    Mono<ZarrArray> snow = group.createArray("snow", metadata);
    // row: end
    assertThat(snow.block().path()).hasToString("/snow");
    // row: children
    Flux<ZarrNode> children = group.children();
    // row: end
    assertThat(children.count().block()).isEqualTo(2);
    // row: tree
    Flux<ZarrNode> nodes = group.tree();
    // row: end
    assertThat(nodes.map(node -> node.path().value()).collectList().block())
        .contains("/temperature", "/snow");
    // row: exists
    Mono<Boolean> isThere = group.exists("snow");
    // row: end
    assertThat(isThere.block()).isTrue();
    // row: erase
    Mono<Void> erased = group.erase("snow");
    // row: end
    erased.block();
    assertThat(group.exists("snow").block()).isFalse();
  }

  @Test
  void keys() {
    Store store = FileSystemStore.open(directory.resolve("earth.zarr"));
    // row: keys
    Flux<StoreKey> keys = store.list();
    // row: end
    assertThat(keys.map(StoreKey::value).collectList().block())
        .contains("temperature/zarr.json", "temperature/c/3/0/0");
  }

  @Test
  void consolidate() {
    // row: consolidate
    Mono<ZarrGroup> consolidated = group.consolidate();
    // row: end
    assertThat(consolidated.block().metadata().consolidated()).isNotNull();
  }

  @Test
  void over_http() {
    try (FaultyServer server = FaultyServer.of(FileSystemStore.open(CommandRun.EARTH))) {
      String url = server.uri() + "/earth/lat";
      // row: http
      Mono<ZarrArray> opened = Zarr.at(url).openArray();
      // row: end
      assertThat(opened.block().shape()).isEqualTo(Shape.of(360));
    }
  }

  @Test
  void in_s3() {
    Path parent = CommandRun.EARTH.toAbsolutePath().getParent();
    try (FaultyServer server = FaultyServer.of(FileSystemStore.open(parent))) {
      String url = "s3://" + CommandRun.EARTH.getFileName() + "/earth/lat";
      String bucket = CommandRun.EARTH.getFileName().toString();
      String accessKey = "key";
      String secretKey = "s3cret";
      String endpoint = server.uri().toString();
      // row: s3-anonymous
      StoreOptions anonymous =
          StoreOptions.none().with("endpoint", endpoint).with("anonymous", "true");
      Mono<ZarrArray> opened = Zarr.at(url).withStoreOptions(anonymous).openArray();
      // row: end
      assertThat(opened.block().shape()).isEqualTo(Shape.of(360));
      // row: s3-keys
      S3StoreBuilder builder = S3Store.at(bucket).endpoint(URI.create(endpoint));
      Store store = builder.credentials(accessKey, secretKey).open();
      Mono<ZarrArray> lat = Zarr.hierarchy(store).openArray("earth/lat");
      // row: end
      assertThat(lat.block().shape()).isEqualTo(Shape.of(360));
      store.close().block();
    }
  }

  @Test
  void in_an_archive() {
    Path archive = directory.resolve("earth.zip");
    CommandRun.zarr("copy", directory.resolve("earth.zarr").toString(), archive.toString());
    String pipeline = archive + "|zip:temperature";
    // row: zip
    Mono<ZarrArray> opened = Zarr.at(pipeline).openArray();
    // row: end
    assertThat(opened.block().read().block()).isEqualTo(data);
  }

  @Test
  void in_memory() {
    ArrayMetadata metadata = ArrayMetadata.v3(SHAPE, FLOAT32).build();
    // row: memory
    Mono<ZarrArray> created =
        Zarr.hierarchy(MemoryStore.create()).createArray("temperature", metadata);
    // row: end
    assertThat(created.block().shape()).isEqualTo(SHAPE);
  }

  @Test
  void errors() throws IOException {
    String place = directory.resolve("nothing").toString();
    // row: not-there
    Mono<ZarrArray> orNothing =
        Zarr.at(place)
            .openArray()
            .onErrorResume(NodeNotFoundException.class, missing -> Mono.empty());
    // row: end
    assertThat(orNothing.hasElement().block()).isFalse();
    Files.writeString(directory.resolve("earth.zarr/temperature/c/1/0/0"), "no chunk");
    // row: damaged
    Mono<NdArray> all = array.read().doOnError(CodecException.class, e -> log(e.getMessage()));
    // row: end
    assertThatThrownBy(all::block).hasMessageContaining("chunk [1, 0, 0]");
    assertThat(log).singleElement().asString().contains("/temperature");
  }

  private final List<String> log = new ArrayList<>();

  private void log(String message) {
    log.add(message);
  }

  @Test
  void limits() {
    // row: timeout
    Mono<NdArray> inTime = array.read().timeout(Duration.ofSeconds(30));
    // row: end
    assertThat(inTime.block()).isEqualTo(data);
    // row: limit
    ZarrOptions options = ZarrOptions.defaults().withMaxConcurrency(8);
    Mono<ZarrArray> opened = Zarr.at(place).withOptions(options).openArray();
    // row: end
    assertThat(opened.block().read().block()).isEqualTo(data);
  }

  @Test
  void unsigned() {
    String place = fresh();
    ArrayMetadata metadata = ArrayMetadata.v3(Shape.of(2), UINT8).build();
    array = Zarr.at(place).createArray(metadata).block();
    array.write(Selection.all(), 200).block();
    // row: unsigned
    Mono<Integer> value = array.read("1").map(NdArray::getInt);
    // row: end
    assertThat(value.block()).isEqualTo(200);
  }

  @Test
  void convert() {
    String old = directory.resolve("earth.zarr").toString();
    String place = fresh();
    // row: convert
    Flux<CopyProgress> copied = ZarrCopy.of(Zarr.at(old), Zarr.at(place)).zarrFormat(3).run();
    // row: end
    assertThat(copied.blockLast().share()).isOne();
    assertThat(Zarr.at(place + "/temperature").openArray().flatMap(ZarrArray::read).block())
        .isEqualTo(data);
  }

  @Test
  void datasets() {
    String place = directory.resolve("dataset.zarr").toString();
    Dataset.builder()
        .coordinate("time", List.of(LocalDate.of(2026, 1, 1), LocalDate.of(2026, 1, 2)))
        .coordinate("latitude", NdArray.ofDoubles(Shape.of(3), 47, 48, 49))
        .variable(
            "t2m",
            List.of("time", "latitude"),
            NdArray.ofDoubles(Shape.of(2, 3), 270, 270.5, 271, 280, 281, 282),
            t2m -> t2m.packed(INT16, 0.5, 270))
        .write(Zarr.at(place))
        .block();
    // row: dataset
    Mono<Dataset> opened = Dataset.open(Zarr.at(place));
    // row: end
    Dataset dataset = opened.block();
    // row: sizes
    Map<String, Long> sizes = dataset.sizes();
    // row: end
    assertThat(sizes).containsEntry("time", 2L);
    // row: variable
    Mono<NdArray> values = dataset.variable("t2m").read();
    // row: end
    assertThat(values.block().toDoubleArray()).containsExactly(270, 270.5, 271, 280, 281, 282);
    // row: raw
    Mono<NdArray> packed = dataset.variable("t2m").raw().read();
    // row: end
    assertThat(packed.block().toShortArray()).containsExactly(0, 1, 2, 20, 22, 24);
    // row: nearest
    Mono<NdArray> vienna = dataset.sel("latitude", 48.2, LabelMethod.NEAREST).read("t2m");
    // row: end
    assertThat(vienna.block().toDoubleArray()).containsExactly(270.5, 281);
    // row: period
    Mono<NdArray> january = dataset.sel("time", "2026-01").read("t2m");
    // row: end
    assertThat(january.block().shape()).isEqualTo(Shape.of(2, 3));
    // row: times
    Mono<Instant> first = dataset.variable("time").read("0").map(NdArray::getInstant);
    // row: end
    assertThat(first.block()).isEqualTo("2026-01-01T00:00:00Z");
    // row: mean
    Mono<NdArray> mean = dataset.variable("t2m").over("time").mean();
    // row: end
    assertThat(mean.block().toDoubleArray()).containsExactly(275, 275.75, 276.5);
  }

  @Test
  void a_missing_chunk_and_a_missing_inner_chunk_are_fill_value() {
    ArrayMetadata metadata =
        ArrayMetadata.v3(Shape.of(40, 40), FLOAT32)
            .chunkShape(10, 10)
            .shardShape(20, 20)
            .fillValue(-9999)
            .build();
    ZarrArray sharded = Zarr.at(fresh()).createArray(metadata).block();
    sharded.write(Selection.parse("0:10,0:10"), 7).block();
    assertThat(sharded.read("0,0").block().getFloat()).isEqualTo(7);
    assertThat(sharded.read("15,15").block().getFloat()).isEqualTo(-9999);
    assertThat(sharded.read("35,35").block().getFloat()).isEqualTo(-9999);
    assertThat(sharded.chunkExists(0, 0).block()).isTrue();
    assertThat(sharded.chunkExists(1, 1).block()).isFalse();
  }

  @Test
  void a_selection_and_a_chunk_beyond_the_end_are_refused() {
    assertThatThrownBy(() -> array.read("0:999").block())
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> array.readChunk(99, 0, 0).block())
        .isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void a_chunk_at_the_end_is_full_by_its_index_and_cut_off_in_a_stream() {
    assertThat(array.readChunk(3, 0, 0).block().shape()).isEqualTo(Shape.of(100, 4, 8));
    assertThat(array.chunksInOrder(Selection.all()).blockLast().data().shape())
        .isEqualTo(Shape.of(65, 4, 8));
  }

  @ParameterizedTest
  @ValueSource(ints = {403, 503})
  void a_refused_request_is_an_error_with_its_status(int status) {
    try (FaultyServer server =
        FaultyServer.of(FileSystemStore.open(directory.resolve("earth.zarr")))) {
      StoreOptions once = StoreOptions.none().with("retry", "false");
      Fault refused = Fault.status(status, null);
      server.misbehave(refused.where(asked -> asked.path().contains("/c/1/")));
      Mono<ZarrArray> opened =
          Zarr.at(server.uri() + "/temperature").withStoreOptions(once).openArray();
      assertThatThrownBy(() -> opened.flatMap(ZarrArray::read).block())
          .isInstanceOf(StoreException.class)
          .hasMessageContaining(String.valueOf(status))
          .hasMessageContaining("[1, 0, 0]");
      server.misbehave(refused);
      assertThatThrownBy(opened::block)
          .isInstanceOf(StoreException.class)
          .hasMessageContaining(String.valueOf(status));
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"zarr-java", "jzarr", "n5", "netcdf-java", "zarr-python"})
  void our_lines_on_a_page_are_code_that_is_tested(String name) throws IOException {
    Set<String> ours = new HashSet<>(code().values());
    List<String> rows = rows(name);
    assertThat(rows).hasSizeGreaterThanOrEqualTo(20);
    for (String row : rows) {
      if (!row.startsWith("–")) {
        assertThat(ours).as(row).contains(squeezed(spans(row)));
      }
    }
  }

  @Test
  void every_line_is_on_a_page() throws IOException {
    Map<String, String> missing = code();
    for (String name : List.of("zarr-java", "jzarr", "n5", "netcdf-java", "zarr-python")) {
      for (String row : rows(name)) {
        missing.values().remove(squeezed(spans(row)));
      }
    }
    assertThat(missing).isEmpty();
  }

  /** Returns the cells of the column "zarr-reactive" of the tables of code of a page. */
  private static List<String> rows(String name) {
    List<String> rows = new ArrayList<>();
    boolean isTable = false;
    for (String line : Pages.lines(Pages.ROOT.resolve("docs/from-" + name + ".md"))) {
      if (isTable && line.startsWith("| ") && !line.contains("---")) {
        String cells = line.substring(2, line.length() - 2);
        rows.add(cells.substring(cells.lastIndexOf(" | ") + 3));
      }
      isTable =
          line.startsWith("|") && (isTable || line.matches("\\| to \\| .* zarr-reactive \\|"));
    }
    return rows;
  }

  /** Returns the code between backticks. */
  private static String spans(String cell) {
    StringBuilder code = new StringBuilder();
    Matcher span = Pattern.compile("`([^`]+)`").matcher(cell);
    while (span.find()) {
      code.append(span.group(1));
    }
    return code.toString();
  }

  private static String squeezed(String code) {
    return code.replaceAll("\\s+", "");
  }

  private static Map<String, String> code() throws IOException {
    Map<String, String> code = new HashMap<>();
    String name = "";
    StringBuilder text = new StringBuilder();
    for (String line : Files.readAllLines(SOURCE)) {
      String stripped = line.strip();
      if (!stripped.startsWith("// row: ")) {
        text.append(stripped);
      } else if (stripped.equals("// row: end")) {
        assertThat(code.put(name, squeezed(text.toString()))).as(name).isNull();
      } else {
        name = stripped.substring("// row: ".length());
        text.setLength(0);
      }
    }
    return code;
  }
}
