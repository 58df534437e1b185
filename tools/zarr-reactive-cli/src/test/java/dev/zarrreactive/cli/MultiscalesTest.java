package dev.zarrreactive.cli;

import static dev.zarrreactive.cli.CommandRun.zarr;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What {@code zarr info} says of groups with levels of resolution. */
class MultiscalesTest {
  private static final String OME =
      """
      [{"name": "nuclei", "axes": [{"name": "c", "type": "channel"},
        {"name": "y", "type": "space", "unit": "micrometer"}],
        "datasets": [
          {"path": "0", "coordinateTransformations": [{"type": "scale", "scale": [1, 0.5]}]},
          {"path": "1"}]}]
      """;

  @TempDir Path directory;

  private String info(String attributes) throws IOException {
    Files.writeString(
        directory.resolve("zarr.json"),
        "{\"zarr_format\": 3, \"node_type\": \"group\", \"attributes\": " + attributes + "}");
    CommandRun run = zarr("info", directory.toString());
    assertThat(run.exitCode()).as(run.err()).isZero();
    return run.out();
  }

  @Test
  void levels_of_ome_have_their_axes_and_scales() throws IOException {
    for (String attributes :
        new String[] {
          "{\"multiscales\": " + OME + "}", "{\"ome\": {\"multiscales\": " + OME + "}}"
        }) {
      assertThat(info(attributes))
          .contains(
              """
              multiscales  OME-Zarr nuclei, 2 levels of c, y
                             0: c 1, y 0.5 micrometer
                             1
              """);
    }
  }

  @Test
  void geozarr_has_levels_and_a_place() throws IOException {
    assertThat(
            info(
                "{\"multiscales\": {\"layout\": [{\"asset\": \"r10m\"}, {\"asset\": \"r20m\"}]},"
                    + "\"proj:code\": \"EPSG:32632\", \"spatial:bbox\": [1, 2, 3, 4]}"))
        .contains(
            "multiscales  GeoZarr, 2 levels: r10m, r20m\n",
            "place        EPSG:32632, from [1,2,3,4]\n");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{}",
        "{\"multiscales\": 3}",
        "{\"multiscales\": [3]}",
        "{\"multiscales\": {\"layout\": 1}, \"proj:code\": 5}",
        "{\"ome\": []}"
      })
  void attributes_of_another_form_are_left_out(String attributes) throws IOException {
    assertThat(info(attributes)).doesNotContain("multiscales  ", "place  ");
  }
}
