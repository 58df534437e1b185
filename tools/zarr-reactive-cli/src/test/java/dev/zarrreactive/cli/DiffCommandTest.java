package dev.zarrreactive.cli;

import static dev.zarrreactive.cli.CommandRun.EARTH;
import static dev.zarrreactive.cli.CommandRun.zarr;
import static org.assertj.core.api.Assertions.assertThat;

import dev.zarrreactive.array.NdArray;
import dev.zarrreactive.array.Shape;
import dev.zarrreactive.datatype.DataTypes;
import dev.zarrreactive.datatype.FillValue;
import dev.zarrreactive.json.JsonArray;
import dev.zarrreactive.json.JsonNull;
import dev.zarrreactive.json.JsonNumber;
import dev.zarrreactive.json.JsonObject;
import dev.zarrreactive.json.JsonString;
import dev.zarrreactive.json.JsonValue;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DiffCommandTest {
  @TempDir Path directory;

  private String at(String name) {
    return directory.resolve(name).toString();
  }

  private void write(String name, NdArray data, long chunk) {
    TestArrays.write(
        directory.resolve(name),
        data,
        array -> data.shape().rank() == 0 ? array : array.chunkShape(chunk(data, chunk)));
  }

  private static long[] chunk(NdArray data, long extent) {
    long[] shape = new long[data.shape().rank()];
    Arrays.fill(shape, extent);
    return shape;
  }

  @Test
  void a_copy_with_other_chunks_format_and_codecs_is_no_difference() {
    for (String option : new String[] {"--chunks=50,50", "--format=2", "--codecs=zstd"}) {
      String copy = at("copy" + option.hashCode());
      assertThat(zarr("copy", EARTH.toString(), copy, option, "-q").exitCode()).isZero();
      CommandRun run = zarr("diff", EARTH.toString(), copy);
      assertThat(run.out()).isEmpty();
      assertThat(run.err()).isEmpty();
      assertThat(run.exitCode()).isZero();
      assertThat(zarr("diff", "--storage", EARTH.toString(), copy).exitCode()).isOne();
    }
    assertThat(zarr("diff", EARTH.toString(), EARTH.toString(), "--storage").exitCode()).isZero();
  }

  @Test
  void elements_that_differ_are_counted_and_the_first_are_shown() {
    write("a", NdArray.ofInts(DataTypes.INT32, Shape.of(2, 4), 1, 2, 3, 4, 5, 6, 7, 8), 2);
    write("b", NdArray.ofInts(DataTypes.INT32, Shape.of(2, 4), 1, 2, 0, 4, 5, 9, 7, 99), 3);
    CommandRun run = zarr("diff", at("a"), at("b"));
    assertThat(run.exitCode()).isOne();
    assertThat(run.err()).isEmpty();
    assertThat(run.out())
        .isEqualTo(
            """
            /: 3 of 8 elements differ, by at most 91.0
              [0, 2]: 3, 0
              [1, 1]: 6, 9
              [1, 3]: 8, 99
            """);
    assertThat(zarr("diff", at("b"), at("a")).out()).contains("  [0, 2]: 0, 3\n");
    CommandRun close = zarr("diff", at("a"), at("b"), "--tolerance=3");
    assertThat(close.out())
        .isEqualTo("/: 1 of 8 elements differs, by at most 91.0\n  [1, 3]: 8, 99\n");
    assertThat(zarr("diff", at("a"), at("b"), "--tolerance=91").exitCode()).isZero();
    assertThat(zarr("diff", at("a"), at("b"), "--metadata").exitCode()).isZero();
  }

  @Test
  void only_the_first_elements_are_shown() {
    write("a", NdArray.filled(Shape.of(9), FillValue.of(DataTypes.INT8, 1)), 2);
    write("b", NdArray.filled(Shape.of(9), FillValue.of(DataTypes.INT8, 2)), 2);
    assertThat(zarr("diff", at("a"), at("b")).out().lines()).hasSize(6);
  }

  @Test
  void nan_equals_nan_and_zero_minus_zero() {
    write("a", NdArray.ofDoubles(Shape.of(4), Double.NaN, 0.0, 1, 2), 4);
    write("b", NdArray.ofDoubles(Shape.of(4), Double.NaN, -0.0, 1.5, Double.NaN), 4);
    assertThat(zarr("diff", at("a"), at("b"), "--tolerance=0.5").out())
        .isEqualTo("/: 1 of 4 elements differs\n  [3]: 2.0, NaN\n");
    assertThat(zarr("diff", at("a"), at("b")).out())
        .contains("2 of 4 elements differ, by at most 0.5\n");
  }

  @Test
  void scalars_texts_and_unsigned_numbers_are_compared_too() {
    write("a", NdArray.scalar(DataTypes.FLOAT32, 1), 1);
    write("b", NdArray.scalar(DataTypes.FLOAT32, 2), 1);
    assertThat(zarr("diff", at("a"), at("b")).out()).contains("  []: 1.0, 2.0\n");
    write("c", NdArray.ofStrings(DataTypes.STRING, Shape.of(2), "x", "y"), 1);
    write("d", NdArray.ofStrings(DataTypes.STRING, Shape.of(2), "x", "z"), 2);
    assertThat(zarr("diff", at("c"), at("d")).out())
        .isEqualTo("/: 1 of 2 elements differs\n  [1]: \"y\", \"z\"\n");
    write("e", NdArray.ofLongs(DataTypes.UINT64, Shape.of(2), -1, 5), 2);
    write("f", NdArray.ofLongs(DataTypes.UINT64, Shape.of(2), -3, 5), 2);
    assertThat(zarr("diff", at("e"), at("f"), "--tolerance=2").exitCode()).isZero();
    assertThat(zarr("diff", at("e"), at("f")).out())
        .contains("[0]: 18446744073709551615, 18446744073709551613\n");
  }

  @Test
  void metadata_and_nodes_that_differ_are_named() throws IOException {
    String a = at("a.zarr");
    String b = at("b.zarr");
    assertThat(zarr("demo", "--save", a).exitCode()).isZero();
    assertThat(zarr("demo", "--save", b).exitCode()).isZero();
    assertThat(zarr("attrs", a + "/earth/lat", "units=m", "--delete=axis").exitCode()).isZero();
    assertThat(zarr("attrs", b + "/earth", "more=[1]").exitCode()).isZero();
    Files.delete(Path.of(b, "earth/rgb/zarr.json"));
    Files.delete(Path.of(b, "earth/lon/zarr.json"));
    TestArrays.create(
        Path.of(b, "earth/lon"),
        Shape.of(3),
        DataTypes.INT8,
        array ->
            array
                .dimensionNames("x")
                .fillValue(FillValue.of(DataTypes.INT8, 7))
                .attributes(JsonObject.EMPTY));
    CommandRun run = zarr("diff", a, b);
    assertThat(run.exitCode()).isOne();
    assertThat(run.out())
        .isEqualTo(
            """
            /earth: attribute more only in B
            /earth/lat: attribute units "m" in A, "degrees_north" in B
            /earth/lat: attribute axis only in B
            /earth/lon: shape [720] in A, [3] in B
            /earth/lon: data type float64 in A, int8 in B
            /earth/lon: fill value 0.0 in A, 7 in B
            /earth/lon: dimensions lon in A, x in B
            /earth/lon: attribute standard_name only in A
            /earth/lon: attribute units only in A
            /earth/lon: attribute axis only in A
            /earth/lon: elements were not compared
            /earth/rgb: only in A
            """);
    assertThat(zarr("diff", a + "/earth", b + "/earth/lat").out())
        .isEqualTo("/: a group in A, an array in B\n");
  }

  /** Writes an array of Zarr v2, whose fill value stands for missing data. */
  private void masked(String name, NdArray data, JsonValue fillValue) {
    TestArrays.write(
        directory.resolve(name),
        data,
        array ->
            (fillValue == JsonNull.NULL
                    ? array.zarrFormat(2).noFillValue()
                    : array.zarrFormat(2).fillValue(fillValue))
                .chunkShape(2)
                .attributes(
                    JsonObject.EMPTY
                        .with("units", "K")
                        .with("_ARRAY_DIMENSIONS", JsonArray.of(new JsonString("x")))));
  }

  @Test
  void a_copy_in_the_other_format_has_the_missing_data_that_xarray_sees() {
    NdArray floats = NdArray.ofDoubles(Shape.of(3), 1, Double.NaN, -999).cast(DataTypes.FLOAT32);
    masked("nan", floats, new JsonString("NaN"));
    masked("far", floats, new JsonNumber("-999.0"));
    masked("none", floats, JsonNull.NULL);
    NdArray shorts = NdArray.ofInts(DataTypes.INT32, Shape.of(3), 1, 2, 3).cast(DataTypes.INT16);
    masked("short", shorts, JsonNumber.of(-1));
    for (String name : new String[] {"nan", "far", "none", "short"}) {
      String there = at(name + "-3");
      String back = at(name + "-2");
      assertThat(zarr("copy", at(name), there, "--format=3", "-q").exitCode()).isZero();
      assertThat(zarr("copy", there, back, "--format=2", "-q").exitCode()).isZero();
      for (String[] pair : new String[][] {{name, name + "-3"}, {name + "-3", name + "-2"}}) {
        assertThat(zarr("diff", at(pair[0]), at(pair[1])).out()).as(pair[0]).isEmpty();
        assertThat(zarr("diff", at(pair[1]), at(pair[0])).exitCode()).as(pair[1]).isZero();
      }
      assertThat(zarr("diff", "--bits", at(name), there).out())
          .contains("/: attribute _ARRAY_DIMENSIONS only in A\n");
    }
    assertThat(zarr("diff", "--bits", at("short"), at("short-3")).out())
        .contains("/: attribute _FillValue only in B\n");
    assertThat(zarr("diff", at("nan"), at("far-3")).out())
        .isEqualTo("/: missing data NaN in A, -999.0 in B\n");
    assertThat(zarr("diff", at("far-3"), at("none")).out())
        .isEqualTo("/: missing data -999.0 in A, none in B\n");
  }

  @Test
  void a_fill_value_without_names_of_dimensions_is_a_fill_value() {
    TestArrays.create(
        directory.resolve("a"), Shape.of(2), DataTypes.INT8, array -> array.fillValue(1));
    TestArrays.create(
        directory.resolve("b"),
        Shape.of(2),
        DataTypes.INT8,
        array -> array.zarrFormat(2).fillValue(2));
    assertThat(zarr("diff", "--metadata", at("a"), at("b")).out())
        .isEqualTo("/: fill value 1 in A, 2 in B\n");
  }

  @Test
  void bits_of_equal_elements_may_differ() {
    write("a", NdArray.ofDoubles(Shape.of(3), Double.NaN, -0.0, 1), 2);
    write("b", NdArray.ofDoubles(Shape.of(3), Double.longBitsToDouble(-1L), 0.0, 1), 3);
    assertThat(zarr("diff", at("a"), at("b")).exitCode()).isZero();
    assertThat(zarr("diff", "--bits", at("a"), at("b")).out()).startsWith("/: 2 of 3 elements");
    assertThat(zarr("diff", "--bits", at("a"), at("a")).exitCode()).isZero();
    assertThat(zarr("diff", "--bits", "--tolerance=1", at("a"), at("b")).exitCode()).isEqualTo(2);
  }

  @Test
  void what_cannot_be_read_is_a_failure_and_no_difference() throws IOException {
    write("a", NdArray.ofInts(DataTypes.INT32, Shape.of(2), 1, 2), 2);
    write("b", NdArray.ofInts(DataTypes.INT32, Shape.of(2), 1, 2), 2);
    Files.write(directory.resolve("b/c/0"), new byte[3]);
    CommandRun chunk = zarr("diff", at("a"), at("b"));
    assertThat(chunk.exitCode()).isOne();
    assertThat(chunk.out()).isEmpty();
    assertThat(chunk.err()).startsWith("zarr: error: " + at("b") + ": ");
    assertThat(zarr("diff", at("b"), at("a")).err()).startsWith("zarr: error: " + at("b") + ": ");
    assertThat(zarr("diff", at("a"), at("none")).err())
        .startsWith("zarr: error: " + at("none") + ": no such directory");
    assertThat(zarr("diff", at("none"), at("a")).err())
        .startsWith("zarr: error: " + at("none") + ": no such directory");
    Files.writeString(directory.resolve("b/zarr.json"), "{");
    assertThat(zarr("diff", at("a"), at("b")).err()).startsWith("zarr: error: " + at("b") + ": ");
    assertThat(zarr("diff", at("b"), at("a")).err()).startsWith("zarr: error: " + at("b") + ": ");
    assertThat(zarr("diff", at("a")).exitCode()).isEqualTo(2);
    assertThat(zarr("diff", at("a"), at("b"), "--tolerance=-1").exitCode()).isEqualTo(2);
    assertThat(zarr("diff", at("a"), at("b"), "--tolerance=x").exitCode()).isEqualTo(2);
  }
}
