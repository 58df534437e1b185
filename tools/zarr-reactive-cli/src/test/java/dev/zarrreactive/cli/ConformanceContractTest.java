package dev.zarrreactive.cli;

import static dev.zarrreactive.cli.CommandRun.EARTH;
import static dev.zarrreactive.cli.CommandRun.zarr;
import static org.assertj.core.api.Assertions.assertThat;

import dev.zarrreactive.array.NdArray;
import dev.zarrreactive.array.Shape;
import dev.zarrreactive.datatype.DataTypes;
import dev.zarrreactive.datatype.FillValue;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code zarr --array_path=DIR}, the contract of the public Zarr conformance tests. */
class ConformanceContractTest {
  @TempDir Path directory;

  @Test
  void every_element_is_printed_one_a_line_in_c_order() {
    TestArrays.write(
        directory,
        NdArray.ofInts(DataTypes.INT32, Shape.of(2, 3), 0, 1, 2, 3, -4, 5),
        array -> array.chunkShape(2, 2));
    CommandRun run = zarr("--array_path=" + directory);
    assertThat(run.exitCode()).isZero();
    assertThat(run.out()).isEqualTo("0\n1\n2\n3\n-4\n5\n");
    assertThat(run.err()).isEmpty();
    assertThat(zarr("--array_path", directory.toString()))
        .usingRecursiveComparison()
        .isEqualTo(run);
  }

  @Test
  void chunks_that_are_missing_are_fill_value() {
    TestArrays.create(
        directory,
        Shape.of(3),
        DataTypes.FLOAT64,
        array -> array.chunkShape(2).fillValue(FillValue.of(DataTypes.FLOAT64, Double.NaN)));
    assertThat(zarr("--array_path=" + directory).out()).isEqualTo("\"NaN\"\n".repeat(3));
  }

  @Test
  void bools_are_true_or_false() {
    TestArrays.write(directory, NdArray.ofBooleans(Shape.of(2), true, false), array -> array);
    assertThat(zarr("--array_path=" + directory).out()).isEqualTo("true\nfalse\n");
  }

  @Test
  void an_array_that_another_program_wrote_is_read_whole() {
    CommandRun run = zarr("--array_path=" + EARTH.resolve("earth/rgb"));
    assertThat(run.exitCode()).isZero();
    assertThat(run.out().lines().mapToLong(Long::parseLong).sum()).isEqualTo(52_590_672L);
    assertThat(run.out().lines().count()).isEqualTo(360 * 720 * 3);
  }

  @Test
  void a_group_is_a_failure() {
    CommandRun run = zarr("--array_path=" + EARTH);
    assertThat(run.exitCode()).isOne();
    assertThat(run.out()).isEmpty();
    assertThat(run.err())
        .startsWith("zarr: error: " + EARTH + ": expected an array, found a group");
  }

  @Test
  void a_directory_that_is_missing_or_holds_no_array_is_a_failure() {
    CommandRun missing = zarr("--array_path=" + directory.resolve("missing"));
    assertThat(missing.exitCode()).isOne();
    assertThat(missing.err()).endsWith("missing: no such directory\n");
    CommandRun empty = zarr("--array_path=" + directory);
    assertThat(empty.exitCode()).isOne();
    assertThat(empty.err()).contains("not a Zarr directory");
  }

  @Test
  void a_chunk_that_is_damaged_is_a_failure_that_names_it() throws IOException {
    TestArrays.write(
        directory, TestArrays.counting(DataTypes.INT16, Shape.of(8)), array -> array.chunkShape(4));
    Files.write(directory.resolve("c/1"), new byte[7]);
    CommandRun run = zarr("--array_path=" + directory);
    assertThat(run.exitCode()).isOne();
    assertThat(run.err()).contains("chunk [1], key c/1");
  }
}
