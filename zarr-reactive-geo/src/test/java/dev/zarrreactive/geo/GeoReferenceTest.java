package dev.zarrreactive.geo;

import static dev.zarrreactive.testing.Waiting.await;
import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.zarrreactive.Zarr;
import dev.zarrreactive.dataset.Dataset;
import dev.zarrreactive.error.Location;
import dev.zarrreactive.json.JsonDocument;
import dev.zarrreactive.json.JsonObject;
import dev.zarrreactive.json.JsonValue;
import dev.zarrreactive.ome.OmeTestData;
import dev.zarrreactive.testing.ReportedData;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.DoubleRange;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

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
    Dataset dataset = requireNonNull(await(Dataset.open(Zarr.at(OmeTestData.location(name)))));
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

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "{'_CRS': {'url': 'http://www.opengis.net/def/crs/EPSG/0/32633'}} | EPSG:32633",
        "{'_CRS': {'url': 'https://www.opengis.net/def/crs/EPSG/9.9.1/32633/'}} | EPSG:32633",
        "{'_CRS': {'wkt': 'X[ID[~EPSG~,2]]', 'url': 'urn:ogc:def:crs:EPSG::1111'}} | EPSG:1111",
        "{'_CRS': {'wkt': 'X[ID[~EPSG~,3857]]', 'projjson': {'type': 'ProjectedCRS', 'id':"
            + " {'authority': 'EPSG', 'code': 4326}}}} | EPSG:3857",
        "{'_CRS': {'projjson': {'type': 'ProjectedCRS', 'id': {'authority': 'EPSG', 'code':"
            + " 32633}}}} | EPSG:32633",
        "{'_CRS': {'url': 'http://example.com/', 'wkt': 'X[ID[~EPSG~,3857]]'}} | EPSG:3857",
        "{'crs': 4326} | EPSG:4326",
        "{'CRS': 'epsg:4326'} | EPSG:4326",
        "{'Crs': '32633'} | EPSG:32633",
        "{'crs': '+init=epsg:32633'} | EPSG:32633",
        "{'crs': 'urn:ogc:def:crs:EPSG::4326'} | EPSG:4326",
        "{'crs': 'urn:ogc:def:crs:EPSG:9.6.1:4326'} | EPSG:4326",
        "{'crs': 'urn:x-ogc:def:crs:EPSG:4326:4326'} | EPSG:4326",
        "{'crs': 'urn:ogc:def:crs:OGC:1.3:CRS84'} | OGC:CRS84",
        "{'crs': 'http://www.opengis.net/def/crs/OGC/1.3/CRS84'} | OGC:CRS84",
        "{'crs': 'http://www.opengis.net/gml/srs/epsg.xml#4326'} | EPSG:4326",
        "{'crs': 'https://spatialreference.org/ref/epsg/4326/'} | EPSG:4326",
        "{'crs': 'GEOGCS[~WGS 84~,AUTHORITY[~EPSG~,~4326~]]'} | EPSG:4326",
        "{'crs': {'type': 'name', 'properties': {'name': 'urn:ogc:def:crs:EPSG::3857'}}} |"
            + " EPSG:3857",
        "{'crs': {'type': 'GeographicCRS', 'id': {'authority': 'OGC', 'code': 'CRS84'}}} |"
            + " OGC:CRS84",
        "{'proj:epsg': 32633} | EPSG:32633",
        "{'proj:epsg': null, 'proj:code': 'EPSG:3857'} | EPSG:3857",
        "{'proj:code': 'IAU_2015:30100'} | IAU_2015:30100",
        "{'proj:projjson': {'type': 'GeographicCRS', 'id': {'authority': 'EPSG', 'code': 4326}}} |"
            + " EPSG:4326",
        "{'geo': {'proj': {'code': 'EPSG:32633'}}} | EPSG:32633",
        "{'epsg_code': 4326} | EPSG:4326",
        "{'EPSG_code': 'EPSG:4326'} | EPSG:4326",
        "{'proj:code': 32633} | EPSG:32633",
        "{'spatial_ref': 'EPSG:4326'} | EPSG:4326",
        "{'epsg': 4326} | EPSG:4326"
      })
  void a_system_has_its_code_in_each_form_that_is_in_use(String attributes, String code) {
    assertThat(GeoAttributes.of(json(attributes.replace('\'', '"').replace("~", "\\\""))).code())
        .hasValue(code);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{'crs': 'WGS 84'}",
        "{'crs': 12}",
        "{'crs': 4326.5}",
        "{'crs': 'NaN'}",
        "{'crs': '+proj=utm +zone=33'}",
        "{'crs': null, '_CRS': {'url': 4}}",
        "{'_CRS': {'url': 'http://www.opengis.net/def/crs-compound?1=http://a/def/crs/EPSG/0/1'}}",
        "{'crs': {'type': 'GeographicCRS', 'id': {'authority': 'EPSG'}}}"
      })
  void another_form_names_no_system(String attributes) {
    assertThat(GeoAttributes.of(json(attributes.replace('\'', '"'))).code()).isEmpty();
  }

  @Test
  void the_url_of_gdal_names_the_system() {
    Path store = ReportedData.unpacked("013-gdal-crs-url").resolve("crs-url.zarr");
    Dataset dataset = requireNonNull(await(Dataset.open(Zarr.at(store.toString()))));
    GeoReference found = requireNonNull(await(GeoReference.of(dataset, "v")));
    assertThat(found.code()).hasValue("EPSG:32633");
    assertThat(found.epsg()).hasValue(32633);
    assertThat(found.transform()).hasValue(new AffineTransform(500_000, 10, 0, 5_000_000, 0, -10));
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
