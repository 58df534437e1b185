package dev.zarrreactive.cli;

import static dev.zarrreactive.cli.CommandRun.EARTH;
import static dev.zarrreactive.cli.CommandRun.zarr;
import static org.assertj.core.api.Assertions.assertThat;

import dev.zarrreactive.Zarr;
import dev.zarrreactive.ZarrHierarchy;
import dev.zarrreactive.array.Shape;
import dev.zarrreactive.datatype.DataTypes;
import dev.zarrreactive.json.JsonObject;
import dev.zarrreactive.metadata.ArrayMetadata;
import dev.zarrreactive.metadata.ArrayMetadataBuilder;
import dev.zarrreactive.store.file.FileSystemStore;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class HeaderCommandTest {
  @Test
  void every_line_fits_a_terminal_of_80_columns() {
    for (String command : List.of("header", "stats")) {
      CommandRun run =
          CommandRun.on(CommandRun.TERMINAL, command, EARTH + "/earth", "--color=never");
      assertThat(run.exitCode()).as(run.err()).isZero();
      assertThat(run.out().lines().filter(line -> !line.startsWith("group "))) // has the path
          .isNotEmpty()
          .allSatisfy(line -> assertThat(line).hasSizeLessThanOrEqualTo(80));
    }
  }

  @Test
  void nodes_are_json_objects_for_programs() {
    assertThat(zarr("header", EARTH.toString(), "--json", "--include", "**/l*").out().lines())
        .hasSize(4)
        .anySatisfy(
            line ->
                assertThat(line)
                    .startsWith("{\"path\":\"/earth/lat\",\"node_type\":\"array\"")
                    .contains(
                        "\"shape\":[360],\"dimensions\":[\"lat\"],\"chunks\":[360]",
                        "\"units\":\"degrees_north\""));
  }

  @TempDir Path directory;

  @Test
  void a_hierarchy_is_shown_group_by_group_with_its_dimensions_arrays_and_attributes() {
    CommandRun run = zarr("header", EARTH + "/earth");
    assertThat(run.exitCode()).isZero();
    assertThat(run.out())
        .startsWith(
            """
            group %s/earth
              dimensions: lat = 360, lon = 720, band = 3
              coordinates: lat, lon
              lat     float64  [360]          lat             degrees_north  chunks [360]
              lon     float64  [720]          lon             degrees_east   chunks [720]
              relief  float32  [360, 720]     lat, lon        1              chunks [180, 180]
              rgb     uint8    [360, 720, 3]  lat, lon, band                 chunks [60, 90, 3]
              :projection = "equirectangular (plate carree), row 0 is the north, column 0 is 180 W"
              :crs = "EPSG:4326"
              lat:standard_name = "latitude"
            """
                .formatted(EARTH))
        .contains("\n  relief:valid_range = [0.0,1.0]\n")
        .doesNotContain(":units");
    assertThat(run.err()).isEmpty();
    assertThat(zarr("header", EARTH.toString()).out())
        .startsWith("group " + EARTH + "\n  :title = ")
        .contains("\n\ngroup " + EARTH + "/earth\n  dimensions: ");
  }

  @Test
  void an_array_has_a_header_of_its_own() {
    assertThat(zarr("header", EARTH + "/earth/lat").out())
        .startsWith("array " + EARTH + "/earth/lat\n  dimensions: lat = 360\n")
        .contains("float64  [360]  lat  degrees_north  chunks [360]\n");
  }

  @Test
  void a_line_of_a_terminal_holds_an_attribute() {
    assertThat(
            CommandRun.on(CommandRun.TERMINAL, "header", "--color=never", EARTH.toString()).out())
        .contains(
            ":credit = \"NASA Earth Observatory (R. Stockli, NASA Goddard Space Flight Ce...\n");
  }

  @Test
  void arrays_without_names_and_of_several_extents_of_one_name_are_shown() {
    ZarrHierarchy hierarchy = Zarr.hierarchy(FileSystemStore.open(directory));
    ArrayMetadataBuilder plain = ArrayMetadata.v3(Shape.of(2, 3), DataTypes.INT16).uncompressed();
    hierarchy.createArray("a", plain.build()).block();
    hierarchy
        .createArray(
            "b",
            ArrayMetadata.v3(Shape.of(4), DataTypes.INT8)
                .uncompressed()
                .dimensionNames("x\u001b[2J")
                .attributes(JsonObject.EMPTY.with("units", 7))
                .build())
        .block();
    hierarchy
        .createArray(
            "c",
            ArrayMetadata.v3(Shape.of(5), DataTypes.INT8)
                .uncompressed()
                .dimensionNames("x\u001b[2J")
                .build())
        .block();
    assertThat(zarr("header", directory.toString()).out())
        .isEqualTo(
            """
            group %s
              dimensions: x\\u001b[2J = 4 or 5
              a  int16  [2, 3]              chunks [2, 3]
              b  int8   [4]     x\\u001b[2J  chunks [4]
              c  int8   [5]     x\\u001b[2J  chunks [5]
              b:units = 7
            """
                .formatted(directory));
  }

  @Test
  void an_array_that_cannot_be_opened_stands_in_its_place_and_is_a_failure() throws Exception {
    ZarrHierarchy hierarchy = Zarr.hierarchy(FileSystemStore.open(directory));
    ArrayMetadataBuilder plain = ArrayMetadata.v3(Shape.of(2, 3), DataTypes.INT16).uncompressed();
    hierarchy.createArray("g/a", plain.build()).block();
    hierarchy.createArray("g/b", plain.build()).block();
    Files.writeString(directory.resolve("g/a/zarr.json"), "{");
    CommandRun run = zarr("header", directory.toString());
    assertThat(run.exitCode()).isOne();
    assertThat(run.out())
        .contains("\n  a  cannot be opened: not JSON: the document is cut short")
        .contains("\n  b  int16  [2, 3]  chunks [2, 3]\n");
    assertThat(run.err()).isEqualTo("zarr: error: " + directory + ": 1 node cannot be opened\n");
  }

  @Test
  void no_path_and_two_are_wrong_usage_and_a_place_without_a_node_is_a_failure() {
    assertThat(zarr("header").exitCode()).isEqualTo(2);
    assertThat(zarr("header", "a", "b").exitCode()).isEqualTo(2);
    CommandRun run = zarr("header", directory.toString());
    assertThat(run.exitCode()).isOne();
    assertThat(run.err()).contains("not a Zarr directory");
  }
}
