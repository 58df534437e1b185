package dev.zarrreactive.docs;

import static dev.zarrreactive.codec.Codecs.zstd;
import static dev.zarrreactive.datatype.DataTypes.FLOAT32;
import static org.assertj.core.api.Assertions.assertThat;

import dev.zarrreactive.Zarr;
import dev.zarrreactive.ZarrArray;
import dev.zarrreactive.ZarrGroup;
import dev.zarrreactive.ZarrNode;
import dev.zarrreactive.array.NdArray;
import dev.zarrreactive.array.Shape;
import dev.zarrreactive.array.selection.Selection;
import dev.zarrreactive.copy.ZarrCopy;
import dev.zarrreactive.dataset.ExactStatistics;
import dev.zarrreactive.json.JsonObject;
import dev.zarrreactive.metadata.ArrayMetadata;
import dev.zarrreactive.store.file.FileSystemStore;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.DoubleStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/** The samples of docs/tasks.md, and the lines that they take. */
class TasksSamplesTest {
  private static final Shape SHAPE = Shape.of(365, 4, 8);
  private static final Path PAGE = Pages.ROOT.resolve("docs/tasks.md");
  private static final List<String> OTHERS =
      List.of("<!-- zarr-python -->", "<!-- xarray -->", "<!-- zarr-java -->");

  @TempDir Path directory;
  private NdArray data;
  private ZarrArray array;

  @BeforeEach
  void create() {
    float[] values = new float[365 * 4 * 8];
    for (int i = 0; i < values.length; i++) {
      values[i] = i % 100;
    }
    data = NdArray.ofFloats(FLOAT32, SHAPE, values);
    array = written(directory.resolve("earth.zarr"), ArrayMetadata.v3(SHAPE, FLOAT32).build());
  }

  private ZarrArray written(Path place, ArrayMetadata metadata) {
    JsonObject units = JsonObject.EMPTY.with("units", "C");
    return Zarr.hierarchy(FileSystemStore.open(place))
        .createArray("temperature", metadata.withAttributes(units))
        .delayUntil(created -> created.write("...", data))
        .block();
  }

  private String place(String path) {
    return directory.resolve("earth.zarr").resolve(path).toString();
  }

  private String fresh() {
    return directory.resolve("new.zarr").toString();
  }

  private Path old() {
    Path old = directory.resolve("old.zarr");
    written(old, ArrayMetadata.v2(SHAPE, FLOAT32).build());
    return old;
  }

  private static NdArray mask() {
    boolean[] truth = new boolean[365 * 4 * 8];
    truth[3] = true;
    truth[77] = true;
    return NdArray.ofBooleans(SHAPE, truth);
  }

  @Test
  void open_an_array_at_a_path_or_url() {
    String place = place("temperature");
    // docs: task-open-an-array-at-a-path
    Mono<ZarrArray> opened = Zarr.at(place).openArray();
    // docs: end
    assertThat(opened.block().shape()).isEqualTo(SHAPE);
  }

  @Test
  void see_the_shape_and_the_type_of_the_elements() {
    // docs: task-see-the-shape-and-the-type
    System.out.println(array.shape() + " " + array.dataType());
    // docs: end

  }

  @Test
  void read_all_of_it() {
    // docs: task-read-all-of-it
    Mono<NdArray> all = array.read();
    // docs: end
    assertThat(all.block()).isEqualTo(data);
  }

  @Test
  void read_a_part() {
    // docs: task-read-a-part
    Mono<NdArray> part = array.read("0:10,:,5");
    // docs: end
    assertThat(part.block().shape()).isEqualTo(Shape.of(10, 4));
  }

  @Test
  void read_every_second_row_and_column() {
    // docs: task-read-every-second-row-and-column
    Mono<NdArray> coarse = array.read(":,::2,::2");
    // docs: end
    assertThat(coarse.block().shape()).isEqualTo(Shape.of(365, 2, 4));
  }

  @Test
  void read_the_crossings_of_two_lists_of_indices() {
    // docs: task-read-the-crossings-of-two-lists
    Mono<NdArray> crossings = array.read(":,[0,2],[1,3]");
    // docs: end
    assertThat(crossings.block().shape()).isEqualTo(Shape.of(365, 2, 2));
  }

  @Test
  void read_the_elements_where_a_mask_is_true() {
    NdArray mask = mask();
    // docs: task-read-the-elements-where-a-mask
    Mono<NdArray> masked = array.read(Selection.mask(mask));
    // docs: end
    assertThat(masked.block().shape()).isEqualTo(Shape.of(2));
  }

  @Test
  void create_an_array() {
    String place = fresh();
    // docs: task-create-an-array
    var metadata = ArrayMetadata.v3(Shape.of(365, 720), FLOAT32).chunkShape(30, 90).build();
    Mono<ZarrArray> created = Zarr.at(place).createArray(metadata);
    // docs: end
    assertThat(created.block().shape()).isEqualTo(Shape.of(365, 720));
  }

  @Test
  void create_a_sharded_array_with_zstd_of_level_3() {
    String place = fresh();
    Shape shape = Shape.of(360, 720);
    // docs: task-create-a-sharded-array-with-zstd
    var metadata = ArrayMetadata.v3(shape, FLOAT32).chunkShape(10, 90).shardShape(60, 720);
    Mono<ZarrArray> created = Zarr.at(place).createArray(metadata.compressors(zstd(3)).build());
    // docs: end
    ZarrArray sharded = created.block();
    assertThat(sharded.metadata().chunkGrid().member("chunk_shape").value())
        .hasToString("[60,720]");
  }

  @Test
  void write_all_of_it() {
    // docs: task-write-all-of-it
    Mono<Void> written = array.write("...", data);
    // docs: end
    written.block();
    assertThat(array.read().block()).isEqualTo(data);
  }

  @Test
  void write_a_part() {
    NdArray part = data.slice(Selection.parse("3:13"));
    // docs: task-write-a-part
    Mono<Void> written = array.write("0:10", part);
    // docs: end
    written.block();
    assertThat(array.read("0:10").block()).isEqualTo(part);
  }

  @Test
  void write_one_number_to_every_second_column() {
    // docs: task-write-one-number-to-every-second
    Mono<Void> written = array.write(Selection.parse("...,::2"), 7);
    // docs: end
    written.block();
    assertThat(array.read("0,0").block().toFloatArray()).startsWith(7, 1, 7, 3);
  }

  @Test
  void append_a_block() {
    NdArray block = data.slice(Selection.parse("0:1"));
    // docs: task-append-a-block
    Mono<ZarrArray> longer = array.append(0, block);
    // docs: end
    assertThat(longer.block().shape()).isEqualTo(Shape.of(366, 4, 8));
  }

  @Test
  void give_an_array_another_shape() {
    // docs: task-give-an-array-another-shape
    Mono<ZarrArray> resized = array.resize(Shape.of(730, 4, 8));
    // docs: end
    assertThat(resized.block().shape()).isEqualTo(Shape.of(730, 4, 8));
  }

  @Test
  void read_an_attribute() {
    // docs: task-read-an-attribute
    String units = array.metadata().attributes().string("units").orElseThrow();
    // docs: end
    assertThat(units).isEqualTo("C");
  }

  @Test
  void set_an_attribute() {
    // docs: task-set-an-attribute
    Mono<ZarrArray> set = array.updateAttributes(old -> old.with("units", "K"));
    // docs: end
    assertThat(set.block().metadata().attributes().string("units")).contains("K");
  }

  @Test
  void list_all_nodes_of_a_hierarchy() {
    String place = place("");
    // docs: task-list-all-nodes-of-a-hierarchy
    Flux<ZarrNode> nodes = Zarr.at(place).openGroup().flatMapMany(ZarrGroup::tree);
    // docs: end
    assertThat(nodes.map(node -> node.path().value()).collectList().block())
        .contains("/temperature");
  }

  @Test
  void sum_an_array_that_is_larger_than_the_memory() {
    // docs: task-sum-an-array-that-is-larger
    Flux<Double> sums = array.chunks().map(c -> DoubleStream.of(c.data().toDoubleArray()).sum());
    Mono<Double> sum = sums.reduce(Double::sum);
    // docs: end
    double mean = ExactStatistics.of(array.read().block()).mean().getAsDouble();
    assertThat(sum.block()).isEqualTo(mean * 365 * 4 * 8);
  }

  @Test
  void consolidate_the_metadata_of_a_hierarchy() {
    String place = place("");
    // docs: task-consolidate-the-metadata-of-a-hierarchy
    Mono<ZarrGroup> done = Zarr.at(place).openGroup().flatMap(ZarrGroup::consolidate);
    // docs: end
    assertThat(done.block().path().isRoot()).isTrue();
  }

  @Test
  void convert_a_hierarchy_from_zarr_v2_to_v3() {
    String old = old().toString();
    String place = fresh();
    // docs: task-convert-a-hierarchy-from-zarr-v2
    var copy = ZarrCopy.of(Zarr.at(old), Zarr.at(place)).zarrFormat(3).run();
    // docs: end
    copy.blockLast();
    assertThat(Zarr.at(place + "/temperature").openArray().block().metadata().zarrFormat())
        .isEqualTo(3);
  }

  @Test
  void each_of_twenty_tasks_takes_at_most_one_line_more_than_the_shortest() {
    List<String> rows = new ArrayList<>();
    for (Pages.Fence ours : Pages.fences(PAGE, "java")) {
      String row = "| " + lines(ours.text());
      long shortest = Long.MAX_VALUE;
      for (String other : OTHERS) {
        Pages.Fence fence = below(ours, other);
        row += " | " + (fence == null ? "–" : lines(fence.text()));
        shortest = fence == null ? shortest : Math.min(shortest, lines(fence.text()));
        if (fence != null) {
          assertThat(fence.text().lines()).allMatch(line -> line.length() <= 100);
        }
      }
      assertThat(lines(ours.text())).as(ours.comment()).isLessThanOrEqualTo(shortest + 1);
      rows.add(row + " |");
    }
    assertThat(rows).hasSize(20);
    assertThat(
            Pages.lines(PAGE).stream()
                .filter(line -> line.startsWith("| ["))
                .map(line -> line.substring(line.indexOf(") | ") + 2)))
        .isEqualTo(rows);
  }

  private static long lines(String code) {
    return code.lines().filter(line -> !line.isBlank()).count();
  }

  /** The same task by another library; null where there is none. */
  private static Pages.Fence below(Pages.Fence ours, String comment) {
    List<String> lines = Pages.lines(PAGE);
    int end = ours.line();
    while (end < lines.size() && !lines.get(end).startsWith("## ")) {
      end++;
    }
    for (String language : List.of("python", "java zarr-java")) {
      for (Pages.Fence fence : Pages.fences(PAGE, language)) {
        if (fence.comment().equals(comment) && fence.line() > ours.line() && fence.line() < end) {
          return fence;
        }
      }
    }
    return null;
  }
}
