package dev.zarrreactive.dataset.geo;

import static dev.zarrreactive.testing.Waiting.await;
import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.zarrreactive.dataset.Dataset;
import dev.zarrreactive.dataset.ome.OmeTestData;
import dev.zarrreactive.error.Location;
import dev.zarrreactive.json.JsonDocument;
import dev.zarrreactive.json.JsonObject;
import dev.zarrreactive.json.JsonValue;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.stream.Stream;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.DoubleRange;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Rasters that rioxarray wrote, and the attributes of the conventions of Zarr. */
class GeoReferenceTest {
  static Stream<String> rasters() {
    return OmeTestData.expected().members().keySet().stream()
        .filter(name -> name.startsWith("rioxarray"));
  }

  @ParameterizedTest
  @MethodSource("rasters")
  void a_raster_lies_where_rioxarray_says(String key) {
    JsonValue expected = OmeTestData.expected().get(key);
    String name = key.substring(0, key.length() - 1);
    Dataset dataset = requireNonNull(await(Dataset.open(OmeTestData.location(name))));
    GeoReference found =
        requireNonNull(
            await(
                GeoReference.of(dataset, OmeTestData.text(OmeTestData.at(expected, "variable")))));
    double epsg = requireNonNull((JsonObject) expected).number("epsg").orElseThrow();
    assertThat(found.epsg()).hasValue((int) epsg);
    assertThat(found.wkt()).isPresent();
    AffineTransform affine = found.transform().orElseThrow();
    List<Double> gdal = OmeTestData.numbers(OmeTestData.at(expected, "transform"));
    assertThat(
            List.of(
                affine.x(),
                affine.xPerColumn(),
                affine.xPerRow(),
                affine.y(),
                affine.yPerColumn(),
                affine.yPerRow()))
        .isEqualTo(gdal);
    List<Double> box = OmeTestData.numbers(OmeTestData.at(expected, "bounds"));
    assertThat(found.bounds().orElseThrow())
        .isEqualTo(new AffineTransform.Bounds(box.get(0), box.get(1), box.get(2), box.get(3)));
  }

  @Property(tries = 200)
  void pixels_and_coordinates_are_inverse(
      @ForAll @DoubleRange(min = -1e6, max = 1e6) double x,
      @ForAll @DoubleRange(min = 1, max = 100) double step,
      @ForAll @DoubleRange(min = -0.5, max = 0.5) double turn,
      @ForAll @DoubleRange(min = 0, max = 1e4) double column,
      @ForAll @DoubleRange(min = 0, max = 1e4) double row) {
    AffineTransform affine = new AffineTransform(x, step, turn, 2 * x, turn, -step);
    double atX = affine.x(column, row);
    double atY = affine.y(column, row);
    assertThat(affine.column(atX, atY)).isCloseTo(column, within(1e-3));
    assertThat(affine.row(atX, atY)).isCloseTo(row, within(1e-3));
  }

  private static JsonObject json(String text) {
    return (JsonObject)
        JsonDocument.parse(ByteBuffer.wrap(text.getBytes(StandardCharsets.UTF_8)), Location.UNKNOWN)
            .value();
  }

  @Test
  void the_conventions_of_zarr_tell_the_system_and_the_transform() {
    GeoAttributes found =
        GeoAttributes.of(
            json(
                """
                {"proj:code": "EPSG:3857", "spatial:transform": [10, 0, 100, 0, -10, 500],
                 "spatial:bbox": [100, 300, 200, 500], "spatial:dimensions": ["y", "x"]}
                """));
    assertThat(found.code()).hasValue("EPSG:3857");
    assertThat(found.transform()).hasValue(new AffineTransform(100, 10, 0, 500, 0, -10));
    assertThat(found.bounds()).hasValue(new AffineTransform.Bounds(100, 300, 200, 500));
    assertThat(found.dimensions()).containsExactly("y", "x");
    GeoAttributes nodes =
        GeoAttributes.of(
            json(
                """
                {"spatial:transform": [10, 0, 100, 0, -10, 500], "spatial:registration": "node"}
                """));
    assertThat(nodes.transform()).hasValue(new AffineTransform(95, 10, 0, 505, 0, -10));
  }

  @Test
  void well_known_text_names_its_outermost_code() {
    String wkt =
        "PROJCRS[\\\"a\\\",BASEGEOGCRS[\\\"b\\\",ID[\\\"EPSG\\\",4326]],ID[\\\"EPSG\\\",32633]]";
    assertThat(GeoAttributes.of(json("{\"crs_wkt\": \"" + wkt + "\"}")).code())
        .hasValue("EPSG:32633");
    assertThat(
            GeoAttributes.of(json("{\"_CRS\": {\"wkt\": \"GEOGCS[\\\"x\\\",GEO[ID[1]]]\"}}"))
                .code())
        .isEmpty();
    assertThat(GeoAttributes.of(json("{\"crs_wkt\": \"[]]]] ID[\"}")).code()).isEmpty();
  }

  @Test
  void levels_have_paths_and_transforms() {
    List<GeoLevel> levels =
        GeoLevel.of(
            json(
                """
                {"multiscales": {"layout": [
                  {"asset": "r10m", "spatial:transform": [10, 0, 100, 0, -10, 500]},
                  {"asset": "r20m", "derived_from": "r10m",
                   "transform": {"scale": [2.0, 2.0], "translation": [0.0, 0.0]}}]}}
                """));
    assertThat(levels).extracting(GeoLevel::path).containsExactly("r10m", "r20m");
    assertThat(levels.get(0).transform()).hasValue(new AffineTransform(100, 10, 0, 500, 0, -10));
    assertThat(levels.get(1).scale()).containsExactly(2.0, 2.0);
    assertThat(levels.get(1).derivedFrom()).isEqualTo("r10m");
  }

  @Test
  void attributes_of_another_form_are_left_out() {
    for (String text :
        List.of(
            "{}",
            "{\"proj:code\": 3, \"spatial:transform\": [1], \"spatial:bbox\": {}}",
            "{\"GeoTransform\": \"a b c d e f\", \"crs_wkt\": \"\"}",
            "{\"spatial:transform\": [1, 2, \"NaN\", 4, 5, 6], \"_CRS\": 3}")) {
      GeoAttributes found = GeoAttributes.of(json(text));
      assertThat(found.code()).isEmpty();
      assertThat(found.transform()).isEmpty();
      assertThat(found.bounds()).isEmpty();
    }
    assertThat(GeoLevel.of(json("{\"multiscales\": {\"layout\": 4}}"))).isEmpty();
  }
}
