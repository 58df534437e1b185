package dev.zarrreactive.cli;

import static dev.zarrreactive.cli.CommandRun.EARTH;
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
import dev.zarrreactive.json.JsonNumber;
import dev.zarrreactive.json.JsonObject;
import dev.zarrreactive.metadata.ArrayMetadata;
import dev.zarrreactive.store.file.FileSystemStore;
import java.awt.image.BufferedImage;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import javax.imageio.ImageIO;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ViewCommandTest {
  private static final int BLACK = 0xff000000;
  private static final int WHITE = 0xffffffff;

  @TempDir Path directory;

  @Test
  void a_plane_fills_the_terminal_and_a_legend_stands_below() {
    CommandRun run = on(TERMINAL, "view", EARTH + "/earth/relief");
    assertThat(run.err()).isEmpty();
    assertThat(run.exitCode()).isZero();
    List<String> lines = run.out().lines().toList();
    assertThat(lines).hasSize(22);
    assertThat(lines.subList(1, 17)).allMatch(line -> line.endsWith("\u001b[0m"));
    assertThat(lines.get(1).split("[\u2580\u2584 ]", -1)).hasSize(72 + 1);
    assertThat(lines.get(0)).endsWith("\u001b[0m 89.75");
    assertThat(lines.get(17)).endsWith("\u001b[0m -89.75");
    assertThat(lines.get(18)).isEqualTo("-179.75" + " ".repeat(72 - 13) + "179.75");
    assertThat(lines.subList(19, 22)).as("the legend").allMatch(line -> line.length() <= 80);
    assertThat(String.join(" ", lines.subList(19, 22)))
        .startsWith("float32 [360, 720], 720 x 360, read in steps of 5 rows and 5 columns;")
        .endsWith("; lat 89.75 to -89.75 degrees_north, lon -179.75 to 179.75 degrees_east");
  }

  @Test
  void a_long_and_narrow_plane_keeps_its_columns() throws IOException {
    double[] values = new double[2 * 2000];
    for (int i = 0; i < values.length; i++) {
      values[i] = i % 2;
    }
    TestArrays.write(
        directory, NdArray.ofDoubles(Shape.of(2000, 2), values), array -> array.chunkShape(500, 2));
    Path file = directory.resolve("a.png");
    CommandRun run =
        zarr(
            "view",
            directory.toString(),
            "-o",
            file.toString(),
            "--colours=grey",
            "--range=0:1",
            "--size=512");
    assertThat(run.out()).contains("in steps of 3 rows and 1 column; grey from 0 to 1");
    BufferedImage image = ImageIO.read(file.toFile());
    assertThat(image.getWidth()).isEqualTo(2);
    assertThat(image.getRGB(0, 5)).isEqualTo(BLACK);
    assertThat(image.getRGB(1, 5)).isEqualTo(WHITE);
  }

  @Test
  void a_pipe_gets_characters_from_dark_to_bright() {
    TestArrays.write(
        directory,
        NdArray.ofDoubles(Shape.of(2, 4), 0, 3, 6, 9, 0, 3, 6, Double.NaN),
        array -> array.chunkShape(1, 2));
    CommandRun run = zarr("view", directory.toString(), "--colours=grey", "--range", "0:9");
    assertThat(run.out()).isEqualTo(" -*@\nfloat64 [2, 4], 4 x 2; grey from 0 to 9\n");
    assertThat(zarr("view", directory.toString(), "--colours=grey", "--range", "9:0").out())
        .startsWith("@*- \n");
    assertThat(zarr("view", directory.toString(), "--select", "1,:2").err())
        .contains("a picture needs a plane of two dimensions", "[2]");
  }

  @Test
  void a_file_has_the_exact_values_of_small_pictures_and_missing_data_are_transparent()
      throws IOException {
    TestArrays.write(
        directory,
        NdArray.ofInts(DataTypes.INT32, Shape.of(2, 2), 0, 100, -9999, 50),
        array ->
            array
                .chunkShape(2, 1)
                .attributes(JsonObject.EMPTY.with("missing_value", JsonNumber.of(-9999))));
    Path file = directory.resolve("a.png");
    CommandRun run =
        zarr(
            "view", directory.toString(), "-o", file.toString(), "--colours=grey", "--range=0:100");
    assertThat(run.err()).isEmpty();
    assertThat(run.out()).startsWith("Written: " + file + ", 2 x 2 pixels; int32 [2, 2], 2 x 2;");
    BufferedImage image = ImageIO.read(file.toFile());
    assertThat(image.getRGB(0, 0)).isEqualTo(BLACK);
    assertThat(image.getRGB(1, 0)).isEqualTo(WHITE);
    assertThat(image.getRGB(0, 1) >>> 24).isZero();
    assertThat(image.getRGB(1, 1)).isEqualTo(0xff808080);
  }

  @Test
  void a_large_plane_shrinks_to_the_size() throws IOException {
    Path file = directory.resolve("earth.png");
    String earth = EARTH + "/earth/rgb";
    assertThat(zarr("view", earth, "-o", file.toString(), "--size", "90").exitCode()).isZero();
    BufferedImage image = ImageIO.read(file.toFile());
    assertThat(image.getWidth()).isEqualTo(90);
    assertThat(image.getHeight()).isEqualTo(45);
  }

  @Test
  void planes_of_bands_are_a_picture_in_colours() throws IOException {
    NdArray bands =
        NdArray.ofBytes(DataTypes.UINT8, Shape.of(3, 1, 2), bytes(0, 255, 1, 2, 255, 0));
    TestArrays.write(directory, bands, array -> array.chunkShape(1, 1, 2));
    Path file = directory.resolve("a.png");
    CommandRun run = zarr("view", directory.toString(), "--rgb", "2,1,0", "-o", file.toString());
    assertThat(run.err()).isEmpty();
    BufferedImage image = ImageIO.read(file.toFile());
    assertThat(image.getRGB(0, 0)).isEqualTo(0xffff0100);
    assertThat(image.getRGB(1, 0)).isEqualTo(0xff0002ff);
    assertThat(zarr("view", directory.toString(), "--rgb", "2,1,3").err())
        .contains("the bands are 0 to 2; there is no band 3");
  }

  private static byte[] bytes(int... values) {
    byte[] bytes = new byte[values.length];
    for (int i = 0; i < values.length; i++) {
      bytes[i] = (byte) values[i];
    }
    return bytes;
  }

  /** The map has the north above, whichever row is the first. */
  @ParameterizedTest
  @CsvSource({"-45, 45, true", "45, -45, false"})
  void rows_of_rising_latitudes_are_turned(double first, double second, boolean turned)
      throws IOException {
    ZarrHierarchy hierarchy = Zarr.hierarchy(FileSystemStore.open(directory));
    hierarchy.createGroup("").block();
    write(
        hierarchy,
        "heat",
        NdArray.ofBytes(DataTypes.UINT8, Shape.of(2, 2), bytes(0, 0, 255, 255)),
        "lat",
        "lon");
    write(hierarchy, "lat", NdArray.ofDoubles(Shape.of(2), first, second), "lat");
    Path file = directory.resolve("a.png");
    CommandRun run = zarr("view", directory + "/heat", "-o", file.toString(), "--colours=grey");
    assertThat(run.err()).isEmpty();
    assertThat(ImageIO.read(file.toFile()).getRGB(0, 0)).isEqualTo(turned ? WHITE : BLACK);
    assertThat(run.out()).endsWith("; lat 45 to -45\n");
  }

  @Test
  void the_coordinates_stand_beside_the_picture() {
    ZarrHierarchy hierarchy = Zarr.hierarchy(FileSystemStore.open(directory));
    hierarchy.createGroup("").block();
    NdArray heat =
        NdArray.ofBytes(
            DataTypes.UINT8,
            Shape.of(2, 4, 2),
            bytes(0, 0, 0, 0, 0, 0, -1, -1, 0, 0, 0, 0, 0, 0, 0, 0));
    write(hierarchy, "heat", heat, "time", "north", "x");
    write(hierarchy, "time", NdArray.ofInts(DataTypes.INT32, Shape.of(2), 0, 1), "time");
    write(hierarchy, "north", NdArray.ofDoubles(Shape.of(4), 1.5, 2, 2.5, 3), "north");
    write(hierarchy, "x", NdArray.ofInts(DataTypes.INT32, Shape.of(2), 7, 8), "x");
    zarr("attrs", directory + "/time", "units=days since 2000-01-01");
    zarr("attrs", directory + "/north", "standard_name=projection_y_coordinate", "units=km");
    CommandRun run = zarr("view", directory + "/heat", "--colours=grey", "--sel=time=2000-01-01");
    assertThat(run.err()).isEmpty();
    assertThat(run.out())
        .startsWith("## 3\n")
        .contains("\n   1.5\n7                      8\n")
        .endsWith("; north 3 to 1.5 km, x 7 to 8\n");
    assertThat(zarr("view", directory + "/heat", "--sel=time=2001").err())
        .contains("the coordinate time has no label");
  }

  @Test
  void values_are_drawn_with_missing_ones_transparent() throws IOException {
    TestArrays.write(
        directory,
        NdArray.ofBytes(DataTypes.INT8, Shape.of(1, 3), bytes(-1, 2, 4)),
        array -> array.chunkShape(1, 3));
    zarr("attrs", directory.toString(), "scale_factor=0.5", "_FillValue=-1");
    Path file = directory.resolve("a.png");
    CommandRun run =
        zarr("view", directory.toString(), "--decode", "--range=1:2", "-o", file.toString());
    assertThat(run.out()).contains("float64 [1, 3]").contains("from 1 to 2");
    assertThat(ImageIO.read(file.toFile()).getRGB(0, 0) >>> 24).isZero();
    assertThat(ImageIO.read(file.toFile()).getRGB(1, 0) >>> 24).isEqualTo(255);
  }

  private static void write(
      ZarrHierarchy hierarchy, String name, NdArray data, String... dimensions) {
    hierarchy
        .createArray(
            name,
            ArrayMetadata.v3(data.shape(), data.dataType())
                .uncompressed()
                .dimensionNames(dimensions)
                .build())
        .flatMap(array -> array.write(Selection.all(), data))
        .block();
  }

  @Test
  void the_first_plane_is_drawn_and_a_selection_names_another() {
    NdArray volume =
        NdArray.ofBytes(DataTypes.UINT8, Shape.of(2, 2, 2), bytes(0, 0, 0, 0, -1, -1, -1, -1));
    TestArrays.write(directory, volume, array -> array.chunkShape(1, 2, 2));
    assertThat(zarr("view", directory.toString(), "--colours=grey").out()).startsWith("  \n");
    assertThat(zarr("view", directory.toString(), "--colours=grey", "--select=1").out())
        .startsWith("@@\n");
    assertThat(zarr("view", directory.toString(), "--select", ":").err())
        .contains("of several planes; select one index of each other dimension");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "--rgb|1,2|--rgb takes three bands",
        "--size|0|--size is from 1 to 16384, not 0",
        "--range|5|expected two different numbers such as -40:50; found 5",
        "--percentiles|2:101|expected percentiles from 0 to 100; found 2:101",
        "--colours|jet|expected grey, viridis, magma, inferno, plasma, coolwarm; found jet",
        "-o|a.gif|name it with the suffix .png, not a.gif"
      })
  void wrong_options_are_refused(String option, String value, String reason) {
    CommandRun run = zarr("view", EARTH + "/earth/relief", option, value);
    assertThat(run.exitCode()).isEqualTo(2);
    assertThat(run.err()).contains(reason);
  }

  @Test
  void types_without_numbers_and_damaged_chunks_are_errors() throws IOException {
    Path text = directory.resolve("text");
    TestArrays.create(text, Shape.of(2, 2), DataTypes.COMPLEX64, array -> array.chunkShape(2, 2));
    assertThat(zarr("view", text.toString()).err())
        .contains("a picture shows integers, floats and bool, not complex64");
    Path damaged = directory.resolve("damaged");
    TestArrays.write(
        damaged,
        NdArray.ofInts(DataTypes.INT32, Shape.of(2, 2), 1, 2, 3, 4),
        array -> array.chunkShape(2, 2));
    Files.write(damaged.resolve("c/0/0"), new byte[3]);
    Path file = directory.resolve("a.png");
    CommandRun run = zarr("view", damaged.toString(), "-o", file.toString());
    assertThat(run.exitCode()).isOne();
    assertThat(run.err()).contains("c/0/0");
    assertThat(file).doesNotExist();
  }
}
