package dev.zarrreactive.geo;

import static dev.zarrreactive.testing.Waiting.await;
import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import dev.zarrreactive.Zarr;
import dev.zarrreactive.ZarrHierarchy;
import dev.zarrreactive.array.NdArray;
import dev.zarrreactive.array.Shape;
import dev.zarrreactive.array.selection.Selection;
import dev.zarrreactive.dataset.Dataset;
import dev.zarrreactive.datatype.DataTypes;
import dev.zarrreactive.encodings.ColourMap;
import dev.zarrreactive.encodings.ColourScale;
import dev.zarrreactive.error.UnsupportedFeatureException;
import dev.zarrreactive.geo.MapTiles.Warp;
import dev.zarrreactive.json.JsonArray;
import dev.zarrreactive.json.JsonNumber;
import dev.zarrreactive.json.JsonObject;
import dev.zarrreactive.json.JsonValue;
import dev.zarrreactive.metadata.ArrayMetadata;
import dev.zarrreactive.metadata.GroupMetadata;
import dev.zarrreactive.store.memory.MemoryStore;
import java.util.Arrays;
import java.util.function.DoubleBinaryOperator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Tiles of rasters, whose values follow from their places. */
class MapTilesTest {
  private static final double EDGE = Math.PI * 6_378_137;
  private static final DoubleBinaryOperator PLACE = (x, y) -> x + 1_000 * y;

  /** A raster whose elements are what a function says of the centres of its pixels. */
  private static Dataset raster(
      String code, AffineTransform transform, int height, int width, DoubleBinaryOperator values) {
    double[] elements = new double[height * width];
    for (int row = 0; row < height; row++) {
      for (int column = 0; column < width; column++) {
        elements[row * width + column] =
            values.applyAsDouble(
                transform.x(column + 0.5, row + 0.5), transform.y(column + 0.5, row + 0.5));
      }
    }
    ZarrHierarchy hierarchy = Zarr.hierarchy(MemoryStore.create());
    NdArray data = NdArray.ofDoubles(Shape.of(height, width), elements);
    await(hierarchy.createGroup("", GroupMetadata.of(attributes(code, transform))));
    await(
        hierarchy
            .createArray(
                "t",
                ArrayMetadata.v3(data.shape(), DataTypes.FLOAT64)
                    .chunkShape(50, 60)
                    .dimensionNames("y", "x")
                    .build())
            .flatMap(array -> array.write("...", data)));
    return requireNonNull(await(Dataset.open(hierarchy, "")));
  }

  private static JsonObject attributes(String code, AffineTransform t) {
    double[] numbers = {t.xPerColumn(), t.xPerRow(), t.x(), t.yPerColumn(), t.yPerRow(), t.y()};
    JsonArray list =
        new JsonArray(
            Arrays.stream(numbers)
                .<JsonValue>mapToObj(each -> new JsonNumber(Double.toString(each)))
                .toList());
    return JsonObject.EMPTY.with("proj:code", code).with("spatial:transform", list);
  }

  private static Dataset globe(double west) {
    return raster("EPSG:4326", new AffineTransform(west, 1, 0, 90, 0, -1), 180, 360, PLACE);
  }

  private static MapTiles tiles(Dataset dataset) {
    return requireNonNull(await(MapTiles.of(dataset, "t")));
  }

  private static double longitude(int zoom, long column, int pixel) {
    return ((column + (pixel + 0.5) / 256) / (1 << zoom) - 0.5) * 360;
  }

  private static double latitude(int zoom, long row, int pixel) {
    double down = (row + (pixel + 0.5) / 256) / (1 << zoom);
    return Math.toDegrees(2 * Math.atan(Math.exp(Math.PI * (1 - 2 * down))) - Math.PI / 2);
  }

  @ParameterizedTest
  @CsvSource({"0, 0, 0", "2, 1, 1", "3, 7, 2", "5, 17, 11", "9, 270, 170"})
  void a_pixel_has_the_nearest_element(int zoom, long column, long row) {
    double[] values =
        requireNonNull(await(tiles(globe(-180)).values(zoom, column, row, Warp.NEAREST)))
            .toDoubleArray();
    for (int i = 0; i < 256; i += 5) {
      for (int j = 0; j < 256; j += 7) {
        double x = Math.floor(longitude(zoom, column, j)) + 0.5;
        double y = Math.floor(latitude(zoom, row, i)) + 0.5;
        assertThat(values[i * 256 + j]).isEqualTo(PLACE.applyAsDouble(x, y));
      }
    }
  }

  @ParameterizedTest
  @CsvSource({"2, 1, 1", "5, 17, 11", "9, 270, 170"})
  void a_pixel_between_elements_has_their_mean(int zoom, long column, long row) {
    double[] values =
        requireNonNull(await(tiles(globe(-180)).values(zoom, column, row, Warp.BILINEAR)))
            .toDoubleArray();
    for (int i = 0; i < 256; i += 5) {
      for (int j = 0; j < 256; j += 7) {
        double x = longitude(zoom, column, j);
        double y = latitude(zoom, row, i);
        if (Math.abs(x) < 179.5) {
          assertThat(values[i * 256 + j]).isCloseTo(PLACE.applyAsDouble(x, y), within(1e-6));
        }
      }
    }
  }

  @Test
  void longitudes_may_be_from_0_to_360() {
    double[] values =
        requireNonNull(await(tiles(globe(0)).values(1, 0, 0, Warp.NEAREST))).toDoubleArray();
    assertThat(values[100 * 256 + 10])
        .isEqualTo(
            PLACE.applyAsDouble(
                Math.floor(longitude(1, 0, 10)) + 360.5, Math.floor(latitude(1, 0, 100)) + 0.5));
  }

  @ParameterizedTest
  @EnumSource(Warp.class)
  void a_raster_of_the_map_itself_comes_back_exactly(Warp warp) {
    double pixel = 2 * EDGE / 4 / 256;
    Dataset dataset =
        raster(
            "EPSG:3857",
            new AffineTransform(-EDGE / 2, pixel, 0, EDGE / 2, 0, -pixel),
            256,
            256,
            (x, y) -> Math.rint(x / pixel - 0.5) + 1_000 * Math.rint(y / pixel - 0.5));
    NdArray tile = requireNonNull(await(tiles(dataset).values(2, 1, 1, warp)));
    NdArray stored = requireNonNull(await(dataset.variable("t").read()));
    double[] values = tile.toDoubleArray();
    double[] expected = stored.toDoubleArray();
    for (int i = 0; i < values.length; i++) {
      assertThat(values[i]).isCloseTo(expected[i], within(1e-3));
    }
  }

  @Test
  void outside_of_the_raster_pixels_are_transparent_and_tiles_are_none() {
    Dataset dataset =
        raster("EPSG:4326", new AffineTransform(10, 0.5, 0, 50, 0, -0.5), 20, 40, PLACE);
    MapTiles tiles = tiles(dataset);
    for (long[] none : new long[][] {{3, 0, 0}, {3, 8, 3}, {-1, 0, 0}, {31, 0, 0}, {0, 0, 1}}) {
      int zoom = (int) none[0];
      assertThat(await(tiles.values(zoom, none[1], none[2], Warp.NEAREST))).isNull();
      assertThat(tiles.selection(zoom, none[1], none[2], Warp.BILINEAR)).isEmpty();
    }
    int[] rgba =
        requireNonNull(
                await(
                    tiles.picture(
                        3, 4, 2, Warp.NEAREST, ColourScale.of(ColourMap.GREY, 0, 100_000))))
            .toIntArray();
    for (int i = 0; i < 256; i++) {
      for (int j = 0; j < 256; j++) {
        double x = longitude(3, 4, j);
        double y = latitude(3, 2, i);
        boolean isIn = x >= 10 && x < 30 && y <= 50 && y > 40;
        assertThat(rgba[4 * (i * 256 + j) + 3]).isEqualTo(isIn ? 255 : 0);
      }
    }
  }

  @Test
  void a_missing_element_takes_no_part_in_a_mean() {
    Dataset dataset =
        raster(
            "OGC:CRS84",
            new AffineTransform(-180, 1, 0, 90, 0, -1),
            180,
            360,
            (x, y) -> x < 0 ? Double.NaN : 7);
    double[] values =
        requireNonNull(await(tiles(dataset).values(8, 127, 128, Warp.BILINEAR))).toDoubleArray();
    assertThat(values[0]).isNaN();
    assertThat(values[255]).isEqualTo(7); // half an element before the first one that is there
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 3, 12})
  void a_tile_of_a_large_raster_reads_few_elements(int zoom) {
    ZarrHierarchy hierarchy = Zarr.hierarchy(MemoryStore.create());
    AffineTransform fine = new AffineTransform(-180, 0.001, 0, 90, 0, -0.001);
    await(hierarchy.createGroup("", GroupMetadata.of(attributes("EPSG:4326", fine))));
    await(
        hierarchy.createArray(
            "t",
            ArrayMetadata.v3(Shape.of(180_000, 360_000), DataTypes.INT16)
                .chunkShape(1_000, 1_000)
                .dimensionNames("y", "x")
                .build()));
    MapTiles tiles = tiles(requireNonNull(await(Dataset.open(hierarchy, ""))));
    Selection selection = tiles.selection(zoom, 1 << zoom >> 1, 1 << zoom >> 1, Warp.NEAREST).get();
    Shape read = selection.resolve(tiles.variable().shape()).shape();
    assertThat(read.extent(0)).isBetween(1L, 1_024L);
    assertThat(read.extent(1)).isBetween(1L, 1_024L);
  }

  @Test
  void coordinates_in_degrees_are_taken_for_longitudes_and_latitudes() {
    ZarrHierarchy hierarchy = Zarr.hierarchy(MemoryStore.create());
    await(hierarchy.createGroup(""));
    await(
        hierarchy.createArray(
            "t",
            ArrayMetadata.v3(Shape.of(3, 4), DataTypes.INT16)
                .dimensionNames("lat", "lon")
                .build()));
    coordinate(hierarchy, "lat", "degrees_north", 60, 0, -60);
    coordinate(hierarchy, "lon", "degrees_east", -135, -45, 45, 135);
    MapTiles tiles = tiles(requireNonNull(await(Dataset.open(hierarchy, ""))));
    double[] values = requireNonNull(await(tiles.values(0, 0, 0, Warp.NEAREST))).toDoubleArray();
    assertThat(values).containsOnly(0);
  }

  private static void coordinate(
      ZarrHierarchy hierarchy, String name, String units, double... labels) {
    await(
        hierarchy
            .createArray(
                name,
                ArrayMetadata.v3(Shape.of(labels.length), DataTypes.FLOAT64)
                    .dimensionNames(name)
                    .attributes(JsonObject.EMPTY.with("units", units))
                    .build())
            .flatMap(
                array -> array.write("...", NdArray.ofDoubles(Shape.of(labels.length), labels))));
  }

  @Test
  void another_reference_system_is_refused_with_what_would_help() {
    Dataset dataset =
        raster("EPSG:32633", new AffineTransform(0, 1, 0, 0, 0, -1), 2, 2, (x, y) -> 0);
    assertThatThrownBy(() -> await(MapTiles.of(dataset, "t")))
        .isInstanceOf(UnsupportedFeatureException.class)
        .hasMessageContaining("the raster t is in EPSG:32633, and tiles are made of EPSG:4326")
        .hasMessageContaining("as gdalwarp does");
    ZarrHierarchy hierarchy = Zarr.hierarchy(MemoryStore.create());
    await(
        hierarchy.createGroup(
            "", GroupMetadata.of(JsonObject.EMPTY.with("proj:code", "EPSG:4326"))));
    await(hierarchy.createArray("t", ArrayMetadata.v3(Shape.of(3, 4), DataTypes.INT16).build()));
    await(hierarchy.createArray("u", ArrayMetadata.v3(Shape.of(3, 4, 5), DataTypes.INT16).build()));
    Dataset without = requireNonNull(await(Dataset.open(hierarchy, "")));
    assertThatThrownBy(() -> await(MapTiles.of(without, "t")))
        .hasMessageContaining("has no place: neither attributes nor evenly spaced");
    assertThatThrownBy(() -> MapTiles.of(without, "u"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("a tile shows two dimensions");
  }
}
