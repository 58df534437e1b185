package dev.zarrreactive.cli;

import static dev.zarrreactive.cli.CommandRun.EARTH;
import static dev.zarrreactive.cli.CommandRun.zarr;
import static org.assertj.core.api.Assertions.assertThat;

import dev.zarrreactive.array.NdArray;
import dev.zarrreactive.array.Shape;
import dev.zarrreactive.cli.console.Colours;
import dev.zarrreactive.cli.console.Terminal;
import dev.zarrreactive.datatype.DataTypes;
import dev.zarrreactive.datatype.Datetime64Type;
import dev.zarrreactive.datatype.NumpyUnit;
import dev.zarrreactive.datatype.TimeType;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class StreamCommandTest {
  private static final String RELIEF = EARTH + "/earth/relief";
  private static final Pattern SUMMARY =
      Pattern.compile(
          "(\\d+) chunks?, (.+) of elements from (.+) in the store, in .+s\n"
              + "(\\d+) requests?, at most (\\d+) in flight at a time,"
              + " never more than (\\d+) ahead of the consumer\n");

  @TempDir Path directory;

  @Test
  void each_chunk_is_a_line_with_its_index_its_place_and_its_range() {
    TestArrays.write(
        directory,
        NdArray.ofInts(DataTypes.INT32, Shape.of(2, 3), 3, -7, 2, 0, 9, 4),
        array -> array.chunkShape(2, 2));
    CommandRun run = zarr("stream", "--in-order", directory.toString());
    assertThat(run.exitCode()).isZero();
    assertThat(run.out())
        .isEqualTo("[0, 0]  0:2,0:2  min -7  max 9\n[0, 1]  0:2,2:3  min 2  max 4\n");
  }

  @Test
  void in_the_end_it_says_what_the_store_was_asked_for() {
    CommandRun run = zarr("stream", RELIEF);
    assertThat(run.out().lines()).hasSize(8);
    Matcher summary = SUMMARY.matcher(run.err());
    assertThat(summary.matches()).as(run.err()).isTrue();
    assertThat(summary.group(1)).isEqualTo("8");
    assertThat(summary.group(2)).isEqualTo("1012.5 KiB");
    assertThat(summary.group(4)).isEqualTo("8");
  }

  @Test
  void a_slow_consumer_is_never_run_ahead_of_by_more_than_the_concurrency() {
    CommandRun run = zarr("stream", EARTH + "/earth/rgb", "--delay", "5", "--concurrency", "3");
    assertThat(run.out().lines()).hasSize(48);
    Matcher summary = SUMMARY.matcher(run.err());
    assertThat(summary.matches()).as(run.err()).isTrue();
    assertThat(summary.group(4)).isEqualTo("48");
    assertThat(Integer.parseInt(summary.group(5))).isBetween(1, 3);
    assertThat(Integer.parseInt(summary.group(6))).isBetween(1, 4);
  }

  @Test
  void a_selection_takes_parts_of_chunks() {
    assertThat(zarr("stream", "--in-order", RELIEF, "--select", "175:185:5,0").out().lines())
        .hasSize(2)
        .first()
        .asString()
        .startsWith("[0, 0]  175:176:5,0  min ");
  }

  @Test
  void integers_beyond_two_to_the_63_have_a_range_too() {
    TestArrays.write(
        directory, NdArray.ofLongs(DataTypes.UINT64, Shape.of(3), 5, -1, 7), array -> array);
    assertThat(zarr("stream", directory.toString()).out())
        .isEqualTo("[0]  0:3  min 5  max 18446744073709551615\n");
  }

  @Test
  void nan_is_neither_least_nor_greatest() {
    TestArrays.write(
        directory,
        NdArray.ofDoubles(Shape.of(3, 2), Double.NaN, -1, 3, Double.NaN, Double.NaN, Double.NaN),
        array -> array.chunkShape(2, 2));
    assertThat(zarr("stream", "--in-order", directory.toString()).out())
        .isEqualTo("[0, 0]  0:2,0:2  min -1.0  max 3.0\n[1, 0]  2:3,0:2  nothing but NaN\n");
  }

  @Test
  void times_are_dates_and_nat_is_neither_least_nor_greatest() {
    TestArrays.write(
        directory,
        NdArray.wrap(
            new Datetime64Type(NumpyUnit.SECOND, 1),
            Shape.of(3, 2),
            NdArray.ofLongs(
                    DataTypes.INT64,
                    Shape.of(6),
                    TimeType.NAT,
                    86_400,
                    -1,
                    3_600,
                    TimeType.NAT,
                    TimeType.NAT)
                .bytes()),
        array -> array.chunkShape(2, 2));
    assertThat(zarr("stream", "--in-order", directory.toString()).out())
        .isEqualTo(
            """
            [0, 0]  0:2,0:2  min 1969-12-31T23:59:59  max 1970-01-02T00:00:00
            [1, 0]  2:3,0:2  nothing but NaT
            """);
    assertThat(zarr("read", "--format", "json", directory.toString()).out())
        .isEqualTo("\"NaT\"\n86400\n-1\n3600\n\"NaT\"\n\"NaT\"\n");
  }

  @Test
  void what_has_no_order_shows_its_first_elements() {
    TestArrays.write(
        directory, NdArray.ofBooleans(Shape.of(5), true, false, false, true, true), array -> array);
    assertThat(zarr("stream", directory.toString()).out())
        .isEqualTo("[0]  0:5  first true, false, false, true, ...\n");
  }

  @Test
  void the_bar_is_on_standard_error_and_only_on_a_terminal() {
    Terminal errorsOnly =
        new Terminal(false, false, true, 80, 24, Colours.TRUE, false, StandardCharsets.UTF_8);
    CommandRun run = CommandRun.on(errorsOnly, "stream", RELIEF);
    assertThat(run.out()).doesNotContain("\u001b");
    assertThat(run.err())
        .contains("[############] 100 %  8 chunks, 0 in flight, 0 waiting")
        .contains("\r\u001b[K8 chunks, ");
    assertThat(zarr("stream", RELIEF).err()).doesNotContain("\u001b").doesNotContain("#");
  }

  @Test
  void numbers_that_cannot_be_are_wrong_usage() {
    assertThat(zarr("stream", RELIEF, "--concurrency", "0").exitCode()).isEqualTo(2);
    assertThat(zarr("stream", RELIEF, "--delay", "-1").exitCode()).isEqualTo(2);
    assertThat(zarr("stream", RELIEF, "--delay", "soon").err()).contains("'soon' is not a long");
  }
}
