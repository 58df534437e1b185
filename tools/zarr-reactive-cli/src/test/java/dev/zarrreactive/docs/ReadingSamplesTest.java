package dev.zarrreactive.docs;

import static dev.zarrreactive.array.selection.DimensionSelection.at;
import static dev.zarrreactive.array.selection.DimensionSelection.every;
import static dev.zarrreactive.array.selection.DimensionSelection.indices;
import static dev.zarrreactive.array.selection.DimensionSelection.slice;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.zarrreactive.UnreadableNode;
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
import dev.zarrreactive.base.Bytes;
import dev.zarrreactive.base.StoreKey;
import dev.zarrreactive.cli.CommandRun;
import dev.zarrreactive.dataset.ExactStatistics;
import dev.zarrreactive.datatype.DataTypes;
import dev.zarrreactive.datatype.FillValue;
import dev.zarrreactive.error.MetadataException;
import dev.zarrreactive.error.NodeNotFoundException;
import dev.zarrreactive.error.ZarrException;
import dev.zarrreactive.json.JsonObject;
import dev.zarrreactive.metadata.GroupMetadata;
import dev.zarrreactive.store.Store;
import dev.zarrreactive.store.file.FileSystemStore;
import dev.zarrreactive.store.memory.MemoryStore;
import java.nio.ByteBuffer;
import java.nio.FloatBuffer;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/** The samples of docs/reading.md. */
class ReadingSamplesTest {
  private final Path directory = CommandRun.EARTH;
  private final Store store = FileSystemStore.open(directory);
  private final ZarrArray rgb = Zarr.hierarchy(store).openArray("earth/rgb").block();

  @Test
  void opening() {
    // docs: open
    ZarrHierarchy hierarchy = Zarr.hierarchy(FileSystemStore.open(directory));

    Mono<ZarrArray> array = hierarchy.openArray("earth/rgb");
    Mono<ZarrGroup> root = hierarchy.openGroup("");
    Mono<ZarrNode> arrayOrGroup = hierarchy.open("earth");

    Mono<ZarrArray> byLocation = Zarr.at(directory + "/earth/rgb").openArray();
    // docs: end
    assertThat(byLocation.block().shape()).isEqualTo(array.block().shape());
    assertThat(array.block().shape()).isEqualTo(Shape.of(360, 720, 3));
    assertThat(root.block().path().isRoot()).isTrue();
    assertThat(arrayOrGroup.block()).isInstanceOf(ZarrGroup.class);
  }

  @Test
  void walking() {
    // docs: walk
    Flux<String> arrays =
        Zarr.hierarchy(store)
            .openGroup("")
            .flatMapMany(ZarrGroup::tree)
            .ofType(ZarrArray.class)
            .map(array -> array.path() + " " + array.dataType() + " " + array.shape());

    Mono<Boolean> isThere = Zarr.hierarchy(store).exists("earth/relief");
    // docs: end
    assertThat(arrays.collectList().block())
        .containsExactlyInAnyOrder(
            "/earth/lat float64 [360]",
            "/earth/lon float64 [720]",
            "/earth/relief float32 [360, 720]",
            "/earth/rgb uint8 [360, 720, 3]");
    assertThat(isThere.block()).isTrue();
  }

  @Test
  void what_cannot_be_opened() {
    Store store = MemoryStore.create();
    Zarr.hierarchy(store).createGroup("").block();
    store.set(StoreKey.of("a/zarr.json"), Bytes.utf8("{}")).block();
    // docs: unreadable
    Mono<List<String>> problems =
        Zarr.hierarchy(store)
            .openGroup("")
            .flatMapMany(ZarrGroup::tree)
            .ofType(UnreadableNode.class)
            .map(node -> node.path() + ": " + node.error().statement())
            .collectList();
    // docs: end
    assertThat(problems.block()).containsExactly("/a: the member \"zarr_format\" is missing");
  }

  @Test
  void consolidated_metadata() {
    Store store = MemoryStore.create();
    Zarr.hierarchy(store).createGroup("a/b").block();
    Zarr.hierarchy(store).openGroup("").flatMap(ZarrGroup::consolidate).block();
    store.set(StoreKey.of("new/zarr.json"), Bytes.utf8("{}")).block();
    // docs: consolidated
    Mono<Long> nodes =
        Zarr.hierarchy(store).openGroup("").flatMapMany(ZarrGroup::tree).count(); // one request

    ZarrOptions options = ZarrOptions.defaults().withConsolidatedMetadata(false);
    Mono<ZarrGroup> afresh = Zarr.hierarchy(store, options).openGroup("");
    // docs: end
    assertThat(nodes.block()).isEqualTo(2);
    assertThat(afresh.flatMapMany(ZarrGroup::tree).count().block()).isEqualTo(3);
  }

  @Test
  void selecting() {
    // docs: select
    Mono<NdArray> everything = rgb.read(Selection.all());
    Mono<NdArray> asInNumPy = rgb.read(Selection.parse("60:120, ::2, -1"));
    Mono<NdArray> theSame = rgb.read(Selection.of(slice(60, 120), every(2), at(-1)));
    Mono<NdArray> crossings = rgb.read(Selection.of(indices(5, 3, 3), indices(0, 719)));
    Mono<NdArray> box = rgb.read(Selection.box(new long[] {60, 90, 0}, new long[] {60, 90, 3}));
    Mono<NdArray> points = rgb.read(Selection.points(new long[] {0, 0, 2}, new long[] {9, 9, 0}));
    // docs: end
    assertThat(everything.block().shape()).isEqualTo(Shape.of(360, 720, 3));
    assertThat(asInNumPy.block().shape()).isEqualTo(Shape.of(60, 360));
    assertThat(theSame.block()).isEqualTo(asInNumPy.block());
    assertThat(crossings.block().shape()).isEqualTo(Shape.of(3, 2, 3));
    assertThat(box.block().shape()).isEqualTo(Shape.of(60, 90, 3));
    assertThat(points.block().shape()).isEqualTo(Shape.of(2));
  }

  @Test
  void a_mask() {
    Mono<ZarrArray> lat = Zarr.hierarchy(store).openArray("earth/lat");
    boolean[] north = new boolean[360];
    java.util.Arrays.fill(north, 0, 180, true);
    // docs: mask
    NdArray mask = NdArray.ofBooleans(Shape.of(360), north);
    Mono<NdArray> northernLatitudes = lat.flatMap(array -> array.read(Selection.mask(mask)));
    // docs: end
    assertThat(northernLatitudes.block().shape()).isEqualTo(Shape.of(180));
    assertThat(northernLatitudes.block().getDouble(179)).isEqualTo(0.25);
  }

  @Test
  void values() {
    NdArray rgb = this.rgb.read(Selection.parse("100:102,380:383")).block();
    NdArray relief =
        Zarr.hierarchy(store)
            .openArray("earth/relief")
            .flatMap(array -> array.read(Selection.parse("100:102,380:383")))
            .block();
    // docs: values
    int red = rgb.getInt(0, 2, 0); // by index; uint8 comes out as 0 to 255
    short[] all = rgb.toShortArray(); // a copy, in C order
    float[] floats = relief.toFloatArray();
    FloatBuffer view = relief.asFloatBuffer(); // a read-only view, nothing is copied
    Bytes bytes = rgb.bytes(); // the elements as they are, little-endian
    // docs: end
    assertThat(red).isEqualTo(all[6]).isBetween(0, 255);
    assertThat(view.get(5)).isEqualTo(floats[5]);
    assertThat(bytes.size()).isEqualTo(18);
    assertThatThrownBy(() -> relief.getInt(0, 0))
        .isInstanceOf(UnsupportedOperationException.class)
        .hasMessageContaining("float32 cannot be read as an int without loss");
  }

  @Test
  void unsigned_values() {
    NdArray counts = NdArray.ofLongs(DataTypes.UINT64, Shape.of(1), -1);
    NdArray waves = NdArray.ofComplex(Shape.of(1), 1.0f, 2.0f);
    // docs: unsigned
    String large = counts.getBigInteger(0).toString(); // 18446744073709551615
    String same = Long.toUnsignedString(counts.getUnsignedLong(0));
    double real = waves.getReal(0);
    double imaginary = waves.getImag(0);
    // docs: end
    assertThat(large).isEqualTo("18446744073709551615").isEqualTo(same);
    assertThat(real + imaginary).isEqualTo(3.0);
  }

  @Test
  void short_forms() {
    // docs: short
    Mono<NdArray> everything = rgb.read();
    Mono<NdArray> asInNumPy = rgb.read("60:120, ::2, -1");
    Mono<NdArray> clipped = rgb.read(Selection.parse("300:99999").clipped()); // as NumPy does
    Flux<Chunk> chunks = rgb.chunks();
    // docs: end
    assertThat(everything.block().shape()).isEqualTo(Shape.of(360, 720, 3));
    assertThat(asInNumPy.block().shape()).isEqualTo(Shape.of(60, 360));
    assertThat(clipped.block().shape()).isEqualTo(Shape.of(60, 720, 3));
    assertThat(chunks.count().block()).isEqualTo(rgb.chunks(Selection.all()).count().block());
  }

  @Test
  void a_buffer() {
    // docs: buffer
    ByteBuffer buffer = ByteBuffer.allocateDirect(60 * 720 * 3);
    Mono<ByteBuffer> filled = rgb.readInto(Selection.parse("60:120"), buffer);
    // docs: end
    assertThat(Bytes.copyOf(filled.block())).isEqualTo(rgb.read("60:120").block().bytes());
  }

  @Test
  void views() {
    NdArray rgb = this.rgb.read("100:102,380:383").block();
    // docs: views
    NdArray green = rgb.slice(Selection.parse("...,1")); // shape [2, 3]
    NdArray columns = green.transpose(); // shape [3, 2]
    NdArray row = green.slice(Selection.parse("0")).newAxis(0); // shape [1, 3]
    NdArray repeated = row.broadcastTo(Shape.of(5, 3));
    int[][] nested = columns.toInt2d();
    // docs: end
    assertThat(green.shape()).isEqualTo(Shape.of(2, 3));
    assertThat(row.shape()).isEqualTo(Shape.of(1, 3));
    assertThat(nested).hasNumberOfRows(3).hasDimensions(3, 2);
    assertThat(nested[2][1]).isEqualTo(rgb.getInt(1, 2, 1));
    assertThat(repeated.getInt(4, 2)).isEqualTo(rgb.getInt(0, 2, 1));
  }

  @Test
  void numbers() {
    FillValue fillValue = FillValue.of(DataTypes.INT32, -999L);
    NdArray heights = NdArray.ofInts(DataTypes.INT32, Shape.of(2, 2), 1, -999, 8, 3);
    ByteBuffer buffer = ByteBuffer.allocate(16);
    double[] sum = new double[1];
    // docs: numbers
    float[] floats = heights.cast(DataTypes.FLOAT32).toFloatArray();
    heights.forEachIndex(index -> sum[0] += heights.getInt(index));
    heights.copyTo(buffer); // C order, little-endian
    // docs: end
    // docs: statistics
    ExactStatistics statistics = ExactStatistics.skipping(fillValue).add(heights);
    int lowest = statistics.min().orElseThrow().getInt();
    double mean = statistics.mean().orElse(Double.NaN);
    // docs: end
    assertThat(lowest).isEqualTo(1);
    assertThat(mean).isEqualTo(4);
    assertThat(floats).containsExactly(1, -999, 8, 3);
    assertThat(sum[0]).isEqualTo(-987);
    assertThat(buffer.hasRemaining()).isFalse();
  }

  @Test
  void attributes() {
    Store store = MemoryStore.create();
    ZarrNode node =
        Zarr.hierarchy(store)
            .createGroup("a", GroupMetadata.of(JsonObject.ofMap(Map.of("units", "K"))))
            .block();
    // docs: attributes
    String units = node.attributes().string("units").orElse("1");
    double scale = node.attributes().number("scale_factor").orElse(1);
    Map<String, Object> all = node.attributes().toMap();
    // docs: end
    assertThat(units).isEqualTo("K");
    assertThat(scale).isEqualTo(1);
    assertThat(all).isEqualTo(Map.of("units", "K"));
  }

  @Test
  void chunks_by_index() {
    // docs: chunk
    Mono<NdArray> chunk = rgb.readChunk(2, 4, 0);
    Mono<Bytes> asStored = rgb.readEncodedChunk(2, 4, 0); // empty where the chunk is missing
    // docs: end
    assertThat(chunk.block().shape()).isEqualTo(Shape.of(60, 90, 3));
    assertThat(asStored.block().size()).isPositive();
  }

  @Test
  void errors() {
    List<String> log = new java.util.ArrayList<>();
    // docs: errors
    Mono<ZarrArray> array =
        Zarr.hierarchy(store)
            .openArray("earth/clouds")
            .doOnError(NodeNotFoundException.class, e -> log.add("not there: " + e.getMessage()))
            .doOnError(MetadataException.class, e -> log.add("broken: " + e.location()))
            .onErrorResume(
                NodeNotFoundException.class, e -> Zarr.hierarchy(store).openArray("earth/rgb"));
    // docs: end
    assertThat(array.block().path()).hasToString("/earth/rgb");
    assertThat(log).hasSize(1).first().asString().startsWith("not there: no array or group here");
    assertThatThrownBy(() -> Zarr.hierarchy(store).openArray("earth").block())
        .isInstanceOf(ZarrException.class);
  }
}
