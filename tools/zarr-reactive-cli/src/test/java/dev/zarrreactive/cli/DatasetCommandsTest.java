package dev.zarrreactive.cli;

import static dev.zarrreactive.cli.CommandRun.zarr;
import static org.assertj.core.api.Assertions.assertThat;

import dev.zarrreactive.Zarr;
import dev.zarrreactive.array.NdArray;
import dev.zarrreactive.array.Shape;
import dev.zarrreactive.array.selection.DimensionSelection;
import dev.zarrreactive.dataset.Dataset;
import dev.zarrreactive.datatype.DataTypes;
import dev.zarrreactive.faults.server.FaultyServer;
import dev.zarrreactive.faults.server.ReceivedRequest;
import dev.zarrreactive.store.Store;
import dev.zarrreactive.store.file.FileSystemStore;
import dev.zarrreactive.store.memory.MemoryStore;
import dev.zarrreactive.testing.Waiting;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Commands on all arrays of a dataset at once. */
class DatasetCommandsTest {
  private static final int HOURS = 4;

  @TempDir Path directory;

  private static String good(String... line) {
    CommandRun run = zarr(line);
    assertThat(run.exitCode()).as(run.err()).isZero();
    return run.out() + run.err();
  }

  private static String bad(String... line) {
    CommandRun run = zarr(line);
    assertThat(run.exitCode()).as(run.out()).isEqualTo(1);
    return run.err();
  }

  /** Writes four times of a packed variable over falling latitudes. */
  private String dataset(String name, int day, double offset, int format) {
    String path = directory.resolve(name).toString();
    Instant first = Instant.parse("2026-01-01T00:00:00Z").plus(Duration.ofDays(day));
    List<Instant> times =
        IntStream.range(0, HOURS).mapToObj(i -> first.plus(Duration.ofHours(6L * i))).toList();
    double[] values = IntStream.range(0, HOURS * 3).mapToDouble(i -> 250 + day + i).toArray();
    Waiting.await(
        Dataset.builder()
            .zarrFormat(format)
            .consolidated(true)
            .coordinate("time", times, time -> time.times("hours since " + first))
            .coordinate("lat", NdArray.ofDoubles(Shape.of(3), 60, 50, 40))
            .variable(
                "t",
                List.of("time", "lat"),
                NdArray.ofDoubles(Shape.of(HOURS, 3), values),
                t ->
                    t.packed(DataTypes.INT16, 0.5, offset)
                        .missing(-1)
                        .attribute("cell_methods", "lat: mean")
                        .chunkShape(2, 2))
            .variable("height", List.of("lat"), NdArray.ofDoubles(Shape.of(3), 1, 2, 3))
            .write(Zarr.at(path)));
    return path;
  }

  private static Dataset open(String path) {
    return Waiting.await(Dataset.open(Zarr.at(path)));
  }

  @Test
  void a_dataset_is_appended_along_its_times_without_a_word_of_them() {
    String year = dataset("year.zarr", 0, 0, 3);
    String next = dataset("next.zarr", 1, 200, 3);
    assertThat(good("append", year, next, "--dry-run"))
        .startsWith("Would append 4 to the dimension time: 2 arrays,");
    assertThat(good("append", year, next))
        .contains("Appended 4 to the dimension time of 2 arrays.")
        .doesNotContain("removed");
    Dataset both = open(year);
    assertThat(both.sizes()).containsEntry("time", 8L);
    assertThat(both.group().metadata().carriesConsolidated()).isTrue();
    assertThat(Waiting.await(both.sel("time", "2026-01-02T06:00").read("t")).toDoubleArray())
        .as("packed by the numbers of the dataset that grows")
        .containsExactly(254, 255, 256);
    assertThat(good("validate", year)).contains("no findings");
  }

  /** Returns how often each chunk of SRC is asked for. */
  private Map<String, Long> chunksAskedFor(String year, String next) throws IOException {
    Store values = MemoryStore.create();
    Store files = FileSystemStore.open(Path.of(next));
    Waiting.await(
        files.list().flatMap(key -> files.get(key).flatMap(it -> values.set(key, it))).then());
    try (FaultyServer server = FaultyServer.of(values)) {
      good("append", year, server.uri().toString());
      return server.requests().stream()
          .map(ReceivedRequest::path)
          .filter(path -> path.startsWith("t/c/"))
          .collect(Collectors.groupingBy(path -> path, Collectors.counting()));
    }
  }

  @Test
  void what_both_datasets_store_in_the_same_way_is_read_once() throws IOException {
    String year = dataset("year.zarr", 0, 100, 3);
    assertThat(chunksAskedFor(year, dataset("next.zarr", 1, 100, 3)))
        .hasSize(4)
        .allSatisfy((chunk, times) -> assertThat(times).as(chunk).isOne());
    assertThat(chunksAskedFor(year, dataset("later.zarr", 2, 200, 3)))
        .as("values that are packed anew are tried before an array grows")
        .hasSize(4)
        .allSatisfy((chunk, times) -> assertThat(times).as(chunk).isEqualTo(2));
    assertThat(Waiting.await(open(year).sel("time", "2026-01-03T00:00").read("t")).toDoubleArray())
        .containsExactly(252, 253, 254);
    assertThat(Waiting.await(open(year).sel("time", "2026-01-02T00:00").read("t")).toDoubleArray())
        .containsExactly(251, 252, 253);
  }

  @Test
  void other_units_are_refused_also_where_numbers_are_packed_in_the_same_way() {
    String year = dataset("year.zarr", 0, 100, 3);
    String next = dataset("next.zarr", 1, 100, 3);
    good("attrs", year + "/t", "units=K");
    good("attrs", next + "/t", "units=degC");
    String message =
        "the array has the attribute units \"K\", SRC has \"degC\", and other units are not"
            + " converted";
    assertThat(bad("append", year, next))
        .isEqualTo("zarr: error: " + year + ": t: " + message + "\n");
    assertThat(bad("append", year, next, "--dry-run")).contains(": t: " + message);
    assertThat(bad("append", year + "/t", next + "/t")).contains(": " + message + "; --bits ");
    assertThat(open(year).sizes()).containsEntry("time", 4L);
  }

  @Test
  void dates_of_a_model_are_appended_in_the_units_of_the_dataset() {
    String year = dataset("year.zarr", 0, 0, 3);
    String next = dataset("next.zarr", 0, 0, 3);
    good("attrs", year + "/time", "calendar=noleap", "units=days since 2000-02-28");
    good("attrs", next + "/time", "calendar=noleap", "units=hours since 2001-02-28");
    assertThat(good("append", year, next, "--dry-run"))
        .contains("converted: units \"hours since 2001-02-28\" to \"days since 2000-02-28\"");
    assertThat(bad("append", year, next)).contains("is no whole number");
    good("attrs", next + "/time", "units=days since 2001-02-28");
    good("append", year, next);
    assertThat(good("read", year + "/time", "--raw", "--format=json"))
        .startsWith("0\n6\n12\n18\n365\n371\n");
  }

  @Test
  void rows_under_other_labels_are_not_appended() {
    String year = dataset("year.zarr", 0, 0, 3);
    String turned = directory.resolve("turned.zarr").toString();
    Waiting.await(
        open(dataset("next.zarr", 1, 0, 3))
            .select()
            .isel("lat", DimensionSelection.indices(2, 1, 0))
            .writeTo(Zarr.at(turned)));
    assertThat(bad("append", year, turned)).contains("the labels of lat are others");
    assertThat(open(year).sizes()).containsEntry("time", 4L);
  }

  @Test
  void a_group_above_is_consolidated_again_after_an_append() {
    String root = directory.resolve("root.zarr").toString();
    good("create", root);
    String month = dataset("root.zarr/year", 0, 0, 3);
    good("consolidate", root);
    assertThat(good("append", month, dataset("next.zarr", 1, 0, 3)))
        .contains("renewed the consolidated metadata of the group /");
    assertThat(open(root).group().metadata().carriesConsolidated()).isTrue();
    assertThat(good("validate", root)).contains("no findings");
  }

  @Test
  void a_value_that_does_not_fit_is_refused_before_an_array_of_the_dataset_grows() {
    String year = dataset("year.zarr", 0, 0, 3); // int16 by 0.5
    String next = directory.resolve("next.zarr").toString();
    good("copy", dataset("whole.zarr", 1, 200, 3), next);
    good("attrs", next + "/t", "scale_factor=9000");
    assertThat(bad("append", year, next)).contains(": t: ").contains("does not fit");
    assertThat(open(year).sizes()).containsEntry("time", 4L);
    assertThat(good("append", year, directory.resolve("whole.zarr").toString()))
        .contains("Appended 4");
  }

  @Test
  void an_append_that_fails_midway_says_how_to_take_it_back() throws IOException {
    String year = dataset("year.zarr", 0, 0, 3);
    Path chunks = directory.resolve("year.zarr/t/c");
    Files.writeString(chunks.resolve("2"), "a file where a directory belongs");
    assertThat(bad("append", year, dataset("next.zarr", 1, 0, 3)))
        .contains("zarr resize gives t, time their extent of before")
        .contains("zarr resize " + year + "/t 4,3");
    assertThat(directory.resolve("year.zarr/zarr.json.partial")).exists();
    Files.delete(chunks.resolve("2"));
    good("resize", year + "/t", "4,3");
    good("resize", year + "/time", "4");
    good("append", year, directory.resolve("next.zarr").toString());
    assertThat(open(year).sizes()).containsEntry("time", 8L);
    assertThat(directory.resolve("year.zarr/zarr.json.partial")).doesNotExist();
  }

  @ParameterizedTest
  @ValueSource(ints = {2, 3})
  void an_append_that_has_not_ended_is_refused_again_and_resumed(int format) throws IOException {
    String year = dataset("year.zarr", 0, 0, format);
    String next = dataset("next.zarr", 1, 0, 3);
    Path wrong = directory.resolve(format == 3 ? "year.zarr/t/c/2" : "year.zarr/t/2.0");
    if (format == 3) {
      Files.writeString(wrong, "a file where a directory belongs");
    } else {
      Files.createDirectories(wrong.resolve("a directory where a file belongs"));
    }
    assertThat(bad("append", year, next)).contains("--resume appends all of SRC");
    assertThat(bad("append", year, next))
        .contains("an append has begun here and has not ended: time had the shape [4]")
        .contains("the same command with --resume");
    assertThat(bad("append", year, next, "--dry-run")).contains("has not ended");
    if (format == 3) {
      Files.delete(wrong);
    } else {
      Files.delete(wrong.resolve("a directory where a file belongs"));
      Files.delete(wrong);
    }
    assertThat(good("append", year, next, "--resume"))
        .contains("Appended 4 to the dimension time of 2 arrays.");
    Dataset both = open(year);
    assertThat(both.sizes()).containsEntry("time", 8L);
    assertThat(good("validate", year)).contains("no findings");
    assertThat(bad("append", year, next, "--resume")).contains("no append was interrupted here");
    assertThat(bad("append", year, next))
        .contains("the time 2026-01-02T00:00:00 cannot follow 2026-01-02T18:00:00, the last one")
        .contains("by --any-order");
    assertThat(good("append", year, next, "--any-order")).contains("Appended 4");
    assertThat(open(year).sizes()).containsEntry("time", 12L);
    assertThat(bad("append", year + "/t", next + "/t", "--any-order"))
        .contains("--any-order is for datasets");
  }

  @Test
  void datasets_that_share_several_dimensions_without_times_need_a_name() {
    String one = directory.resolve("one.zarr").toString();
    NdArray plane = NdArray.ofInts(DataTypes.INT32, Shape.of(1, 2), 1, 2);
    Waiting.await(Dataset.builder().variable("a", List.of("y", "x"), plane).write(Zarr.at(one)));
    assertThat(bad("append", one, one))
        .contains("--dimension NAME says along which")
        .contains("y, x");
    assertThat(bad("append", one, one, "--bits")).contains("this is a group").contains("--bits");
  }

  @ParameterizedTest
  @ValueSource(ints = {2, 3})
  void labels_cut_every_variable_that_has_the_dimension(int format) {
    String source = dataset("source.zarr", 0, 0, format);
    String cut = directory.resolve("cut.zarr").toString();
    good("copy", source, cut, "--sel", "time=2026-01-01T06:00..", "--sel", "lat=60..50");
    Dataset part = open(cut);
    assertThat(part.sizes()).containsEntry("time", 3L).containsEntry("lat", 2L);
    assertThat(Waiting.await(part.variable("t").read()).toDoubleArray())
        .containsExactly(253, 254, 256, 257, 259, 260);
    assertThat(Waiting.await(part.variable("height").read()).toDoubleArray()).containsExactly(1, 2);
    assertThat(part.group().metadata().zarrFormat()).isEqualTo(format);
  }

  @Test
  void indices_by_name_cut_what_labels_leave_and_an_index_keeps_its_dimension() {
    String source = dataset("source.zarr", 0, 0, 3);
    String cut = directory.resolve("cut.zarr").toString();
    good("copy", source, cut, "--sel", "time=2026-01-01T06:00..", "--select", "time=::2,lat=1");
    Dataset part = open(cut);
    assertThat(part.sizes()).containsEntry("time", 2L).containsEntry("lat", 1L);
    assertThat(Waiting.await(part.variable("t").read()).toDoubleArray()).containsExactly(254, 260);
    assertThat(bad("copy", source, cut + "2", "--select", "0:2")).contains("--select time=0:10");
    assertThat(bad("copy", source, cut + "2", "--select", "depth=0:2"))
        .contains("depth")
        .contains("lat");
  }

  @Test
  void variables_are_copied_with_their_coordinates_alone() {
    String source = dataset("source.zarr", 0, 0, 3);
    String cut = directory.resolve("cut.zarr").toString();
    good("copy", source, cut, "--variables", "height");
    assertThat(open(cut).variables()).containsOnlyKeys("height", "lat");
    assertThat(bad("copy", source, cut + "2", "--variables", "depth"))
        .contains("no variable depth")
        .contains("height");
    assertThat(zarr("copy", source, cut + "2", "--variables", "t", "--include", "t").exitCode())
        .isEqualTo(2);
  }

  @Test
  void one_array_is_cut_by_the_labels_beside_it() {
    String source = dataset("source.zarr", 0, 0, 3);
    String cut = directory.resolve("cut.zarr").toString();
    good("copy", source + "/t", cut, "--sel", "time=2026-01-01T06:00", "--sel", "lat~52");
    assertThat(good("read", cut, "--format", "json")).startsWith("254.0\n");
    assertThat(bad("copy", source + "/t", cut + "2", "--variables", "t")).contains("is an array");
  }

  @Test
  void a_range_the_wrong_way_round_and_a_label_that_is_missing_say_what_works() {
    String source = dataset("source.zarr", 0, 0, 3);
    assertThat(bad("read", source + "/t", "--sel", "lat=40..50"))
        .contains("lat runs the other way: --sel lat=50..40 selects 2 of its values");
    assertThat(bad("copy", source, source + "2", "--sel", "lat=40..50")).contains("lat=50..40");
    assertThat(bad("read", source + "/t", "--sel", "lat=48"))
        .contains("the nearest is 50.0, which --sel lat~48 selects");
  }

  @ParameterizedTest
  @ValueSource(ints = {2, 3})
  void a_dimension_is_renamed_in_every_array_with_its_coordinate(int format) {
    String path = dataset("a.zarr", 0, 0, format);
    assertThat(good("mv", path + "/lat", "latitude", "--dimension", "--dry-run"))
        .contains("Would rename the dimension lat to latitude in 3 arrays, and its coordinate.");
    assertThat(good("mv", path + "/lat", path + "/latitude", "--dimension"))
        .contains("Renamed the dimension lat to latitude in 3 arrays, and its coordinate.");
    Dataset renamed = open(path);
    assertThat(renamed.sizes()).containsOnlyKeys("time", "latitude");
    assertThat(Waiting.await(renamed.sel("latitude", 50).read("height")).toDoubleArray())
        .containsExactly(2);
    assertThat(renamed.variable("t").attributes().toString()).contains("latitude: mean");
    assertThat(good("info", path)).contains("consolidated metadata");
    assertThat(good("validate", path)).contains("no findings");
  }

  @Test
  void a_dimension_without_a_coordinate_is_renamed_and_a_name_that_is_taken_is_refused() {
    String path = dataset("a.zarr", 0, 0, 3);
    good("rm", path + "/lat", "--yes");
    good("mv", path + "/lat", "row", "--dimension");
    assertThat(open(path).sizes()).containsOnlyKeys("time", "row");
    assertThat(bad("mv", path + "/row", "time", "--dimension"))
        .contains("/t has the dimension time");
    assertThat(bad("mv", path + "/lat", "other", "--dimension"))
        .contains("no array of / has the dimension lat; there are row, time");
    assertThat(bad("mv", path + "/row", "/b/row", "--dimension")).contains("stays in its group");
    assertThat(bad("mv", path + "/row", "", "--dimension")).contains("stays in its group");
    assertThat(open(path).sizes()).containsOnlyKeys("time", "row");
  }

  @Test
  void a_dimension_is_not_given_the_name_of_another_one_that_no_array_has_beside_it() {
    String path = dataset("a.zarr", 0, 0, 3);
    good("create", path + "/bounds", "--shape", "4,2", "--dtype", "int8", "--dimensions", "time,n");
    assertThat(bad("mv", path + "/n", "lat", "--dimension"))
        .contains("another dimension lat, of the extent 3; n of /bounds has 2");
    assertThat(open(path).sizes()).containsOnlyKeys("time", "lat", "n");
  }

  @Test
  void the_coordinates_of_groups_below_get_the_new_name_of_their_dimension() {
    String root = directory.resolve("root.zarr").toString();
    good("create", root);
    dataset("root.zarr/coarse", 0, 0, 3);
    good("create", root + "/lat", "--shape", "9", "--dtype", "int8", "--dimensions", "lat");
    assertThat(good("mv", root + "/lat", "latitude", "--dimension"))
        .contains("Renamed the dimension lat to latitude in 4 arrays, and its 2 coordinates.");
    assertThat(open(root + "/coarse").variables()).containsKey("latitude").doesNotContainKey("lat");
    assertThat(Waiting.await(open(root + "/coarse").sel("latitude", 50).read("height")))
        .isEqualTo(NdArray.ofDoubles(Shape.of(), 2));
  }

  @Test
  void values_are_decoded_unless_raw_elements_are_wanted_and_a_line_says_so() {
    String path = dataset("a.zarr", 0, 100, 3) + "/t";
    CommandRun read = zarr("read", path, "--select", "0", "--format", "json");
    assertThat(read.out()).isEqualTo("250.0\n251.0\n252.0\n");
    assertThat(read.err())
        .isEqualTo("decoded from int16 to float64 by CF attributes; --raw shows stored elements\n");
    assertThat(zarr("read", path, "--select", "0", "--format", "json", "--quiet").err()).isEmpty();
    CommandRun raw = zarr("read", path, "--select", "0", "--format", "json", "--raw");
    assertThat(raw.out()).isEqualTo("300\n302\n304\n");
    assertThat(raw.err()).isEmpty();
    assertThat(zarr("read", path, "--decode", "--format", "json").err()).isEmpty();
    assertThat(zarr("stats", path).out()).contains("max          261.0");
    assertThat(zarr("stats", path, "--raw").out()).contains("max          322");
    assertThat(zarr("view", path).out()).contains("from 250");
    assertThat(zarr("view", path, "--raw").out()).contains("from 300");
    for (String command : List.of("read", "stats", "view")) {
      assertThat(zarr(command, path, "--raw", "--decode").exitCode()).isEqualTo(2);
    }
  }

  @Test
  void attributes_that_cannot_be_understood_leave_stored_elements() {
    String path = dataset("a.zarr", 0, 0, 3) + "/time";
    good("attrs", path, "calendar=lunar");
    assertThat(Stream.of(good("read", path, "--format", "json").split("\n")))
        .containsExactly("0", "6", "12", "18");
    assertThat(bad("read", path, "--format", "json", "--decode")).contains("lunar");
  }
}
