package dev.zarrreactive.cli;

import static dev.zarrreactive.cli.CommandRun.zarr;
import static org.assertj.core.api.Assertions.assertThat;

import dev.zarrreactive.Zarr;
import dev.zarrreactive.array.NdArray;
import dev.zarrreactive.array.Shape;
import dev.zarrreactive.dataset.Dataset;
import dev.zarrreactive.datatype.DataTypes;
import dev.zarrreactive.testing.Waiting;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tables with the labels of coordinates. */
class TableTest {
  @TempDir Path directory;

  private String store = "";

  @BeforeEach
  void write() {
    store = directory.resolve("d.zarr").toString();
    Waiting.await(
        Dataset.builder()
            .coordinate(
                "time",
                List.of(
                    Instant.parse("2026-01-01T00:00:00Z"), Instant.parse("2026-01-02T00:00:00Z")))
            .coordinate("lat", NdArray.ofDoubles(Shape.of(2), 50, 40))
            .variable(
                "t",
                List.of("time", "lat", "k"),
                NdArray.ofDoubles(Shape.of(2, 2, 1), 1, 2, Double.NaN, 4),
                t -> t.packed(DataTypes.INT16, 0.5, 0).missing(-1))
            .variable(
                "u",
                List.of("time", "lat", "k"),
                NdArray.ofInts(DataTypes.INT32, Shape.of(2, 2, 1), 5, 6, 7, 8))
            .variable("height", List.of("lat"), NdArray.ofDoubles(Shape.of(2), 1.5, 2.5))
            .write(Zarr.at(store)));
  }

  private static List<String> lines(String... line) {
    CommandRun run = zarr(line);
    assertThat(run.exitCode()).as(run.err()).isZero();
    return run.out().lines().toList();
  }

  @Test
  void a_row_has_the_labels_of_its_dimensions_and_the_name_of_the_array() {
    assertThat(lines("read", store + "/t", "--format", "csv"))
        .containsExactly(
            "time,lat,k,t",
            "2026-01-01T00:00:00,50.0,0,1.0",
            "2026-01-01T00:00:00,40.0,0,2.0",
            "2026-01-02T00:00:00,50.0,0,NaN",
            "2026-01-02T00:00:00,40.0,0,4.0");
    assertThat(lines("read", store + "/t", "--format", "jsonl", "--sel", "time=2026-01-02"))
        .containsExactly(
            "{\"time\":\"2026-01-02T00:00:00\",\"lat\":50.0,\"k\":0,\"t\":null}",
            "{\"time\":\"2026-01-02T00:00:00\",\"lat\":40.0,\"k\":0,\"t\":4.0}");
  }

  @Test
  void dimensions_of_single_labels_and_indices_stay_columns() {
    assertThat(lines("read", store + "/t", "--format", "csv", "--select", "1,:,0"))
        .containsExactly(
            "time,lat,k,t", "2026-01-02T00:00:00,50.0,0,NaN", "2026-01-02T00:00:00,40.0,0,4.0");
    assertThat(
            lines(
                "read", store + "/u", "--format", "csv", "--sel", "lat~42", "--select", "time=::2"))
        .containsExactly("time,lat,k,u", "2026-01-01T00:00:00,40.0,0,6");
  }

  @Test
  void a_group_is_a_table_of_its_variables_of_the_same_dimensions() {
    assertThat(zarr("read", store, "--format", "csv").err())
        .contains("--variables height (lat) or --variables t,u (time, lat, k)");
    assertThat(lines("read", store, "--format", "csv", "--variables", "t,u", "--sel", "lat=40"))
        .containsExactly(
            "time,lat,k,t,u",
            "2026-01-01T00:00:00,40.0,0,2.0,6",
            "2026-01-02T00:00:00,40.0,0,4.0,8");
    assertThat(zarr("read", store, "--format", "csv", "--variables", "t", "--select", "0").err())
        .doesNotContain("error");
    assertThat(zarr("read", store, "--format", "csv", "--variables", "t,u", "--select", "0").err())
        .contains("--select time=0:10");
    assertThat(zarr("read", store + "/t", "--format", "csv", "--variables", "t").err())
        .contains("--variables is for a group");
  }

  @Test
  void raw_elements_have_their_indices_as_before() {
    assertThat(lines("read", store + "/t", "--format", "csv", "--raw", "--select", "1"))
        .containsExactly("time,lat,k,value", "1,0,0,-1", "1,1,0,8");
  }

  @Test
  void an_array_alone_has_indices_for_labels() {
    String alone = directory.resolve("alone.zarr").toString();
    zarr("copy", store + "/height", alone);
    assertThat(lines("read", alone, "--format", "csv", "--select", "1:"))
        .containsExactly("lat,value", "1,2.5");
    assertThat(lines("read", alone, "--format", "jsonl", "--select", "1:"))
        .containsExactly("{\"lat\":1,\"value\":2.5}");
  }

  @Test
  void a_file_gets_the_table_by_its_suffix_and_parquet_is_refused_with_advice() throws IOException {
    Path file = directory.resolve("t.jsonl");
    lines("read", store, "--variables", "t,u", "-o", file.toString());
    assertThat(Files.readAllLines(file)).hasSize(4);
    assertThat(zarr("read", store, "-o", directory.resolve("t.parquet").toString()).err())
        .contains("for Parquet write .jsonl or .csv");
  }
}
