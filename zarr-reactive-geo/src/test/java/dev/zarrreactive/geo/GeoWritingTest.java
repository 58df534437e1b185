package dev.zarrreactive.geo;

import static dev.zarrreactive.testing.Waiting.await;
import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.zarrreactive.Zarr;
import dev.zarrreactive.ZarrHierarchy;
import dev.zarrreactive.array.Shape;
import dev.zarrreactive.convention.ZarrConventions;
import dev.zarrreactive.dataset.Dataset;
import dev.zarrreactive.datatype.DataTypes;
import dev.zarrreactive.json.JsonObject;
import dev.zarrreactive.metadata.ArrayMetadata;
import dev.zarrreactive.store.memory.MemoryStore;
import dev.zarrreactive.testing.Python;
import java.nio.file.Path;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Places of rasters that are written, and read here, by rioxarray, GDAL and zarr-cm. The Python is
 * the one that {@code -DGEO_PYTHON=/path/to/python} or the variable {@code GEO_PYTHON} names, else
 * the one on the path; without the programs that test is skipped.
 */
class GeoWritingTest {
  private static final AffineTransform TURNED = new AffineTransform(5e5, 10, 0.5, 5e6, 0.25, -10);

  private static final String SCRIPT =
      """
      import os, sys
      import rasterio, rioxarray, xarray as xr, zarr, zarr_cm

      root = sys.argv[1]
      data = xr.open_zarr(root, consolidated=False, decode_coords="all")
      assert data.v.rio.crs.to_epsg() == 32633, data.v.rio.crs
      assert tuple(data.v.rio.transform())[:6] == (10, 0.5, 5e5, 0.25, -10, 5e6)
      with rasterio.open('ZARR:"%s":/v' % root) as raster:
          assert raster.crs.to_epsg() == 32633, raster.crs
      attributes = dict(zarr.open(root)["v"].attrs)
      declared = [c["uuid"] for c in attributes["zarr_conventions"]]
      assert zarr_cm.geo_proj.UUID in declared and zarr_cm.spatial.UUID in declared
      assert zarr_cm.geo_proj.detect(attributes), attributes["zarr_conventions"]
      assert zarr_cm.spatial.detect(attributes), attributes["zarr_conventions"]
      print("read")
      """;

  @TempDir Path directory;

  private static Dataset written(
      ZarrHierarchy hierarchy, JsonObject attributes, JsonObject mapping) {
    await(hierarchy.createGroup(""));
    await(
        hierarchy.createArray(
            "v",
            ArrayMetadata.v3(Shape.of(4, 3), DataTypes.FLOAT32)
                .dimensionNames("north", "east")
                .attributes(attributes)
                .build()));
    if (!mapping.members().isEmpty()) {
      await(
          hierarchy.createArray(
              "spatial_ref",
              ArrayMetadata.v3(Shape.of(), DataTypes.INT64).attributes(mapping).build()));
    }
    return requireNonNull(await(Dataset.open(hierarchy, "")));
  }

  @Test
  void a_place_that_is_written_by_conventions_is_read_as_it_was() {
    GeoReference place = GeoReference.of("EPSG:32633", TURNED, "north", "east", 4, 3);
    JsonObject attributes = place.attributes();
    Dataset dataset = written(Zarr.hierarchy(MemoryStore.create()), attributes, JsonObject.EMPTY);
    assertThat(await(GeoReference.of(dataset, "v"))).isEqualTo(place);
    assertThat(ZarrConventions.problems(requireNonNull(await(dataset.group().openArray("v")))))
        .isEmpty();
    assertThat(ZarrConventions.declared(attributes))
        .extracting(Object::toString)
        .containsExactly("proj", "spatial");
  }

  @Test
  void a_place_that_is_written_as_a_grid_mapping_is_read_as_it_was() {
    String wkt = "PROJCRS[\"a\",BASEGEOGCRS[\"b\"],ID[\"EPSG\",32633]]";
    GeoReference place =
        new GeoReference(
            Optional.of("EPSG:32633"),
            Optional.of(wkt),
            Optional.empty(),
            Optional.of(TURNED),
            "north",
            "east",
            4,
            3);
    Dataset dataset =
        written(
            Zarr.hierarchy(MemoryStore.create()),
            JsonObject.EMPTY.with("grid_mapping", "spatial_ref"),
            place.gridMapping());
    assertThat(await(GeoReference.of(dataset, "v"))).isEqualTo(place);
  }

  @Test
  void a_raster_without_a_system_has_a_transform_only() {
    GeoReference place =
        new GeoReference(
            Optional.empty(),
            Optional.empty(),
            Optional.empty(),
            Optional.of(TURNED),
            "north",
            "east",
            4,
            3);
    assertThat(place.attributes().members().keySet())
        .containsExactlyInAnyOrder(
            "spatial:dimensions",
            "spatial:shape",
            "spatial:transform",
            "spatial:bbox",
            "zarr_conventions");
    assertThatThrownBy(() -> GeoReference.of("EPSG:1", TURNED, "y", "x", 0, 3))
        .isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void other_programs_find_the_same_place() throws Exception {
    GeoReference place = GeoReference.of("EPSG:32633", TURNED, "north", "east", 4, 3);
    written(
        requireNonNull(await(Zarr.at(directory.resolve("raster").toString()).newHierarchy())),
        place.attributes().with("grid_mapping", "spatial_ref"),
        place.gridMapping());
    String read =
        Python.with("rasterio, rioxarray, xarray, zarr, zarr_cm", "GEO_PYTHON")
            .run(SCRIPT, directory.resolve("raster"));
    assertThat(read.strip()).endsWith("read");
  }
}
