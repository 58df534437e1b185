package dev.zarrreactive.cli;

import static dev.zarrreactive.cli.CommandRun.EARTH;
import static dev.zarrreactive.cli.CommandRun.zarr;
import static org.assertj.core.api.Assertions.assertThat;

import dev.zarrreactive.array.NdArray;
import dev.zarrreactive.array.Shape;
import dev.zarrreactive.datatype.DataTypes;
import dev.zarrreactive.datatype.Datetime64Type;
import dev.zarrreactive.datatype.FillValue;
import dev.zarrreactive.datatype.NumpyUnit;
import dev.zarrreactive.datatype.TimeType;
import dev.zarrreactive.datatype.Timedelta64Type;
import dev.zarrreactive.json.JsonObject;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class StatsCommandTest {
  @TempDir Path directory;

  @Test
  void an_array_is_counted_and_measured() {
    CommandRun run = zarr("stats", EARTH + "/earth/relief");
    assertThat(run.exitCode()).isZero();
    assertThat(run.out())
        .isEqualTo(
            """
            elements     259,200
            missing      0 of 8 chunks
            NaN          0
            fill values  0
            min          0.083984375
            max          0.9560547
            mean         0.6096938446421682
            std          0.1706359705024343
            """);
    assertThat(run.err()).isEmpty();
  }

  @Test
  void a_selection_is_measured_and_json_is_for_programs() {
    TestArrays.write(
        directory,
        NdArray.ofInts(DataTypes.INT32, Shape.of(2, 3), 3, -7, 2, 0, 9, 4),
        array -> array.chunkShape(2, 2));
    assertThat(zarr("stats", "--json", directory.toString(), "--select", "1").out())
        .isEqualTo(
            "{\"elements\":3,\"chunks\":2,\"missing_chunks\":0,\"nan\":0,\"fill_values\":1,\"min\":0,\"max\":9,\"mean\":4.333333333333333,\"std\":3.681787005729087}\n");
  }

  @Test
  void missing_chunks_and_inner_chunks_are_counted() throws IOException {
    TestArrays.write(
        directory,
        NdArray.ofInts(DataTypes.INT32, Shape.of(6), 1, 1, 2, 2, 3, 3),
        array -> array.chunkShape(2).fillValue(FillValue.of(DataTypes.INT32, 7)));
    Files.delete(directory.resolve("c/1"));
    assertThat(zarr("stats", directory.toString()).out())
        .contains("missing      1 of 3 chunks\n", "fill values  2\n", "max          7\n");
    Path shards = directory.resolve("shards");
    assertThat(zarr("copy", directory.toString(), shards + ".zarr", "--shards=4", "-q").exitCode())
        .isOne(); // a copy of a node into itself
    Path other = Files.createTempDirectory(directory.getParent(), "shards");
    assertThat(
            zarr("copy", directory.toString(), other + "/s", "--chunks=1", "--shards=4", "-q")
                .err())
        .isEmpty();
    assertThat(zarr("stats", other + "/s").out()).contains("missing      2 of 6 chunks\n");
  }

  @Test
  void nan_is_counted_and_left_out() {
    TestArrays.write(
        directory,
        NdArray.ofDoubles(Shape.of(5), Double.NaN, 1e308, 1e308, -1e308, Double.NaN),
        array -> array.chunkShape(2).fillValue(FillValue.of(DataTypes.FLOAT64, Double.NaN)));
    assertThat(zarr("stats", directory.toString()).out())
        .contains(
            "elements     5\n", "NaN          2\n", "fill values  2\n", "min          -1.0E308\n")
        .contains("mean         3.333333333333333E307\n")
        .contains("std          9.428090415820633E307\n");
  }

  @Test
  void nothing_but_nan_and_nothing_at_all_have_no_least_element() {
    TestArrays.write(directory, NdArray.ofDoubles(Shape.of(1), Double.NaN), array -> array);
    assertThat(zarr("stats", directory.toString()).out())
        .contains(
            "NaN          1\n",
            "min          none\n",
            "mean         none\n",
            "std          none\n");
    CommandRun nothing = zarr("stats", "--json", "--select=0:0", directory.toString());
    assertThat(nothing.out()).contains("\"elements\":0", "\"min\":null", "\"mean\":null");
  }

  @Test
  void times_have_a_range_and_a_mean_that_are_times() {
    Datetime64Type seconds = new Datetime64Type(NumpyUnit.SECOND, 1);
    TestArrays.write(
        directory, NdArray.ofLongs(seconds, Shape.of(3), 0, 86_400, TimeType.NAT), array -> array);
    assertThat(zarr("stats", directory.toString()).out())
        .contains("NaT          1\n", "min          1970-01-01T00:00:00\n")
        .contains("max          1970-01-02T00:00:00\n", "mean         1970-01-01T12:00:00\n")
        .contains("std          12 hours\n");
  }

  @Test
  void infinities_alone_have_percentiles_and_no_histogram() {
    double infinity = Double.POSITIVE_INFINITY;
    TestArrays.write(
        directory,
        NdArray.ofDoubles(Shape.of(4), infinity, -infinity, -infinity, infinity),
        array -> array);
    String path = directory.toString();
    CommandRun run = zarr("stats", path, "--percentiles=10,50,90", "--histogram=3");
    assertThat(run.err()).isEmpty();
    assertThat(run.out())
        .contains("min          -Infinity\n", "mean         NaN\n", "std          NaN\n")
        .contains("p10          -Infinity\n", "p50          NaN\n")
        .endsWith("p90          Infinity\n");
    assertThat(zarr("stats", path, "--percentiles=50", "--histogram=3", "--json").out())
        .endsWith("\"percentiles\":{\"p50\":\"NaN\"}}\n");
  }

  @Test
  void the_deviation_of_times_is_a_length_of_time() {
    for (Object[] each :
        new Object[][] {
          {NumpyUnit.YEAR, 1, 60L, "30 years"},
          {NumpyUnit.MONTH, 3, 4L, "6 months"},
          {NumpyUnit.DAY, 1, 17L, "8.5 days"},
          {NumpyUnit.MINUTE, 10, 30L, "2.5 hours"},
          {NumpyUnit.SECOND, 1, 100L, "50 s"},
          {NumpyUnit.NANOSECOND, 1, 5_000_000L, "2.5 ms"},
          {NumpyUnit.NANOSECOND, 1, 0L, "0 s"},
          {NumpyUnit.ATTOSECOND, 1, 4_000_000L, "0.002 ns"},
          {NumpyUnit.GENERIC, 1, 5L, "2.5"}
        }) {
      Path path = directory.resolve(each[3].toString().replaceAll("[ .]", ""));
      Timedelta64Type type = new Timedelta64Type((NumpyUnit) each[0], (int) each[1]);
      TestArrays.write(path, NdArray.ofLongs(type, Shape.of(2), 0, (long) each[2]), array -> array);
      assertThat(zarr("stats", path.toString()).out()).contains("std          " + each[3] + "\n");
    }
  }

  @Test
  void dates_of_a_model_calendar_are_dates_in_statistics_too() {
    TestArrays.write(
        directory,
        NdArray.ofLongs(DataTypes.INT64, Shape.of(4), 0, 31, 58, 59),
        array ->
            array.attributes(
                JsonObject.EMPTY
                    .with("units", "days since 2001-01-01")
                    .with("calendar", "noleap")
                    .with("_FillValue", 31)));
    assertThat(zarr("stats", directory.toString(), "--decode", "--percentiles=50").out())
        .contains("NaT          1\n", "min          2001-01-01T00:00:00\n")
        .contains("max          2001-03-01T00:00:00\n", "std          27.5802 days\n")
        .contains("p50          2001-02-28T00:00:00\n");
  }

  @Test
  void elements_without_an_order_are_refused_with_the_reason() {
    TestArrays.create(directory.resolve("c"), Shape.of(3), DataTypes.COMPLEX64, array -> array);
    CommandRun complex = zarr("stats", directory + "/c");
    assertThat(complex.exitCode()).isOne();
    assertThat(complex.err())
        .isEqualTo(
            "zarr: error: "
                + directory
                + "/c: complex64 has no order: complex numbers have no least one\n");
    TestArrays.create(directory.resolve("s"), Shape.of(3), DataTypes.STRING, array -> array);
    assertThat(zarr("stats", directory + "/s").err())
        .contains("string has no statistics: its elements are no numbers; integers, floats, bool");
  }

  @Test
  void a_broken_chunk_is_a_failure_and_a_wrong_selection_too() throws IOException {
    TestArrays.write(
        directory, TestArrays.counting(DataTypes.INT16, Shape.of(6)), array -> array.chunkShape(2));
    Files.writeString(directory.resolve("c/1"), "x");
    CommandRun run = zarr("stats", directory.toString());
    assertThat(run.exitCode()).isOne();
    assertThat(run.out()).isEmpty();
    assertThat(run.err()).contains("chunk [1]");
    assertThat(zarr("stats", directory.toString(), "--select", "9").exitCode()).isOne();
    assertThat(zarr("stats", directory.toString(), "--select", "a").exitCode()).isEqualTo(2);
    for (String wrong : new String[] {"--percentiles=101", "--percentiles=x", "--histogram=-1"}) {
      assertThat(zarr("stats", directory.toString(), wrong).exitCode()).isEqualTo(2);
    }
  }

  @Test
  void percentiles_and_a_histogram_are_those_of_numpy() {
    TestArrays.write(
        directory,
        NdArray.ofDoubles(Shape.of(6), 1, 2, Double.NaN, 4, 8, 16),
        array -> array.chunkShape(4));
    CommandRun run =
        zarr("stats", directory.toString(), "--percentiles=0,12.5,50,90,100", "--histogram=3");
    assertThat(run.out())
        .endsWith(
            """
            p0           1.0
            p12.5        1.5
            p50          4.0
            p90          12.8
            p100         16.0
            1 to 6    ########################################  3
            6 to 11   #############                             1
            11 to 16  #############                             1
            """);
    CommandRun json =
        zarr("stats", directory.toString(), "--percentiles=50", "--histogram=2", "--json");
    assertThat(json.out())
        .endsWith(
            ",\"percentiles\":{\"p50\":4.0},"
                + "\"histogram\":{\"edges\":[1.0,8.5,16.0],\"counts\":[4,1]}}\n");
  }

  @Test
  void a_group_has_a_line_for_each_array_below() throws IOException {
    CommandRun run = zarr("stats", EARTH + "/earth", "--percentiles=50");
    assertThat(run.exitCode()).as(run.err()).isZero();
    assertThat(run.out())
        .startsWith("array    type     elements  NaN  min ")
        .contains("/lat     float64  360       0    -89.75")
        .contains("/rgb     uint8    777,600   0    ")
        .hasLineCount(5);
    assertThat(zarr("stats", EARTH.toString(), "--json").out())
        .contains("{\"path\":\"/earth/lat\",\"elements\":360,")
        .hasLineCount(4);
    assertThat(zarr("stats", EARTH.toString(), "--histogram=3").exitCode()).isEqualTo(2);
    zarr("create", directory + "/g");
    TestArrays.create(directory.resolve("g/s"), Shape.of(3), DataTypes.STRING, array -> array);
    assertThat(zarr("stats", directory + "/g").out()).contains("/s     no statistics of string");
    Files.createDirectories(directory.resolve("g/x"));
    Files.writeString(directory.resolve("g/x/zarr.json"), "{");
    CommandRun broken = zarr("stats", directory + "/g", "--json");
    assertThat(broken.exitCode()).isOne();
    assertThat(broken.out()).contains("{\"path\":\"/x\",\"error\":\"cannot be opened: not JSON");
  }
}
