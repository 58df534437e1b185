package dev.zarrreactive.cli;

import static dev.zarrreactive.cli.CommandRun.TERMINAL;
import static dev.zarrreactive.cli.CommandRun.on;
import static dev.zarrreactive.cli.CommandRun.zarr;
import static org.assertj.core.api.Assertions.assertThat;

import dev.zarrreactive.Zarr;
import dev.zarrreactive.ZarrHierarchy;
import dev.zarrreactive.array.NdArray;
import dev.zarrreactive.array.Shape;
import dev.zarrreactive.array.selection.Selection;
import dev.zarrreactive.datatype.DataTypes;
import dev.zarrreactive.error.Location;
import dev.zarrreactive.json.JsonDocument;
import dev.zarrreactive.json.JsonObject;
import dev.zarrreactive.metadata.ArrayMetadata;
import dev.zarrreactive.metadata.GroupMetadata;
import dev.zarrreactive.store.file.FileSystemStore;
import dev.zarrreactive.testing.ReportedData;
import java.awt.image.BufferedImage;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import javax.imageio.ImageIO;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Images and plates of OME-Zarr in {@code info}, {@code header} and {@code view}. */
class OmeCommandTest {
  private static final String IMAGE =
      """
      {"ome": {"version": "0.5",
        "multiscales": [{"name": "nuclei",
          "axes": [{"name": "c", "type": "channel"},
            {"name": "y", "type": "space", "unit": "micrometer"},
            {"name": "x", "type": "space", "unit": "micrometer"}],
          "datasets": [
            {"path": "0", "coordinateTransformations": [
              {"type": "scale", "scale": [1, 0.5, 0.5]}]},
            {"path": "1", "coordinateTransformations": [
              {"type": "scale", "scale": [1, 1, 1]},
              {"type": "translation", "translation": [0, 0.25, 0.25]}]}]}],
        "omero": {"channels": [
          {"label": "DNA", "color": "0000FF", "active": true,
           "window": {"start": 0, "end": 1000, "min": 0, "max": 65535}},
          {"label": "actin", "color": "FF8000", "active": false,
           "window": {"start": 0, "end": 1000, "min": 0, "max": 65535}}]}}}
      """;

  @TempDir Path directory;

  @BeforeEach
  void write() {
    ZarrHierarchy hierarchy = Zarr.hierarchy(FileSystemStore.open(directory));
    group(
        hierarchy,
        "",
        """
        {"ome": {"version": "0.5", "plate": {"name": "cells", "rows": [{"name": "A"}],
          "columns": [{"name": "1"}, {"name": "2"}],
          "wells": [{"path": "A/1", "rowIndex": 0, "columnIndex": 0}]}}}
        """);
    group(hierarchy, "A", "{}");
    group(
        hierarchy,
        "A/1",
        "{\"ome\": {\"version\": \"0.5\", \"well\": {\"images\": [{\"path\": \"0\"}]}}}");
    group(hierarchy, "A/1/0", IMAGE);
    for (int level = 0; level < 2; level++) {
      int side = 8 >> level;
      short[] values = new short[2 * side * side];
      for (int i = 0; i < side * side; i++) {
        values[i] = (short) (1000 * (i % side) / side);
      }
      NdArray data = NdArray.ofShorts(DataTypes.UINT16, Shape.of(2, side, side), values);
      hierarchy
          .createArray("A/1/0/" + level, ArrayMetadata.v3(data.shape(), data.dataType()).build())
          .flatMap(array -> array.write(Selection.all(), data))
          .block();
    }
  }

  private static void group(ZarrHierarchy hierarchy, String path, String attributes) {
    ByteBuffer bytes = ByteBuffer.wrap(attributes.getBytes(StandardCharsets.UTF_8));
    JsonObject object = (JsonObject) JsonDocument.parse(bytes, Location.UNKNOWN).value();
    hierarchy.createGroup(path, GroupMetadata.of(3, object)).block();
  }

  private String path(String relative) {
    return directory.resolve(relative).toString();
  }

  private BufferedImage picture(String relative, String... options) throws IOException {
    Path file = directory.resolve("picture.png");
    String[] arguments = new String[options.length + 4];
    arguments[0] = "view";
    arguments[1] = path(relative);
    arguments[2] = "-o";
    arguments[3] = file.toString();
    System.arraycopy(options, 0, arguments, 4, options.length);
    CommandRun run = zarr(arguments);
    assertThat(run.exitCode()).as(run.err()).isZero();
    return ImageIO.read(file.toFile());
  }

  @Test
  void info_has_levels_channels_and_the_plate() {
    assertThat(zarr("info", path("A/1/0")).out())
        .contains(
            """
            multiscales  OME-Zarr nuclei, 2 levels of c, y, x
                           0: c 1, y 0.5 micrometer, x 0.5 micrometer
                           1: c 1, y 1 micrometer from 0.25, x 1 micrometer from 0.25
            """,
            """
            channels     DNA #0000FF 0 to 1000
                         actin #FF8000 0 to 1000, not active
            """);
    assertThat(zarr("info", path("")).out())
        .contains("plate        cells, 1 x 2, wells with images: 1\n");
    assertThat(zarr("info", path("A/1")).out()).contains("images 0\n");
    assertThat(zarr("header", path("A/1/0")).out())
        .contains("  OME-Zarr nuclei, 2 levels of c, y, x\n    0: c 1, y 0.5 micrometer");
  }

  @Test
  void info_reports_problems() {
    group(
        Zarr.hierarchy(FileSystemStore.open(directory)),
        "bad",
        "{\"ome\": {\"version\": \"0.5\", \"multiscales\": [{\"axes\": [], \"datasets\": 3}]}}");
    assertThat(zarr("info", path("bad")).out())
        .contains("/attributes/ome/multiscales/0/datasets: expected a list of 1 to 64 levels");
    assertThat(zarr("view", path("bad")).err()).contains("/attributes/ome/multiscales/0");
  }

  @Test
  void an_image_is_drawn_in_the_colours_of_its_channels() throws IOException {
    BufferedImage whole = picture("A/1/0");
    assertThat(whole.getWidth()).isEqualTo(8);
    assertThat(whole.getRGB(0, 0)).isEqualTo(0xff000000);
    assertThat(whole.getRGB(4, 3)).isEqualTo(0xff000080);
    assertThat(picture("A/1/0", "--size", "4").getRGB(2, 0)).isEqualTo(0xff000080);
    assertThat(picture("A/1").getWidth()).as("the first image of the well").isEqualTo(8);
    assertThat(picture("A/1/0", "--colours", "grey", "--range", "0:1000").getRGB(4, 3))
        .isEqualTo(0xff808080);
  }

  @Test
  void a_legend_names_the_level_and_the_channels() {
    CommandRun run = on(TERMINAL, "view", path("A/1/0"));
    assertThat(run.out()).endsWith("uint16 [2, 8, 8], level 0 of 2; DNA\n");
    assertThat(zarr("view", path("A/1/0"), "--select", "0").err()).contains("name a level");
    assertThat(zarr("view", path("A")).err()).contains("group");
  }

  @Test
  void a_plate_has_its_wells_in_rows_and_columns() throws IOException {
    BufferedImage plate = picture("", "--size", "17");
    assertThat(plate.getWidth()).isEqualTo(17);
    assertThat(plate.getHeight()).isEqualTo(8);
    assertThat(plate.getRGB(4, 3)).isEqualTo(0xff000080);
    assertThat(plate.getRGB(12, 3)).as("no well").isEqualTo(0xff282828);
    assertThat(zarr("view", path(""), "--colours", "grey").err())
        .contains("name a well, such as PATH/A/1");
  }

  @Test
  void a_missing_level_is_left_out_and_named() throws IOException {
    String image =
        ReportedData.unpacked("009-ome-missing-level").resolve("missinglevel.zarr").toString();
    Path file = directory.resolve("level.png");
    CommandRun drawn = zarr("view", image, "-o", file.toString());
    assertThat(drawn.exitCode()).as(drawn.err()).isZero();
    assertThat(drawn.err()).contains("warning: " + image + "/2 is missing, and left out");
    assertThat(ImageIO.read(file.toFile()).getWidth()).isEqualTo(48);
    CommandRun coloured = zarr("view", image, "--colours", "grey", "-o", file.toString());
    assertThat(coloured.err()).contains("warning: " + image + "/2 is missing, and left out");
    CommandRun info = zarr("info", image);
    assertThat(info.exitCode()).isZero();
    assertThat(info.err()).containsOnlyOnce("warning: " + image + "/2 is missing, and left out");
    assertThat(zarr("info", image, "--json").err()).isEmpty();
  }

  @Test
  void missing_wells_and_images_are_blank_and_named() throws IOException {
    String plate =
        ReportedData.unpacked("010-ome-plate-missing-image").resolve("plate.zarr").toString();
    Path file = directory.resolve("plate.png");
    CommandRun drawn = zarr("view", plate, "-o", file.toString(), "--size", "21");
    assertThat(drawn.exitCode()).as(drawn.err()).isZero();
    assertThat(drawn.err())
        .contains("warning: " + plate + "/A/2 is missing, and left out")
        .contains("warning: " + plate + "/B/1/0 is missing, and left out");
    assertThat(ImageIO.read(file.toFile()).getRGB(15, 5)).isEqualTo(0xff282828);
    assertThat(zarr("info", plate).err())
        .contains(plate + "/A/2 is missing, and left out")
        .doesNotContain("/B/1");
    assertThat(zarr("info", plate + "/B/1").err())
        .contains(plate + "/B/1/0 is missing, and left out");
  }

  @Test
  void a_scale_of_0_is_a_problem_that_stops_nothing() throws IOException {
    String image = ReportedData.unpacked("011-ome-scale-zero").resolve("zeroscale.zarr").toString();
    Path file = directory.resolve("zero.png");
    CommandRun drawn = zarr("view", image, "-o", file.toString());
    assertThat(drawn.exitCode()).as(drawn.err()).isZero();
    assertThat(ImageIO.read(file.toFile()).getWidth()).isEqualTo(48);
    assertThat(zarr("info", image).out()).contains("expected a number other than 0");
  }

  @Test
  void a_scale_that_is_no_number_is_unknown() {
    group(
        Zarr.hierarchy(FileSystemStore.open(directory)),
        "nan",
        "{\"multiscales\": [{\"axes\": [\"y\", \"x\"], \"datasets\": [{\"path\": \"0\","
            + " \"coordinateTransformations\": [{\"type\": \"scale\", \"scale\": [\"NaN\", 2]}]}]}]}");
    assertThat(zarr("info", path("nan")).out()).contains("0: y unknown, x 2");
  }
}
