package dev.zarrreactive.ome;

import static dev.zarrreactive.testing.Waiting.await;
import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.zarrreactive.Zarr;
import dev.zarrreactive.ZarrHierarchy;
import dev.zarrreactive.array.NdArray;
import dev.zarrreactive.array.Shape;
import dev.zarrreactive.datatype.DataType;
import dev.zarrreactive.datatype.DataTypes;
import dev.zarrreactive.error.Location;
import dev.zarrreactive.error.UnsupportedFeatureException;
import dev.zarrreactive.json.JsonDocument;
import dev.zarrreactive.json.JsonObject;
import dev.zarrreactive.metadata.ArrayMetadata;
import dev.zarrreactive.metadata.GroupMetadata;
import dev.zarrreactive.store.memory.MemoryStore;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Parts of an image in the colours of its channels. */
class OmeTilesTest {
  private static final String CHANNELS =
      """
      "omero": {"channels": [
        {"color": "FF0000", "window": {"start": 0, "end": 100, "min": 0, "max": 100}},
        {"color": "0000FF", "window": {"start": 0, "end": 200, "min": 0, "max": 200}},
        {"color": "00FF00", "active": false,
          "window": {"start": 0, "end": 100, "min": 0, "max": 100}}]},
      """;

  /** An image of 3 channels, 2 planes, 5 rows and 7 columns, whose elements count. */
  private static OmeImage image(String channels, DataType type) {
    String attributes =
        """
        {"ome": {"version": "0.5", CHANNELS "multiscales": [{"axes": [
          {"name": "c", "type": "channel"}, {"name": "z", "type": "space"},
          {"name": "y", "type": "space"}, {"name": "x", "type": "space"}],
          "datasets": [{"path": "0", "coordinateTransformations":
            [{"type": "scale", "scale": [1, 1, 0.5, 0.5]}]}]}]}}
        """
            .replace("CHANNELS", channels);
    JsonObject json =
        JsonDocument.parse(
                ByteBuffer.wrap(attributes.getBytes(StandardCharsets.UTF_8)), Location.UNKNOWN)
            .object();
    ZarrHierarchy hierarchy = Zarr.hierarchy(MemoryStore.create());
    await(hierarchy.createGroup("", GroupMetadata.of(json)));
    Shape shape = Shape.of(3, 2, 5, 7);
    NdArray values =
        NdArray.ofInts(DataTypes.INT32, shape, IntStream.range(0, 210).toArray()).cast(type);
    await(
        hierarchy
            .createArray("0", ArrayMetadata.v3(shape, type).chunkShape(1, 1, 2, 3).build())
            .flatMap(array -> array.write("...", values)));
    return requireNonNull(await(OmeImage.open(hierarchy, "")));
  }

  private static int[] pixel(OmePicture picture, int row, int column) {
    int at = 4 * (row * picture.width() + column);
    return Arrays.copyOfRange(picture.rgb().toIntArray(), at, at + 4);
  }

  private static int shown(double value, double end) {
    return (int) Math.round(Math.min(1, value / end) * 255);
  }

  @Test
  void a_tile_adds_the_active_channels_in_their_colours() {
    OmeImage image = image(CHANNELS, DataTypes.UINT16);
    OmeRegion region = OmeRegion.all().indices("y", 2, 4).indices("x", 3, 6).index("z", 0);
    OmePicture tile = requireNonNull(await(image.picture(image.levels().get(0), region, 2, 3)));
    for (int row = 0; row < 2; row++) {
      for (int column = 0; column < 3; column++) {
        int first = (2 + row) * 7 + 3 + column;
        assertThat(pixel(tile, row, column))
            .containsExactly(shown(first, 100), 0, shown(70 + first, 200), 255);
      }
    }
  }

  @Test
  void a_tile_at_the_edge_is_whole_and_one_outside_is_none() {
    OmeImage image = image(CHANNELS, DataTypes.UINT16);
    OmeLevel level = image.levels().get(0);
    OmeRegion edge = OmeRegion.all().indices("y", 4, 8).indices("x", 4, 8);
    OmePicture tile = requireNonNull(await(image.picture(level, edge, 4, 4)));
    assertThat(tile.rgb().shape()).isEqualTo(Shape.of(4, 4, 4));
    for (int row = 0; row < 4; row++) {
      for (int column = 0; column < 4; column++) {
        assertThat(pixel(tile, row, column)[3]).isEqualTo(row < 1 && column < 3 ? 255 : 0);
      }
    }
    assertThatThrownBy(() -> image.picture(level, OmeRegion.all().indices("y", 5, 8), 8, 8))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("outside of the image");
  }

  @Test
  void a_channel_that_is_named_is_drawn_though_it_is_not_active() {
    OmeImage image = image(CHANNELS, DataTypes.UINT16);
    OmePicture tile =
        requireNonNull(
            await(
                image.picture(
                    image.levels().get(0), OmeRegion.all().index("c", 2).index("z", 0), 5, 7)));
    assertThat(pixel(tile, 0, 0)).containsExactly(0, 255, 0, 255);
    OmePicture first =
        requireNonNull(
            await(
                image.picture(
                    image.levels().get(0),
                    OmeRegion.all().indices("c", 0, 1).index("z", 1),
                    5,
                    7)));
    assertThat(pixel(first, 0, 0)).containsExactly(shown(35, 100), 0, 0, 255);
  }

  @Test
  void a_channel_without_a_window_has_the_one_that_is_given_or_is_refused() {
    OmeImage image = image("", DataTypes.UINT16);
    OmeLevel level = image.levels().get(0);
    OmeRegion region = OmeRegion.all().index("c", 0).index("z", 0);
    assertThatThrownBy(() -> image.picture(level, region, 5, 7))
        .isInstanceOf(UnsupportedFeatureException.class)
        .hasMessageContaining("the channel 0 has no window (omero.channels[0].window)");
    OmePicture tile =
        requireNonNull(
            await(image.picture(level, region, 5, 7, new OmeChannel.Window(0, 34, 0, 34))));
    assertThat(pixel(tile, 4, 6)[0]).isEqualTo(255);
    OmeImage small = image("", DataTypes.UINT8);
    assertThat(
            pixel(requireNonNull(await(small.picture(small.levels().get(0), region, 5, 7))), 4, 6))
        .contains(34, 255);
  }

  @Test
  void a_region_of_indices_is_as_long_as_they_are() {
    OmeImage image = image(CHANNELS, DataTypes.UINT16);
    OmeTile tile =
        requireNonNull(
            await(
                image
                    .levels()
                    .get(0)
                    .tile(OmeRegion.all().indices("y", 1, 3).indices("x", 2, 20))));
    assertThat(tile.values().shape()).isEqualTo(Shape.of(3, 2, 2, 5));
    assertThat(tile.transform().translation()).containsExactly(0.0, 0.0, 0.5, 1.0);
    assertThatThrownBy(() -> OmeRegion.all().indices("y", 3, 3))
        .hasMessageContaining("indices of the axis y rise from 0 or more: 3 to 3");
    assertThatThrownBy(() -> OmeRegion.all().indices("y", -1, 3))
        .isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void what_is_no_part_of_the_image_is_refused() {
    OmeImage image = image(CHANNELS, DataTypes.UINT16);
    OmeLevel level = image.levels().get(0);
    assertThatThrownBy(() -> image.picture(level, OmeRegion.all(), 4, 7))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("5 x 7 elements, more than the picture, which has 4 x 7");
    assertThatThrownBy(() -> image.picture(level, OmeRegion.all().indices("z", 0, 2), 5, 7))
        .hasMessageContaining("a picture has one index of the axis z, not index 0.0 to 2.0");
    assertThatThrownBy(
            () ->
                image.picture(
                    image(CHANNELS, DataTypes.UINT8).levels().get(0), OmeRegion.all(), 5, 7))
        .hasMessageContaining("the level 0 is none of the image");
    assertThatThrownBy(() -> image.picture(level, OmeRegion.all(), 5_000, 7))
        .hasMessageContaining("the sides of a picture");
  }
}
