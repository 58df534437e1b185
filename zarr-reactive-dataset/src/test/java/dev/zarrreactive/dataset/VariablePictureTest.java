package dev.zarrreactive.dataset;

import static dev.zarrreactive.testing.Waiting.await;
import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.zarrreactive.Zarr;
import dev.zarrreactive.array.NdArray;
import dev.zarrreactive.array.Shape;
import dev.zarrreactive.base.Bytes;
import dev.zarrreactive.encodings.ColourMap;
import dev.zarrreactive.error.InvalidInputException;
import dev.zarrreactive.store.memory.MemoryStore;
import java.awt.image.BufferedImage;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.stream.IntStream;
import javax.imageio.ImageIO;
import org.junit.jupiter.api.Test;

/** Pictures of variables: where values stand, in which colours, and the labels of the axes. */
class VariablePictureTest {
  private static Dataset weather(List<Double> latitudes) {
    double[] kelvin = {270, 272, 274, 276, 278, 280, 282, Double.NaN, 286, 288, 290, 292};
    double[] both = IntStream.range(0, 24).mapToDouble(i -> kelvin[i % 12]).toArray();
    return requireNonNull(
        await(
            Dataset.builder()
                .coordinate(
                    "time",
                    List.of(
                        Instant.parse("2020-01-01T00:00:00Z"),
                        Instant.parse("2020-01-02T00:00:00Z")))
                .coordinate("lat", latitudes, lat -> lat.attribute("units", "degrees_north"))
                .coordinate("lon", List.of(0, 10, 20, 30))
                .variable(
                    "t2m",
                    List.of("time", "lat", "lon"),
                    NdArray.ofDoubles(Shape.of(2, 3, 4), both),
                    t2m -> t2m.attribute("units", "K").attribute("long_name", "air temperature"))
                .write(Zarr.hierarchy(MemoryStore.create()), "")));
  }

  private static BufferedImage decode(Bytes png) {
    try {
      return Objects.requireNonNull(ImageIO.read(new ByteArrayInputStream(png.toByteArray())));
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }

  private static BufferedImage picture(VariablePicture picture) {
    return decode(requireNonNull(await(picture.png())));
  }

  /** Returns the colour in the middle of a cell of the map, whose rows count from the top. */
  private static int cell(BufferedImage image, int row, int column, int rows, int columns) {
    int width = image.getWidth() - 254;
    int height = image.getHeight() - 136;
    return image.getRGB(
            104 + (2 * column + 1) * width / (2 * columns),
            64 + (2 * row + 1) * height / (2 * rows))
        & 0xffffff;
  }

  @Test
  void a_map_has_the_greatest_label_on_top() throws IOException {
    Dataset descending = weather(List.of(50.0, 49.0, 48.0)).isel("time", 1);
    BufferedImage image = picture(descending.picture("t2m"));
    assertThat(image.getWidth()).isEqualTo(900);
    assertThat(cell(image, 0, 0, 3, 4)).isEqualTo(ColourMap.VIRIDIS.colour(0));
    assertThat(cell(image, 2, 3, 3, 4)).isEqualTo(ColourMap.VIRIDIS.colour(1));
    assertThat(cell(image, 1, 3, 3, 4)).as("a missing value").isEqualTo(0xd0d0d0);
    BufferedImage turned =
        picture(
            weather(List.of(48.0, 49.0, 50.0))
                .isel("time", 1)
                .picture("t2m")
                .withSize(500, 400)
                .withColours(ColourMap.MAGMA)
                .withRange(270, 314));
    assertThat(turned.getHeight()).isEqualTo(400);
    assertThat(cell(turned, 2, 0, 3, 4)).isEqualTo(ColourMap.MAGMA.colour(0));
    assertThat(cell(turned, 0, 3, 3, 4)).isEqualTo(ColourMap.MAGMA.colour(0.5));
    String file = System.getProperty("zarr.picture.of.variable");
    if (file != null) {
      Files.write(
          Path.of(file), requireNonNull(await(descending.picture("t2m").png())).toByteArray());
    }
  }

  @Test
  void a_line_goes_through_its_values_and_has_a_gap_where_one_is_missing() {
    Dataset dataset = weather(List.of(50.0, 49.0, 48.0)).isel("time", 0).isel("lat", 1);
    BufferedImage image = picture(dataset.picture("t2m"));
    int width = 900 - 254;
    assertThat(hasLine(image, 104 + width / 8)).isTrue();
    assertThat(hasLine(image, 104 + width / 2)).isTrue();
    assertThat(hasLine(image, 104 + 7 * width / 8)).as("the last value is missing").isFalse();
  }

  private static boolean hasLine(BufferedImage image, int x) {
    return IntStream.range(66, 526)
        .anyMatch(
            y ->
                IntStream.rangeClosed(x - 2, x + 2)
                    .anyMatch(near -> (image.getRGB(near, y) & 0xffffff) == 0x1f5fa8));
  }

  @Test
  void axes_have_round_labels_of_their_coordinates() {
    assertThat(PictureAxis.ofNumbers("lat", 50, 49, 48).ticks(4))
        .containsEntry(0.0, "50.0")
        .containsEntry(0.25, "49.5")
        .containsEntry(1.0, "48.0");
    assertThat(PictureAxis.ofNumbers("x", 0, 1000, 4000).ticks(4).values())
        .containsExactly("0", "1000", "2000", "3000", "4000");
    assertThat(PictureAxis.ofNumbers("x", 0, 1000, 4000).ticks(4))
        .as("of labels with other distances")
        .containsEntry(0.5, "1000");
    assertThat(PictureAxis.ofNumbers("", 2.5e-7, 7.5e-7).ticks(5)).containsValue("4.00e-07");
    Dataset dataset = weather(List.of(50.0, 49.0, 48.0));
    Variable time = dataset.variable("time");
    PictureAxis times = PictureAxis.of(time, requireNonNull(await(time.read())));
    assertThat(times.ticks(4)).containsEntry(0.0, "2020-01-01").containsEntry(1.0, "2020-01-02");
    Variable lat = dataset.variable("lat");
    assertThat(PictureAxis.of(lat, requireNonNull(await(lat.read()))).title())
        .isEqualTo("lat [degrees_north]");
    assertThat(PictureAxis.of(lat, NdArray.ofDoubles(Shape.of(3), 1, 3, 2)).ticks(4).values())
        .as("without an order")
        .containsExactly("1", "3", "2");
  }

  @Test
  void what_is_no_plane_of_numbers_is_refused() {
    Dataset dataset = weather(List.of(50.0, 49.0, 48.0));
    assertThatExceptionOfType(InvalidInputException.class)
        .isThrownBy(() -> await(dataset.picture("t2m").png()))
        .withMessageContaining("select an index of the other dimensions by isel");
    assertThatExceptionOfType(InvalidInputException.class)
        .isThrownBy(() -> await(dataset.picture("time").png()));
    assertThatIllegalArgumentException()
        .isThrownBy(() -> dataset.picture("t2m").withSize(100, 500))
        .withMessageContaining("from 400 to 8192 pixels");
    assertThatIllegalArgumentException().isThrownBy(() -> dataset.picture("t2m").withRange(2, 1));
  }
}
