package dev.zarrreactive.cli;

import static dev.zarrreactive.cli.CommandRun.EARTH;
import static dev.zarrreactive.cli.CommandRun.zarr;
import static org.assertj.core.api.Assertions.assertThat;

import dev.zarrreactive.array.NdArray;
import dev.zarrreactive.array.Shape;
import dev.zarrreactive.datatype.DataTypes;
import java.awt.image.BufferedImage;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;
import javax.imageio.ImageIO;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ReadCommandTest {
  private static final String LAT = EARTH + "/earth/lat";
  private static final String RGB = EARTH + "/earth/rgb";

  @TempDir Path directory;

  @Test
  void text_is_what_people_read() {
    CommandRun run = zarr("read", RGB, "--select", "100:102,::360");
    assertThat(run.exitCode()).isZero();
    assertThat(run.out())
        .isEqualTo(
            """
            uint8 [2, 2, 3]
            [[[  2   5  20]
              [ 27  64 118]]

             [[  2   5  20]
              [ 22  59 114]]]
            """);
    assertThat(run.err()).isEmpty();
  }

  @Test
  void an_element_is_a_selection_too() {
    assertThat(zarr("read", LAT, "--select", "-1").out()).isEqualTo("float64 []\n-89.75\n");
  }

  @Test
  void json_is_one_element_a_line_in_c_order() {
    assertThat(zarr("read", LAT, "--format", "json", "--select", "[3,1,3]").out())
        .isEqualTo("88.25\n89.25\n88.25\n");
    TestArrays.write(
        directory,
        NdArray.ofComplex(Shape.of(2), 1.5f, Float.NaN, Float.NEGATIVE_INFINITY, -0f),
        array -> array);
    assertThat(zarr("read", directory.toString(), "--format", "json").out())
        .isEqualTo("[1.5,\"NaN\"]\n[\"-Infinity\",-0.0]\n");
  }

  @Test
  void raw_is_the_bytes_of_the_elements_little_endian() {
    NdArray data = TestArrays.counting(DataTypes.UINT32, Shape.of(5, 4));
    TestArrays.write(directory, data, array -> array.chunkShape(2, 3));
    assertThat(zarr("read", directory.toString(), "--format", "raw").output())
        .isEqualTo(data.bytes().toByteArray());
  }

  @Test
  void nothing_selected_is_no_error() {
    assertThat(zarr("read", LAT, "--select", "3:3").out()).isEqualTo("float64 [0]\n[]\n");
    assertThat(zarr("read", LAT, "--select", "3:3", "--format", "json").out()).isEmpty();
  }

  @Test
  void a_file_takes_its_format_from_its_name() throws IOException {
    Path npy = directory.resolve("a.npy");
    Path json = directory.resolve("a.json");
    Path raw = directory.resolve("A.RAW");
    for (Path file : new Path[] {npy, json, raw}) {
      CommandRun run = zarr("read", LAT, "--select", "0:2", "-o", file.toString());
      assertThat(run.exitCode()).isZero();
      assertThat(run.out()).isEmpty();
    }
    assertThat(Files.readAllBytes(npy)).startsWith(0x93, 'N', 'U', 'M', 'P', 'Y');
    assertThat(json).hasContent("89.75\n89.25\n");
    assertThat(raw).hasSize(16);
    assertThat(filesIn(directory)).containsExactlyInAnyOrder("a.npy", "a.json", "A.RAW");
  }

  @ParameterizedTest
  @ValueSource(strings = {"a.tsv", "a.tif", "a.txt", "json", "a.npy.gz", ".npy.", "a"})
  void an_unknown_suffix_is_wrong_usage_and_writes_nothing(String name) throws IOException {
    Path file = directory.resolve(name);
    CommandRun run = zarr("read", RGB, "-o", file.toString());
    assertThat(run.exitCode()).isEqualTo(2);
    assertThat(run.err())
        .startsWith("zarr: error: The suffix of " + file + " names no format: .npy, .raw, .json")
        .contains("--format chooses one for any name");
    assertThat(filesIn(directory)).isEmpty();
  }

  @Test
  void the_format_that_is_named_goes_before_the_suffix() throws IOException {
    for (String name : new String[] {"a.csv", "a.npy", "a"}) {
      Path file = directory.resolve(name);
      CommandRun run =
          zarr("read", LAT, "--select", "0:2", "--format", "text", "-o", file.toString());
      assertThat(run.exitCode()).isZero();
      assertThat(file).hasContent("float64 [2]\n[89.75 89.25]\n");
    }
  }

  @Test
  void csv_has_the_index_of_each_element_and_the_names_of_the_dimensions() throws IOException {
    Path file = directory.resolve("relief.csv");
    CommandRun run =
        zarr(
            "read",
            EARTH + "/earth/relief",
            "--select",
            "100,[0,360]",
            "--raw",
            "-o",
            file.toString());
    assertThat(run.exitCode()).as(run.err()).isZero();
    assertThat(Files.readString(file))
        .isEqualTo("lat,lon,value\r\n100,0,0.35546875\r\n100,360,0.7109375\r\n");
  }

  @Test
  void png_is_a_picture() throws IOException {
    Path file = directory.resolve("rgb.png");
    assertThat(zarr("read", RGB, "-o", file.toString()).exitCode()).isZero();
    BufferedImage picture = ImageIO.read(file.toFile());
    assertThat(picture.getWidth()).isEqualTo(720);
    assertThat(picture.getHeight()).isEqualTo(360);
    assertThat(picture.getRGB(381, 134)).isEqualTo(0xff000000 | 192 << 16 | 155 << 8 | 111);
  }

  @Test
  void a_picture_of_floats_needs_a_range() throws IOException {
    String relief = EARTH + "/earth/relief";
    Path file = directory.resolve("relief.png");
    CommandRun refused = zarr("read", relief, "-o", file.toString());
    assertThat(refused.exitCode()).isOne();
    assertThat(refused.err())
        .contains("exact values of uint8, uint16 and bool, not of float32")
        .contains("--range 0:1 gives the values that are black and white");
    assertThat(filesIn(directory)).isEmpty();
    assertThat(zarr("read", relief, "--range", "-1:1", "-o", file.toString()).exitCode()).isZero();
    assertThat(ImageIO.read(file.toFile()).getRaster().getSample(360, 100, 0)).isEqualTo(218);
  }

  @ParameterizedTest
  @ValueSource(strings = {"0", "1:1", "a:b", "0:inf", "0:1:2"})
  void a_range_that_is_none_is_wrong_usage(String range) {
    CommandRun run = zarr("read", RGB, "--format", "png", "--range=" + range);
    assertThat(run.exitCode()).isEqualTo(2);
    assertThat(run.err()).contains("expected two different numbers such as -40:50; found " + range);
  }

  @Test
  void a_range_is_for_pictures() {
    CommandRun run = zarr("read", LAT, "--range", "0:1");
    assertThat(run.exitCode()).isEqualTo(2);
    assertThat(run.err()).contains("--range is for the format png, not for text");
  }

  @Test
  void a_read_that_fails_leaves_the_file_that_was_there_and_no_other() throws IOException {
    Path array = directory.resolve("array");
    TestArrays.write(
        array,
        TestArrays.counting(DataTypes.INT16, Shape.of(8)),
        settings -> settings.chunkShape(4));
    Files.write(array.resolve("c/1"), new byte[7]);
    Path file = Files.writeString(directory.resolve("out.npy"), "precious");

    CommandRun run = zarr("read", array.toString(), "-o", file.toString());

    assertThat(run.exitCode()).isOne();
    assertThat(run.err())
        .startsWith("zarr: error: " + array + ": ")
        .contains("chunk [1], key c/1")
        .satisfies(error -> assertThat(error.lines()).hasSize(1));
    assertThat(file).hasContent("precious");
    assertThat(filesIn(directory)).containsExactlyInAnyOrder("array", "out.npy");
  }

  private static Stream<String> filesIn(Path directory) throws IOException {
    try (Stream<Path> files = Files.list(directory)) {
      return files.map(file -> file.getFileName().toString()).toList().stream();
    }
  }

  @Test
  void a_file_that_cannot_be_written_is_named() {
    Path file = directory.resolve("no/such/place.npy");
    CommandRun run = zarr("read", LAT, "-o", file.toString());
    assertThat(run.exitCode()).isOne();
    assertThat(run.err()).isEqualTo("zarr: error: cannot write " + file + ": no such directory\n");
  }

  @Test
  void binary_formats_do_not_go_to_a_terminal() {
    CommandRun run = CommandRun.on(CommandRun.TERMINAL, "read", LAT, "--format", "npy");
    assertThat(run.exitCode()).isEqualTo(2);
    assertThat(run.output()).isEmpty();
    assertThat(run.err()).contains("A terminal cannot show the format npy; name a file with -o");
  }

  @Test
  void a_selection_that_is_none_is_wrong_usage() {
    CommandRun run = zarr("read", LAT, "--select", "0:9x");
    assertThat(run.exitCode()).isEqualTo(2);
    assertThat(run.err())
        .isEqualTo(
            """
            zarr: error: Invalid value for option '--select': selection "0:9x", position 4: \
            expected a comma or the end, found "x"
            Try 'zarr read --help' for more information.
            """);
  }

  @Test
  void a_selection_that_does_not_fit_the_array_is_a_failure() {
    CommandRun run = zarr("read", LAT, "--select", "0:999");
    assertThat(run.exitCode()).isOne();
    assertThat(run.err())
        .isEqualTo(
            "zarr: error: "
                + LAT
                + ": slice 0:999 is out of bounds for dimension 0 of extent 360\n");
  }

  @Test
  void a_group_cannot_be_read() {
    CommandRun run = zarr("read", EARTH.toString());
    assertThat(run.exitCode()).isOne();
    assertThat(run.err()).contains("expected an array, found a group");
  }

  @Test
  void of_what_is_far_too_large_for_text_the_corners_are_read() {
    TestArrays.create(
        directory,
        Shape.of(1L << 40, 1L << 40),
        DataTypes.FLOAT64,
        array -> array.chunkShape(1000, 1000));
    CommandRun run = zarr("read", directory.toString());
    assertThat(run.exitCode()).as(run.err()).isZero();
    assertThat(run.out())
        .startsWith("float64 [1099511627776, 1099511627776]\n[[0. 0. 0. ... 0. 0. 0.]\n");
    assertThat(zarr("read", directory.toString(), "--select", "-1,-2:").out())
        .isEqualTo("float64 [2]\n[0. 0.]\n");
  }
}
