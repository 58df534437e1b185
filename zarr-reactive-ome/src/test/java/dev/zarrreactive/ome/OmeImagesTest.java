package dev.zarrreactive.ome;

import static dev.zarrreactive.ome.OmeTestData.at;
import static dev.zarrreactive.ome.OmeTestData.list;
import static dev.zarrreactive.ome.OmeTestData.location;
import static dev.zarrreactive.ome.OmeTestData.numbers;
import static dev.zarrreactive.ome.OmeTestData.text;
import static dev.zarrreactive.testing.Waiting.await;
import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.zarrreactive.Zarr;
import dev.zarrreactive.ZarrGroup;
import dev.zarrreactive.array.NdArray;
import dev.zarrreactive.array.Shape;
import dev.zarrreactive.error.MetadataException;
import dev.zarrreactive.json.JsonNumber;
import dev.zarrreactive.json.JsonValue;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.util.List;
import java.util.NoSuchElementException;
import java.util.Optional;
import java.util.stream.Stream;
import java.util.zip.CRC32;
import javax.imageio.ImageIO;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Images that ome-zarr-py and ngff-zarr wrote. */
class OmeImagesTest {
  static Stream<String> images() {
    return OmeTestData.expected().members().keySet().stream()
        .filter(name -> !name.startsWith("rioxarray"));
  }

  private static ZarrGroup group(String name, String path) {
    ZarrGroup root = requireNonNull(await(Zarr.at(location(name)).openGroup()));
    return path.isEmpty() ? root : requireNonNull(await(root.openGroup(path)));
  }

  private static OmeImage image(String name, String path) {
    return requireNonNull(await(OmeImage.of(group(name, path))));
  }

  @ParameterizedTest
  @MethodSource("images")
  void an_image_has_the_axes_levels_transforms_and_elements_that_others_read(String key) {
    int slash = key.indexOf('/');
    OmeImage image = image(key.substring(0, slash), key.substring(slash + 1));
    JsonValue expected = OmeTestData.expected().get(key);
    assertThat(image.metadata().problems()).isEmpty();
    assertThat(image.axes())
        .isEqualTo(
            list(at(expected, "axes")).stream()
                .map(
                    axis ->
                        new OmeAxis(
                            text(at(axis, "name")), text(at(axis, "type")), text(at(axis, "unit"))))
                .toList());
    List<JsonValue> levels = list(at(expected, "levels"));
    assertThat(image.levels()).hasSameSizeAs(levels);
    for (int i = 0; i < levels.size(); i++) {
      OmeLevel level = image.levels().get(i);
      assertThat(level.path()).isEqualTo(text(at(levels.get(i), "path")));
      assertThat(level.transform().scale()).isEqualTo(numbers(at(levels.get(i), "scale")));
      assertThat(level.transform().translation())
          .isEqualTo(numbers(at(levels.get(i), "translation")));
      NdArray values = requireNonNull(await(level.array().read()));
      assertThat(values.shape().toArray())
          .isEqualTo(
              numbers(at(levels.get(i), "shape")).stream().mapToLong(Double::longValue).toArray());
      CRC32 crc = new CRC32();
      crc.update(values.bytes().asByteBuffer());
      JsonNumber sum = (JsonNumber) requireNonNull(at(levels.get(i), "crc32"));
      assertThat(crc.getValue()).isEqualTo(sum.toBigInteger().longValueExact());
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"0.4", "0.5"})
  void channels_have_colours_and_windows(String version) {
    OmeImage image = image("ome-zarr-" + version + "-image", "");
    assertThat(image.metadata().version()).isEqualTo(version);
    Optional<OmeChannel.Window> window = Optional.of(new OmeChannel.Window(0, 40000, 0, 65535));
    assertThat(image.channels())
        .containsExactly(
            new OmeChannel("DNA", 0x0000FF, window, true, false),
            new OmeChannel("actin", 0x00FF00, window, true, false),
            new OmeChannel("tubulin", 0xFF0000, window, false, false));
    assertThat(image.metadata().defaultPlane()).hasValue(1);
  }

  @Test
  void a_level_is_chosen_by_its_resolution_and_by_its_size() {
    OmeImage image = image("ome-zarr-0.5-image", "");
    assertThat(image.levelForResolution("x", 0.25).path()).isEqualTo("s0");
    assertThat(image.levelForResolution("x", 0.9).path()).isEqualTo("s1");
    assertThat(image.levelForResolution("y", 100).path()).isEqualTo("s2");
    assertThat(image.levelForResolution("y", 0.001).path()).isEqualTo("s0");
    assertThat(image.levelForSize(1000).path()).isEqualTo("s0");
    assertThat(image.levelForSize(33).path()).isEqualTo("s0");
    assertThat(image.levelForSize(32).path()).isEqualTo("s1");
    assertThat(image.levelForSize(1).path()).isEqualTo("s2");
    assertThatThrownBy(() -> image.levelForResolution("w", 1))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("[t, c, z, y, x]");
    assertThatThrownBy(() -> image.level("9"))
        .isInstanceOf(NoSuchElementException.class)
        .hasMessageContaining("s0, s1, s2");
  }

  @Test
  void a_tile_is_read_in_physical_coordinates() {
    OmeImage image = image("ngff-zarr-0.5-volume", "");
    OmeLevel level = image.levels().get(0);
    OmeTile tile =
        requireNonNull(
            await(
                level.tile(OmeRegion.all().at("z", 107).range("y", -10.1, -5).range("x", 0, 9.8))));
    assertThat(tile.axes()).extracting(OmeAxis::name).containsExactly("y", "x");
    // pixels reach 0.25 to both sides: y -10.0 is index 20, x 7.5 is index 0
    assertThat(tile.transform().translation()).containsExactly(-10.0, 7.5);
    assertThat(tile.transform().scale()).containsExactly(0.5, 0.5);
    assertThat(tile.values().shape()).isEqualTo(Shape.of(11, 6));
    NdArray same = requireNonNull(await(level.array().read("3,20:31,0:6")));
    assertThat(tile.values()).isEqualTo(same);
  }

  @Test
  void a_tile_comes_from_the_level_that_suffices() {
    OmeImage image = image("ome-zarr-0.4-image", "");
    OmeRegion region =
        OmeRegion.all().index("t", 0).index("c", 1).index("z", 0).range("y", 8, 23.9);
    OmeTile tile = requireNonNull(await(image.tile(region, 16)));
    assertThat(tile.level()).isEqualTo("s1");
    assertThat(tile.transform().translation().get(0)).isEqualTo(8.25);
    assertThat(requireNonNull(await(image.tile(region, 200))).level()).isEqualTo("s0");
    assertThatThrownBy(() -> image.tile(OmeRegion.all().range("x", 100, 200), 16))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("outside of the image");
    assertThatThrownBy(() -> image.tile(OmeRegion.all().at("q", 1), 16))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("none named q");
    assertThatThrownBy(() -> OmeRegion.all().range("x", 2, 1))
        .isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void a_picture_adds_the_active_channels_in_their_windows() throws IOException {
    OmeImage image = image("ome-zarr-0.5-image", "");
    OmePicture picture = requireNonNull(await(image.picture(64, 64)));
    assertThat(picture.height()).isEqualTo(64);
    assertThat(picture.width()).isEqualTo(48);
    NdArray planes = requireNonNull(await(image.level("s0").array().read("0,:,1")));
    for (int y = 0; y < 64; y += 9) {
      for (int x = 0; x < 48; x += 7) {
        assertThat(picture.rgb().getInt(y, x, 0)).as("tubulin is not active").isZero();
        for (int c = 0; c < 2; c++) {
          double shown = Math.min(1, planes.getInt(c, y, x) / 40000.0);
          assertThat(picture.rgb().getInt(y, x, c == 0 ? 2 : 1))
              .isEqualTo((int) Math.round(255 * shown));
        }
      }
    }
    var read = ImageIO.read(new ByteArrayInputStream(picture.png().toByteArray()));
    assertThat(read.getWidth()).isEqualTo(48);
    assertThat(read.getRGB(20, 30) & 0xFF).isEqualTo(picture.rgb().getInt(30, 20, 2));
  }

  @Test
  void a_thumbnail_is_no_larger_than_asked() {
    OmeImage image = image("ome-zarr-0.5-image", "");
    for (int size : new int[] {1, 7, 16, 33, 4096}) {
      OmePicture picture = requireNonNull(await(image.thumbnail(size)));
      assertThat(Math.max(picture.height(), picture.width())).isEqualTo(Math.min(64, size));
    }
    for (String name : List.of("ngff-zarr-0.4-volume", "ngff-zarr-0.5-plane")) {
      assertThat(await(image(name, "").thumbnail(20))).isNotNull();
    }
    assertThatThrownBy(() -> image.thumbnail(0)).isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> image.thumbnail(5000)).isInstanceOf(IllegalArgumentException.class);
  }

  @ParameterizedTest
  @ValueSource(strings = {"0.4", "0.5"})
  void labels_have_colours_and_properties(String version) {
    OmeImage image = image("ome-zarr-" + version + "-image", "");
    assertThat(await(image.labels())).containsExactly("cells");
    OmeImage cells = requireNonNull(await(image.label("cells")));
    OmeLabels labels = cells.metadata().labels().orElseThrow();
    assertThat(labels.colours()).containsEntry(1L, 0xFFFF0000).containsEntry(2L, 0x8000FF00);
    assertThat(labels.properties().get(1L).string("class")).hasValue("nucleus");
    assertThat(labels.source()).isEqualTo("../../");
    OmePicture picture = requireNonNull(await(cells.thumbnail(64)));
    NdArray plane = requireNonNull(await(cells.level("s0").array().read("1")));
    for (int y = 0; y < 64; y += 5) {
      for (int x = 0; x < 48; x += 5) {
        int label = plane.getInt(y, x);
        int[] colour = {label == 1 ? 255 : 0, label == 2 ? 128 : 0};
        if (label < 3) {
          assertThat(picture.rgb().getInt(y, x, 0)).isEqualTo(colour[0]);
          assertThat(picture.rgb().getInt(y, x, 1)).isEqualTo(colour[1]);
        } else {
          assertThat(picture.rgb().getInt(y, x, 0)).isNotZero();
        }
      }
    }
    assertThat(await(image("ngff-zarr-0.4-plane", "").labels())).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(strings = {"0.4", "0.5"})
  void a_plate_has_wells_with_images(String version) {
    OmePlate plate =
        requireNonNull(await(OmePlate.open(Zarr.at(location("ome-zarr-" + version + "-plate")))));
    assertThat(plate.metadata().problems()).isEmpty();
    assertThat(plate.layout().rows()).containsExactly("A", "B");
    assertThat(plate.layout().columns()).containsExactly("1", "2", "3");
    assertThat(plate.wells()).hasSize(5);
    assertThat(plate.well(1, 1)).isEmpty();
    assertThat(plate.well(1, 2)).hasValue(new OmePlateLayout.Well("B/3", 1, 2));
    assertThat(plate.layout().acquisitions())
        .containsExactly(new OmePlateLayout.Acquisition(1, "first"));
    OmeWell well = requireNonNull(await(plate.openWell("B/3")));
    assertThat(well.fields()).extracting(OmeMetadata.Field::path).containsExactly("0", "1");
    assertThat(requireNonNull(await(well.image(1))).levels()).hasSize(2);
    assertThatThrownBy(() -> plate.openWell("B/2")).isInstanceOf(NoSuchElementException.class);
    assertThatThrownBy(() -> well.image(2)).isInstanceOf(IndexOutOfBoundsException.class);
    assertThatThrownBy(() -> await(OmeImage.of(plate.group())))
        .isInstanceOf(MetadataException.class)
        .hasMessageContaining("OmePlate");
  }

  @Test
  void the_thumbnail_of_a_plate_has_the_first_image_of_each_well_at_its_place() {
    OmePlate plate = requireNonNull(await(OmePlate.open(Zarr.at(location("ome-zarr-0.5-plate")))));
    OmePicture picture = requireNonNull(await(plate.thumbnail(98)));
    assertThat(picture.rgb().shape()).isEqualTo(Shape.of(65, 98, 3));
    for (OmePlateLayout.Well place : plate.wells()) {
      OmeWell well = requireNonNull(await(plate.openWell(place.path())));
      NdArray of = requireNonNull(await(requireNonNull(await(well.image(0))).thumbnail(32))).rgb();
      for (int i = 0; i < 32; i += 3) {
        assertThat(picture.rgb().getInt(place.row() * 33 + i, place.column() * 33 + i, 1))
            .isEqualTo(of.getInt(i, i, 1));
      }
    }
    assertThat(picture.rgb().getInt(40, 40, 0)).as("B/2 has no images").isEqualTo(40);
    assertThatThrownBy(() -> plate.thumbnail(4)).isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void a_series_has_the_order_of_its_attributes_or_of_numbers() {
    OmeSeries numbered =
        requireNonNull(await(OmeSeries.open(Zarr.at(location("bioformats2raw-0.4")))));
    assertThat(numbered.paths()).containsExactly("0", "1");
    OmeSeries named =
        requireNonNull(await(OmeSeries.open(Zarr.at(location("bioformats2raw-0.5")))));
    assertThat(named.paths()).containsExactly("second", "0");
    assertThat(requireNonNull(await(named.image(0))).group().path().name()).isEqualTo("second");
    assertThatThrownBy(() -> await(OmeSeries.open(Zarr.at(location("ngff-zarr-0.5-plane")))))
        .isInstanceOf(MetadataException.class)
        .hasMessageContaining("bioformats2raw.layout");
    assertThatThrownBy(() -> await(OmeImage.open(Zarr.at(location("bioformats2raw-0.5")))))
        .isInstanceOf(MetadataException.class)
        .hasMessageContaining("OmeSeries");
  }
}
