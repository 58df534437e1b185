package dev.zarrreactive.cli;

import static dev.zarrreactive.cli.CommandRun.zarr;
import static org.assertj.core.api.Assertions.assertThat;

import dev.zarrreactive.Zarr;
import dev.zarrreactive.ZarrArray;
import dev.zarrreactive.array.NdArray;
import dev.zarrreactive.array.Shape;
import dev.zarrreactive.array.selection.Selection;
import dev.zarrreactive.datatype.DataTypes;
import dev.zarrreactive.json.JsonNumber;
import dev.zarrreactive.json.JsonObject;
import dev.zarrreactive.metadata.ArrayMetadataBuilder;
import dev.zarrreactive.store.file.FileSystemStore;
import dev.zarrreactive.testing.Cases;
import dev.zarrreactive.testing.Sampled;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Arrays of many chunks of which few are stored: commands print what they print of full ones. */
class SparseArraysTest {
  private static final Shape SHAPE = Shape.of(120, 100);

  /** Ways to store chunks. */
  enum Storage {
    DEFAULT(array -> array.chunkShape(2, 3)),
    DEFAULT_WITH_DOTS(array -> array.chunkShape(2, 3).chunkKeyEncoding("default", ".")),
    V2_KEYS(array -> array.chunkShape(2, 3).chunkKeyEncoding("v2", "/")),
    FORMAT_2(array -> array.zarrFormat(2).chunkShape(2, 3)),
    FORMAT_2_WITH_SLASHES(array -> array.zarrFormat(2).separator("/").chunkShape(2, 3)),
    SHARDS(array -> array.chunkShape(1, 2).shardShape(2, 4));

    private final UnaryOperator<ArrayMetadataBuilder> settings;

    Storage(UnaryOperator<ArrayMetadataBuilder> settings) {
      this.settings = settings;
    }
  }

  /** What was printed of all elements, which is the same for each way to store chunks. */
  private static final Map<String, String> OF_ALL = new HashMap<>();

  static List<Storage> some() {
    return Cases.everyOther(2, 1, List.of(Storage.values())); // among them shards
  }

  static List<Storage> others() {
    return Cases.everyOther(2, List.of(Storage.values()));
  }

  @TempDir Path directory;

  private String at(String name) {
    return directory.resolve(name).toString();
  }

  private void create(String name, UnaryOperator<ArrayMetadataBuilder> settings) {
    JsonObject attributes =
        JsonObject.EMPTY
            .with("scale_factor", new JsonNumber("0.5"))
            .with("missing_value", new JsonNumber("9"));
    ZarrArray array =
        TestArrays.create(
            directory.resolve(name),
            SHAPE,
            DataTypes.INT16,
            each -> settings.apply(each.fillValue(7).attributes(attributes)));
    write(array, 0, 0, 1, 2, 3);
    write(array, 61, 50, -5, 9, 7);
    write(array, 119, 97, 30, 9, -8);
  }

  private static void write(ZarrArray array, long row, long column, int... numbers) {
    array
        .write(
            Selection.box(new long[] {row, column}, new long[] {1, numbers.length}),
            NdArray.ofInts(DataTypes.INT32, Shape.of(1, numbers.length), numbers)
                .cast(DataTypes.INT16))
        .block();
  }

  private static String statistics(String... arguments) {
    CommandRun run = zarr(arguments);
    assertThat(run.err()).doesNotContain("error");
    return run.out().replaceFirst("\"chunks\":\\d+,\"missing_chunks\":\\d+,", "");
  }

  @ParameterizedTest
  @MethodSource("some")
  @Sampled
  void statistics_are_those_of_all_elements(Storage storage) {
    create("sparse", storage.settings);
    create("full", array -> array.chunkShape(120, 100));
    for (String select : new String[] {"...", "1::3,10:90:7", "61", "119:,:", "5:9,5:9"}) {
      for (String option : new String[] {"--percentiles=50", "--decode", "--percentiles=1,99.9"}) {
        String[] arguments = {
          "stats", at("full"), "--select", select, "--histogram=3", "--json", option
        };
        String right = OF_ALL.computeIfAbsent(select + option, all -> statistics(arguments));
        arguments[1] = at("sparse");
        assertThat(statistics(arguments)).as(select + option).isEqualTo(right);
      }
    }
    String chunks = storage == Storage.SHARDS ? "6,000 chunks\n" : "2,040 chunks\n";
    assertThat(zarr("stats", at("sparse")).out()).contains(" of " + chunks);
  }

  @ParameterizedTest
  @MethodSource("others")
  @Sampled
  void reads_and_pictures_are_those_of_all_elements(Storage storage) {
    create("sparse", storage.settings);
    create("full", array -> array.chunkShape(120, 100));
    for (String[] command :
        new String[][] {
          {"read", "--format=json"}, {"read", "--format=raw"}, {"read", "--decode"}, {"view"}
        }) {
      assertThat(zarr(command[0], at("sparse"), command[command.length - 1]).output())
          .isEqualTo(zarr(command[0], at("full"), command[command.length - 1]).output());
    }
  }

  @ParameterizedTest
  @MethodSource("some")
  @Sampled
  void differences_are_found_in_chunks_that_either_has(Storage storage) {
    create("a", storage.settings);
    create("b", storage.settings);
    create("full", array -> array.chunkShape(120, 100));
    assertThat(zarr("diff", at("a"), at("b")).out()).isEmpty();
    assertThat(zarr("diff", at("a"), at("full")).out()).isEmpty();
    assertThat(zarr("diff", at("full"), at("b")).out()).isEmpty();
    ZarrArray array =
        Zarr.hierarchy(FileSystemStore.open(directory.resolve("b"))).openArray("").block();
    assertThat(array).isNotNull();
    write(array, 80, 99, 8);
    write(array, 2, 3, 1);
    String expected =
        "/: 2 of 12,000 elements differ, by at most 6.0\n  [2, 3]: 7, 1\n  [80, 99]: 7, 8\n";
    assertThat(zarr("diff", at("a"), at("b")).out()).isEqualTo(expected);
    assertThat(zarr("diff", at("full"), at("b")).out()).isEqualTo(expected);
    assertThat(zarr("diff", at("b"), at("a")).out()).contains("  [2, 3]: 1, 7\n");
  }

  @Test
  void fill_values_that_differ_are_compared_everywhere() {
    TestArrays.create(
        directory.resolve("a"), Shape.of(2000), DataTypes.INT8, a -> a.chunkShape(1).fillValue(1));
    TestArrays.create(
        directory.resolve("b"), Shape.of(2000), DataTypes.INT8, a -> a.chunkShape(1).fillValue(2));
    assertThat(zarr("diff", at("a"), at("b")).out()).contains("/: 2,000 of 2,000 elements differ");
  }

  @Test
  void planes_of_more_elements_than_a_long_counts_are_drawn_checked_and_compared() {
    String plane = at("plane");
    TestArrays.create(
        Path.of(plane),
        Shape.of(1L << 34, 1L << 34),
        DataTypes.INT8,
        array -> array.chunkShape(1024, 1024).fillValue(3));
    assertThat(zarr("view", plane).out()).contains("viridis from 3 to 3");
    assertThat(zarr("read", plane, "--select=::8589934592,[0,8589934592]").out())
        .isEqualTo("int8 [2, 2]\n[[3 3]\n [3 3]]\n");
    assertThat(zarr("validate", "--data", plane).exitCode()).isZero();
    assertThat(zarr("diff", plane, plane).exitCode()).isZero();
    assertThat(zarr("resize", plane, "17179869184,17179869180").exitCode()).isZero();
  }

  @Test
  void a_million_of_a_million_elements_may_be_missing() throws IOException {
    Path huge = directory.resolve("huge");
    TestArrays.create(
        huge,
        Shape.of(1_000_000, 1_000_000),
        DataTypes.FLOAT64,
        array -> array.chunkShape(362, 362).fillValue(0.1));
    assertThat(zarr("stats", huge.toString(), "--percentiles=50").out())
        .isEqualTo(
            """
            elements     1,000,000,000,000
            missing      7,634,169 of 7,634,169 chunks
            NaN          0
            fill values  1,000,000,000,000
            min          0.1
            max          0.1
            mean         0.1
            std          0.0
            p50          0.1
            """);
    Path copy = directory.resolve("copy");
    Files.createDirectories(copy);
    Files.copy(huge.resolve("zarr.json"), copy.resolve("zarr.json"));
    assertThat(zarr("diff", huge.toString(), copy.toString()).exitCode()).isZero();
    assertThat(zarr("validate", "--data", huge.toString()).exitCode()).isZero();
  }

  @Test
  void sparse_arrays_of_other_chunks_are_compared_where_either_has_a_chunk() throws IOException {
    create("rows", array -> array.chunkShape(1, 10));
    create("columns", array -> array.chunkShape(7, 3));
    create("shards", array -> array.chunkShape(1, 1).shardShape(4, 2));
    for (String other : new String[] {"columns", "shards"}) {
      assertThat(zarr("diff", at("rows"), at(other)).out()).isEmpty();
      assertThat(zarr("diff", at(other), at("rows")).out()).isEmpty();
    }
    ZarrArray array =
        Zarr.hierarchy(FileSystemStore.open(directory.resolve("columns"))).openArray("").block();
    assertThat(array).isNotNull();
    write(array, 80, 99, 8);
    write(array, 61, 49, 1);
    String expected =
        "/: 2 of 12,000 elements differ, by at most 6.0\n  [61, 49]: 7, 1\n  [80, 99]: 7, 8\n";
    assertThat(zarr("diff", at("rows"), at("columns")).out()).isEqualTo(expected);
    assertThat(zarr("diff", at("shards"), at("columns")).out()).isEqualTo(expected);
    Path huge = directory.resolve("huge");
    Path other = directory.resolve("other");
    long million = 1_000_000;
    for (Path place : new Path[] {huge, other}) {
      int side = place.equals(huge) ? 362 : 400;
      ZarrArray made =
          TestArrays.create(
              place,
              Shape.of(million, million),
              DataTypes.INT16,
              each -> each.chunkShape(side, side).fillValue(7));
      write(made, 500_000, 500_000, place.equals(huge) ? 1 : 2);
    }
    assertThat(zarr("diff", huge.toString(), other.toString()).out())
        .as("in time, since nothing but the stored chunks is read")
        .isEqualTo(
            "/: 1 of 1,000,000,000,000 elements differs, by at most 1.0\n"
                + "  [500000, 500000]: 1, 2\n");
  }
}
