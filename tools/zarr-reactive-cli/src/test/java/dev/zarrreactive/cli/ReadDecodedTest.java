package dev.zarrreactive.cli;

import static dev.zarrreactive.cli.CommandRun.zarr;
import static org.assertj.core.api.Assertions.assertThat;

import dev.zarrreactive.array.NdArray;
import dev.zarrreactive.array.Shape;
import dev.zarrreactive.base.Bytes;
import dev.zarrreactive.datatype.DataTypes;
import dev.zarrreactive.datatype.NullTerminatedBytesType;
import dev.zarrreactive.json.JsonObject;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code zarr read --decode}. */
class ReadDecodedTest {
  @TempDir Path directory;

  private void array(NdArray data, String... attributes) {
    TestArrays.write(directory, data, array -> array.chunkShape(2).dimensionNames("t"));
    String[] arguments = new String[attributes.length + 2];
    arguments[0] = "attrs";
    arguments[1] = directory.toString();
    System.arraycopy(attributes, 0, arguments, 2, attributes.length);
    assertThat(zarr(arguments).exitCode()).isZero();
  }

  private String read(String... more) {
    String[] arguments = new String[more.length + 3];
    arguments[0] = "read";
    arguments[1] = directory.toString();
    arguments[2] = "--decode";
    System.arraycopy(more, 0, arguments, 3, more.length);
    CommandRun run = zarr(arguments);
    assertThat(run.exitCode()).as(run.err()).isZero();
    return run.out();
  }

  @Test
  void numbers_are_scaled_and_missing_ones_are_nan() {
    array(
        NdArray.ofInts(DataTypes.INT32, Shape.of(4), 1, -999, 20, 7),
        "scale_factor=0.5",
        "add_offset=100",
        "_FillValue=-999",
        "missing_value=[7]");
    assertThat(read("--format=json")).isEqualTo("100.5\n\"NaN\"\n110.0\n\"NaN\"\n");
    assertThat(read("--format=csv", "--select=1:3")).isEqualTo("t,value\r\n1,NaN\r\n2,110.0\r\n");
    assertThat(read()).startsWith("float64 [4]\n").contains("100.5", "nan");
  }

  @Test
  void bounds_of_times_are_dates_as_in_a_dataset() {
    String root = directory.resolve("d.zarr").toString();
    assertThat(zarr("create", root).exitCode()).isZero();
    TestArrays.write(
        Path.of(root, "time"),
        NdArray.ofInts(DataTypes.INT32, Shape.of(2), 0, 1),
        array ->
            array
                .dimensionNames("time")
                .attributes(
                    JsonObject.EMPTY
                        .with("units", "days since 2001-01-01")
                        .with("calendar", "noleap")
                        .with("bounds", "time_bnds")));
    TestArrays.write(
        Path.of(root, "time_bnds"),
        NdArray.ofInts(DataTypes.INT32, Shape.of(2, 2), 0, 58, 58, 59),
        array -> array.dimensionNames("time", "bnds"));
    CommandRun bounds = zarr("read", root + "/time_bnds", "--decode", "--format=json");
    assertThat(bounds.out().lines())
        .containsExactly(
            "\"2001-01-01T00:00:00\"",
            "\"2001-02-28T00:00:00\"",
            "\"2001-02-28T00:00:00\"",
            "\"2001-03-01T00:00:00\"");
    assertThat(zarr("stats", root, "--decode").out().lines())
        .anyMatch(line -> line.startsWith("/time_bnds") && line.contains("2001-03-01T00:00:00"));
    assertThat(zarr("stats", root + "/time_bnds", "--decode").out())
        .contains("max          2001-03-01T00:00:00\n");
  }

  @Test
  void characters_that_chunks_divide_are_joined_in_every_format() {
    byte[] letters = "abcdefg\0\0".getBytes(StandardCharsets.US_ASCII);
    NullTerminatedBytesType letter = new NullTerminatedBytesType(1);
    TestArrays.write(
        directory,
        NdArray.wrap(letter, Shape.of(3, 3), Bytes.wrap(letters)),
        array -> array.chunkShape(2, 2).dimensionNames("n", "string3"));
    assertThat(read("--format=json")).isEqualTo("\"abc\"\n\"def\"\n\"g\"\n");
    assertThat(read("--format=csv", "--select=::2")).isEqualTo("n,value\r\n0,abc\r\n2,g\r\n");
    assertThat(read()).isEqualTo("string [3]\n['abc' 'def' 'g']\n");
    assertThat(read("--select=0")).isEqualTo("string []\n'abc'\n");
    CommandRun npy =
        zarr("read", directory.toString(), "--decode", "-o", directory.resolve("x.npy").toString());
    assertThat(npy.err()).contains("elements of string have no fixed size");
    assertThat(zarr("read", directory.toString(), "--decode", "--select=0,0").err())
        .contains("an array of shape [3]");
  }

  @Test
  void times_since_a_date_are_dates() {
    array(
        NdArray.ofInts(DataTypes.INT32, Shape.of(3), 0, 31, -1),
        "units=days since 2000-01-01 12:00",
        "_FillValue=-1");
    assertThat(read("--format=csv"))
        .isEqualTo("t,value\r\n0,2000-01-01T12:00:00\r\n1,2000-02-01T12:00:00\r\n2,NaT\r\n");
    assertThat(read()).contains("2000-02-01T12:00:00", "NaT");
    assertThat(read("--format=json"))
        .isEqualTo("\"2000-01-01T12:00:00\"\n\"2000-02-01T12:00:00\"\n\"NaT\"\n");
  }

  @Test
  void dates_of_models_are_those_of_their_calendar() {
    array(
        NdArray.ofInts(DataTypes.INT32, Shape.of(2), 0, 59),
        "units=days since 2000-01-01",
        "calendar=360_day");
    assertThat(read("--format=csv"))
        .isEqualTo("t,value\r\n0,2000-01-01T00:00:00\r\n1,2000-02-30T00:00:00\r\n");
    assertThat(read()).contains("2000-02-30T00:00:00");
  }

  @Test
  void numpy_files_have_decoded_types() throws Exception {
    array(NdArray.ofInts(DataTypes.INT32, Shape.of(2), 1, 2), "scale_factor=0.5");
    Path file = directory.resolveSibling(directory.getFileName() + ".npy");
    assertThat(zarr("read", directory.toString(), "--decode", "-o", file.toString()).exitCode())
        .isZero();
    byte[] npy = Files.readAllBytes(file);
    Files.delete(file);
    assertThat(new String(npy, StandardCharsets.ISO_8859_1)).contains("'<f8'");
    assertThat(npy).hasSize(128 + 2 * Double.BYTES);
    assertThat(ByteBuffer.wrap(npy).order(ByteOrder.LITTLE_ENDIAN).getDouble(136)).isEqualTo(1);
  }

  @Test
  void info_describes_decoded_values() {
    array(
        NdArray.ofInts(DataTypes.INT32, Shape.of(1), 0),
        "units=hours since 1900-01-01",
        "calendar=noleap");
    assertThat(zarr("info", directory.toString()).out())
        .containsPattern("values +int64, hours since 1900-01-01, noleap");
  }

  @Test
  void fractions_of_units_are_kept() {
    array(NdArray.ofDoubles(Shape.of(2), 0.5, Double.NaN), "units=hours since 1970-1-1");
    assertThat(read("--format=csv")).isEqualTo("t,value\r\n0,1970-01-01T00:30:00\r\n1,NaT\r\n");
  }

  @Test
  void elements_without_attributes_stand_for_themselves() {
    array(NdArray.ofInts(DataTypes.INT32, Shape.of(2), 1, 2), "units=m");
    assertThat(read("--format=json")).isEqualTo("1\n2\n");
  }

  @Test
  void what_cannot_be_decoded_is_refused() {
    array(NdArray.ofInts(DataTypes.INT32, Shape.of(2), 1, 2), "units=moons since 2000-01-01");
    CommandRun run = zarr("read", directory.toString(), "--decode");
    assertThat(run.exitCode()).isOne();
    assertThat(run.err())
        .contains("the units \"moons since 2000-01-01\" name no time")
        .contains("a unit is one of weeks, days, hours");
    zarr("attrs", directory.toString(), "units=days since 2000-01-01", "calendar=lunar");
    assertThat(zarr("read", directory.toString(), "--decode").err())
        .contains("the calendar \"lunar\" is unknown");
    assertThat(zarr("read", directory.toString()).exitCode()).isZero();
  }

  @Test
  void labels_select_by_the_coordinates_beside_the_array() {
    assertThat(zarr("create", directory.toString()).exitCode()).isZero();
    coordinate("t", NdArray.ofInts(DataTypes.INT32, Shape.of(3), 0, 31, 60));
    assertThat(zarr("attrs", directory + "/t", "units=days since 2000-01-01").exitCode()).isZero();
    coordinate("lat", NdArray.ofDoubles(Shape.of(2), 50, 40));
    TestArrays.write(
        directory.resolve("v"),
        NdArray.ofInts(DataTypes.INT32, Shape.of(3, 2), 0, 1, 2, 3, 4, 5),
        array -> array.dimensionNames("t", "lat"));
    String v = directory.resolve("v").toString();
    assertThat(zarr("read", v, "--sel", "t=2000-02", "--sel", "lat~41", "--format=csv").out())
        .isEqualTo("t,lat,v\r\n2000-02-01T00:00:00,40.0,3\r\n");
    assertThat(zarr("read", v, "--sel=t=2000-02..", "--select=::2", "--format=json").out())
        .isEqualTo("2\n3\n");
    assertThat(zarr("read", v, "--sel=lat=45..30", "--format=json").out()).isEqualTo("1\n3\n5\n");
    assertThat(zarr("read", v, "--sel=lat=45").err())
        .contains("the coordinate lat has no label 45: the nearest is 50.0");
    assertThat(zarr("read", v, "--sel=lat").exitCode()).isEqualTo(2);
    assertThat(zarr("read", v, "--sel=z=1").err()).contains("[lat, t], not z");
  }

  @Test
  void statistics_are_those_of_values_and_of_the_selected_part() {
    assertThat(zarr("create", directory.toString()).exitCode()).isZero();
    coordinate("t", NdArray.ofInts(DataTypes.INT32, Shape.of(4), 0, 31, 32, 33));
    assertThat(zarr("attrs", directory + "/t", "units=days since 2000-01-01").exitCode()).isZero();
    coordinate("v", NdArray.ofInts(DataTypes.INT32, Shape.of(4), 8, 2, -1, 4), "t");
    String v = directory.resolve("v").toString();
    assertThat(zarr("attrs", v, "scale_factor=0.5", "_FillValue=-1").exitCode()).isZero();
    assertThat(zarr("stats", v, "--decode", "--sel=t=2000-02").out())
        .containsPattern("elements +3\n")
        .containsPattern("NaN +1\n")
        .containsPattern("min +1.0\n")
        .containsPattern("max +2.0\n")
        .containsPattern("mean +1.5\n")
        .doesNotContain("fill values");
    assertThat(zarr("stats", v, "--raw", "--sel=t=2000-02").out())
        .containsPattern("min +-1\n")
        .contains("fill values");
    assertThat(zarr("stats", directory.toString(), "--decode").out())
        .containsPattern("/t +numpy.datetime64\\[s\\] .*2000-01-01T00:00:00 +2000-02-03T00:00:00")
        .containsPattern("/v +float64 +4 +1 +1.0 +4.0");
    assertThat(zarr("stats", directory.toString(), "--sel=t=2000-02").err())
        .contains("--sel selects of one array");
  }

  private void coordinate(String name, NdArray values, String dimension) {
    TestArrays.write(directory.resolve(name), values, array -> array.dimensionNames(dimension));
  }

  private void coordinate(String name, NdArray values) {
    TestArrays.write(directory.resolve(name), values, array -> array.dimensionNames(name));
  }

  @Test
  void arrays_of_another_extent_leave_labels_and_values_of_one_array() {
    named("x", NdArray.ofInts(DataTypes.INT32, Shape.of(4), 10, 20, 30, 40), "x");
    named("0", NdArray.ofInts(DataTypes.INT32, Shape.of(4), 1, 2, 3, 4), "x");
    named("1", NdArray.ofInts(DataTypes.INT32, Shape.of(2), 5, 6), "x");
    Path level = directory.resolve("0");
    CommandRun run = zarr("read", level.toString(), "--sel", "x=30", "--format=json");
    assertThat(run.exitCode()).as(run.err()).isZero();
    assertThat(run.out()).isEqualTo("3\n");
    assertThat(zarr("read", directory.resolve("1").toString(), "--sel", "x=30").err())
        .contains("arrays of one group share their dimensions (node /1)");
    CommandRun header = zarr("header", directory.toString());
    assertThat(header.exitCode()).as(header.err()).isZero();
    assertThat(header.out()).contains("x = 4 or 2");
    assertThat(zarr("stats", level.toString()).exitCode()).isZero();
  }

  private void named(String name, NdArray data, String dimension) {
    TestArrays.write(directory.resolve(name), data, array -> array.dimensionNames(dimension));
    try {
      Files.writeString(
          directory.resolve("zarr.json"), "{\"zarr_format\": 3, \"node_type\": \"group\"}");
    } catch (java.io.IOException e) {
      throw new java.io.UncheckedIOException(e);
    }
  }
}
