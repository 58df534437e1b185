package dev.zarrreactive.cli;

import static dev.zarrreactive.cli.CommandRun.zarr;
import static org.assertj.core.api.Assertions.assertThat;

import dev.zarrreactive.array.Shape;
import dev.zarrreactive.cli.options.ChunkWish;
import dev.zarrreactive.datatype.DataTypes;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Shapes of chunks and shards that nobody has to calculate. */
class ChunkWishesTest {
  @TempDir Path directory;

  private static ChunkWish wish(String text) throws Exception {
    return new ChunkWish.Converter().convert(text);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "24,-1,90 | [24, 361, 90]",
        "-1,-1,-1 | [8784, 361, 721]",
        "64MB     | [275, 181, 181]",
        "1KiB     | [5, 6, 6]",
      })
  void chunks_are_whole_dimensions_or_a_size(String text, String shape) throws Exception {
    Shape chunk = wish(text).chunks(Shape.of(8784, 361, 721), DataTypes.FLOAT32);
    assertThat(chunk.toString()).isEqualTo(shape);
  }

  @ParameterizedTest
  @CsvSource({"auto", "256MB", "1GiB", "1", "100KB"})
  void shards_are_whole_chunks_of_at_most_the_size(String text) throws Exception {
    Shape array = Shape.of(8784, 361, 721);
    Shape chunk = Shape.of(24, 90, 90);
    Shape shard = wish(text.equals("1") ? "1B" : text).shards(array, chunk, DataTypes.FLOAT32);
    for (int d = 0; d < 3; d++) {
      assertThat(shard.extent(d) % chunk.extent(d)).isZero();
      assertThat(shard.extent(d)).isLessThan(array.extent(d) + chunk.extent(d));
    }
    long most = text.equals("1GiB") ? 1L << 30 : 256L << 20;
    assertThat(shard.elementCount().longValueExact() * 4).isLessThanOrEqualTo(most);
  }

  @Test
  void a_whole_dimension_of_a_shard_is_rounded_up_to_chunks() throws Exception {
    assertThat(
            wish("-1,90,-1")
                .shards(Shape.of(100, 361, 721), Shape.of(24, 90, 90), DataTypes.INT8)
                .toString())
        .isEqualTo("[120, 90, 810]");
  }

  @Test
  void a_shape_that_does_not_fit_is_answered_with_the_nearest_that_does() {
    String source = directory.resolve("a.zarr").toString();
    assertThat(zarr("create", source, "--shape=248,361,720", "--dtype=int16").exitCode()).isZero();
    CommandRun copy =
        zarr("copy", source, source + "2", "--chunks", "24,90,90", "--shards", "248,361,720");
    assertThat(copy.exitCode()).isEqualTo(1);
    assertThat(copy.err())
        .contains("--shards 248,361,720 are no multiples of the chunks 24,90,90")
        .contains("--shards 264,450,720 would do, or --shards auto");
    assertThat(
            zarr("copy", source, source + "2", "--chunks", "24,90,90", "--shards", "-1,-1,-1")
                .exitCode())
        .isZero();
    assertThat(zarr("info", source + "2").out()).contains("[264, 450, 720]");
  }

  @Test
  void new_arrays_and_copies_take_sizes() {
    String made = directory.resolve("made.zarr").toString();
    CommandRun create =
        zarr(
            "create",
            made,
            "--shape=2000,2000",
            "--dtype=float64",
            "--chunks=1MB",
            "--shards=auto");
    assertThat(create.err()).isEmpty();
    assertThat(zarr("info", made).out()).contains("[250, 500]").contains("[2000, 2000]");
    assertThat(zarr("copy", made, made + "2", "--chunks=auto", "--shards=4MB").exitCode()).isZero();
    assertThat(zarr("create", made + "3", "--shape=5", "--dtype=int8", "--chunks=2,-1").err())
        .contains("--chunks has 2 dimensions, and the array has 1");
    assertThat(zarr("create", made + "3", "--shape=5", "--dtype=int8", "--chunks=0").err())
        .contains("64MB, or auto; found 0");
  }

  @Test
  void shards_that_the_old_format_lacks_name_the_option_that_helps() {
    String made = directory.resolve("made.zarr").toString();
    zarr("create", made, "--shape=8", "--dtype=int8", "--chunks=2", "--shards=8");
    assertThat(zarr("copy", made, made + "2", "--format=2").err()).contains("--unshard");
  }
}
