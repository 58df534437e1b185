package dev.zarrreactive.cli;

import static dev.zarrreactive.cli.CommandRun.zarr;
import static org.assertj.core.api.Assertions.assertThat;

import dev.zarrreactive.array.NdArray;
import dev.zarrreactive.array.Shape;
import dev.zarrreactive.datatype.DataType;
import dev.zarrreactive.datatype.DataTypes;
import dev.zarrreactive.datatype.NumpyUnit;
import dev.zarrreactive.datatype.TimeType;
import dev.zarrreactive.json.JsonObject;
import dev.zarrreactive.metadata.ArrayMetadataBuilder;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Objects;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What {@code zarr validate} says of keys that no chunk has, of missing chunks, and of times. */
class ValidatedKeysTest {
  @TempDir Path directory;
  private Path root;

  @BeforeEach
  void hierarchy() {
    root = directory.resolve("a.zarr");
    assertThat(zarr("create", root.toString()).exitCode()).isZero();
  }

  private void array(UnaryOperator<ArrayMetadataBuilder> settings) {
    NdArray data = NdArray.ofLongs(DataTypes.INT64, Shape.of(4, 4), new long[16]);
    TestArrays.write(
        root.resolve("v"),
        data.cast(DataTypes.INT8),
        array -> settings.apply(array.chunkShape(2, 2).fillValue(1)));
  }

  private void file(String key) throws IOException {
    Path file = root.resolve(key);
    Files.createDirectories(Objects.requireNonNull(file.getParent()));
    Files.writeString(file, "abcd");
  }

  private CommandRun validate(String... options) {
    String[] line = new String[options.length + 2];
    line[0] = "validate";
    line[1] = root.toString();
    System.arraycopy(options, 0, line, 2, options.length);
    return zarr(line);
  }

  @ParameterizedTest
  @CsvSource({
    "default,/,0.0,v2,.",
    "default,/,c.1.1,default,.",
    "default,.,c/0/0,default,/",
    "v2,.,0/0,v2,/",
    "v2,/,1.1,v2,.",
    "v2,.,c/0/0,default,/"
  })
  void files_at_keys_of_another_encoding_are_found(
      String name, String separator, String key, String other, String otherSeparator)
      throws IOException {
    array(array -> array.chunkKeyEncoding(name, separator));
    assertThat(validate().exitCode()).isZero();
    file("v/" + key);
    for (String[] options : new String[][] {{}, {"--data"}, {"--include=v"}}) {
      CommandRun run = validate(options);
      assertThat(run.exitCode()).isOne();
      assertThat(run.out())
          .contains(
              "/v: 1 file lies at a key that no chunk has, such as v/"
                  + key
                  + ": chunks have such keys by the encoding "
                  + other
                  + " with the separator \""
                  + otherSeparator
                  + "\", and this array has "
                  + name
                  + ", such as ");
    }
  }

  @Test
  void arrays_of_version_2_are_checked_too() throws IOException {
    root = directory.resolve("b.zarr");
    assertThat(zarr("create", root.toString(), "--format=2").exitCode()).isZero();
    array(array -> array.zarrFormat(2).separator("."));
    assertThat(validate().exitCode()).isZero();
    file("v/0/0");
    file("v/0/1");
    file("v/0.0.0");
    assertThat(validate().out())
        .contains("/v: 2 files lie at keys that no chunk has, such as v/0/0: ")
        .contains(
            "such as v/0.0.0: the array has 2 dimensions, and chunk keys of v2, such as 0.0\n")
        .endsWith("Checked 2 nodes: 2 findings.\n");
  }

  @Test
  void foreign_files_are_no_findings_and_chunks_outside_of_the_shape_a_warning()
      throws IOException {
    array(array -> array);
    file("v/README.md");
    file("v/c/.DS_Store");
    file("v/c/0/old");
    assertThat(validate().exitCode()).isZero();
    file("v/c/2/0");
    file("v/c/0/9");
    CommandRun run = validate();
    assertThat(run.exitCode()).isZero();
    assertThat(run.err())
        .isEqualTo(
            "zarr: warning: /v: 2 stored chunks lie outside of the shape [4, 4], such as v/c/0/9: a"
                + " resize kept them, or another program stored them; zarr resize with --outside"
                + " ERASE erases them\n");
    assertThat(zarr("resize", root + "/v", "4,4", "--outside=ERASE").exitCode()).isZero();
    assertThat(validate().err()).isEmpty();
  }

  @Test
  void missing_chunks_are_counted_and_no_finding() throws IOException {
    array(array -> array);
    assertThat(validate("--data").out())
        .isEqualTo("Checked 2 nodes and 4 stored chunks: no findings.\n");
    Files.delete(root.resolve("v/c/0/1"));
    Files.delete(root.resolve("v/c/1/1"));
    CommandRun run = validate("--data");
    assertThat(run.exitCode()).isZero();
    assertThat(run.out())
        .isEqualTo(
            """
            /v: 2 of 4 chunks missing, read as fill value
            Checked 2 nodes and 2 stored chunks: no findings.
            """);
    CommandRun json = validate("--data", "--json");
    assertThat(json.out()).isEmpty();
    assertThat(json.err()).startsWith("/v: 2 of 4 chunks missing, read as fill value\n");
    assertThat(zarr("validate", "--data", root + "/v").out()).startsWith("/: 2 of 4 chunks");
    assertThat(validate("--data", "--include=v").out()).startsWith("/v: 2 of 4 chunks");
  }

  @Test
  void shards_are_counted_as_chunks_that_are_stored() throws IOException {
    array(array -> array.chunkShape(1, 1).shardShape(2, 2));
    Files.delete(root.resolve("v/c/0/1"));
    assertThat(validate("--data").out()).startsWith("/v: 1 of 4 chunks missing");
  }

  private void times(String units, DataType type, long... counts) {
    TestArrays.write(
        root.resolve("time"),
        NdArray.ofLongs(type, Shape.of(counts.length), counts),
        array ->
            array
                .dimensionNames("time")
                .chunkShape(2)
                .attributes(
                    units.isEmpty() ? JsonObject.EMPTY : JsonObject.EMPTY.with("units", units)));
  }

  @Test
  void a_time_that_steps_back_is_a_warning() {
    times("hours since 2024-01-01", DataTypes.INT64, 0, 1, 1, 744, 5, 745);
    CommandRun run = validate();
    assertThat(run.exitCode()).isZero();
    assertThat(run.out()).isEqualTo("Checked 2 nodes: no findings.\n");
    assertThat(run.err())
        .isEqualTo(
            "zarr: warning: /time: the times step back and forth: 2024-01-01T05:00:00 at [4]"
                + " follows 2024-02-01T00:00:00\n");
    assertThat(validate("--data").err()).contains("step back and forth");
    assertThat(zarr("validate", root + "/time").err()).contains("step back and forth");
  }

  @Test
  void dates_of_models_and_native_times_are_checked_too() {
    times("days since 2000-01-01", DataTypes.INT64, 1, 2);
    assertThat(zarr("attrs", root + "/time", "calendar=noleap").exitCode()).isZero();
    assertThat(validate().err()).isEmpty();
    assertThat(zarr("rm", root + "/time", "--yes").exitCode()).isZero();
    times("", DataTypes.datetime64(NumpyUnit.DAY, 1), 5, TimeType.NAT, 4, 6);
    assertThat(validate().err()).contains("1970-01-07 at [3] follows 1970-01-05");
  }

  @Test
  void times_that_fall_counts_without_units_and_unknown_units_are_no_warning() throws IOException {
    times("days since 2000-01-01", DataTypes.INT64, 9, 8, 8, 1);
    assertThat(validate().err()).isEmpty();
    for (String units : new String[] {"", "moons since 2000-01-01", "days"}) {
      assertThat(zarr("rm", root + "/time", "--yes").exitCode()).isZero();
      times(units, DataTypes.INT64, 1, 9, 2);
      assertThat(validate().err()).as(units).isEmpty();
    }
    times2();
    assertThat(validate().err()).isEmpty();
  }

  /** Writes times that are no coordinate: another dimension has them. */
  private void times2() {
    TestArrays.write(
        root.resolve("seen"),
        NdArray.ofLongs(DataTypes.INT64, Shape.of(3), 1, 9, 2),
        array ->
            array
                .dimensionNames("station")
                .attributes(JsonObject.EMPTY.with("units", "days since 2000-01-01")));
  }
}
