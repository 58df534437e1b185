package dev.zarrreactive.geo;

import static dev.zarrreactive.testing.Waiting.await;
import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import dev.zarrreactive.Zarr;
import dev.zarrreactive.ZarrGroup;
import dev.zarrreactive.ZarrHierarchy;
import dev.zarrreactive.ZarrNode;
import dev.zarrreactive.array.NdArray;
import dev.zarrreactive.array.Shape;
import dev.zarrreactive.convention.ZarrConvention;
import dev.zarrreactive.convention.ZarrConventions;
import dev.zarrreactive.dataset.Dataset;
import dev.zarrreactive.datatype.DataTypes;
import dev.zarrreactive.error.Location;
import dev.zarrreactive.json.JsonDocument;
import dev.zarrreactive.json.JsonObject;
import dev.zarrreactive.metadata.ArrayMetadata;
import dev.zarrreactive.metadata.GroupMetadata;
import dev.zarrreactive.testing.Python;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Rasters with overviews, licences, units and items of STAC, written here and read by other
 * programs, and the other way round. The Python is the one of {@link GeoWritingTest}; each test
 * names the packages that it needs, and is skipped without them.
 */
class GeoProgramsTest {
  private static final AffineTransform NORTH = new AffineTransform(5e5, 10, 0, 5e6, 0, -10);

  @TempDir Path directory;

  private ZarrHierarchy hierarchy() {
    return requireNonNull(await(Zarr.at(directory.toString()).newHierarchy()));
  }

  @Test
  void other_programs_find_each_level_and_its_place() {
    GeoReference place = GeoReference.of("EPSG:32633", NORTH, "y", "x", 61, 40);
    short[] values = new short[61 * 40];
    for (int i = 0; i < values.length; i++) {
      values[i] = (short) i;
    }
    await(
        place
            .raster("v")
            .levels(3)
            .layout(array -> array.chunkShape(16, 16))
            .write(hierarchy(), "", NdArray.ofShorts(DataTypes.INT16, Shape.of(61, 40), values)));
    Python python =
        Python.with("geozarr_toolkit, rasterio, rioxarray, xarray, zarr, zarr_cm", "GEO_PYTHON");
    assertThat(python.run(LEVELS, directory).strip()).endsWith("read");
  }

  private static final String LEVELS =
      """
      import sys
      import numpy as np, rasterio, rioxarray, xarray as xr, zarr, zarr_cm
      from geozarr_toolkit.helpers.validation import validate_group, validate_multiscales_structure

      root = sys.argv[1]
      group = zarr.open_group(root, mode="r")
      attributes = dict(group.attrs)
      zarr_cm.validate_all(attributes)
      assert set(zarr_cm.detect_revisions(attributes)) == {"multiscales", "proj", "spatial"}
      zarr_cm.multiscales.validate_node_metadata(group.metadata.to_dict())
      found = validate_group(group)
      assert not any(found.values()), found
      assert validate_multiscales_structure(group) == (True, []), group
      full = np.arange(61 * 40, dtype="f8").reshape(61, 40)
      tree = xr.open_datatree(root, engine="zarr", consolidated=False, decode_coords="all")
      for level, size in ((0, 10), (1, 20), (2, 40)):
          zarr_cm.validate_all(dict(group[str(level)].attrs))
          if level:
              rows, columns = full.shape
              padded = np.pad(full, ((0, rows % 2), (0, columns % 2)), constant_values=np.nan)
              cells = padded.reshape(-(-rows // 2), 2, -(-columns // 2), 2)
              full = np.floor(np.nanmean(cells, axis=(1, 3)) + 0.5)
          data = tree[str(level)].ds.v
          assert data.rio.crs.to_epsg() == 32633, data.rio.crs
          expected = (size, 0, 5e5, 0, -size, 5e6)
          assert tuple(data.rio.transform())[:6] == expected, data.rio.transform()
          assert (data.values == full).all(), level
          with rasterio.open('ZARR:"%s":/%d/v' % (root, level)) as raster:
              assert raster.crs.to_epsg() == 32633, raster.crs
              assert (raster.read(1) == full).all(), level
          layout = attributes["multiscales"]["layout"][level]
          assert layout["spatial:transform"] == list(expected), layout
          assert layout["spatial:shape"] == list(full.shape), layout
      print("read")
      """;

  @Test
  void a_pyramid_of_topozarr_is_read() {
    Python.with("rioxarray, topozarr, xproj, zarr", "GEO_PYTHON").run(TOPOZARR, directory);
    ZarrGroup root = requireNonNull(await(Zarr.at(directory.toString()).openGroup()));
    assertThat(ZarrConventions.problems(root)).isEmpty();
    List<GeoLevel> levels = GeoLevel.of(root.attributes());
    assertThat(levels).extracting(GeoLevel::path).containsExactly("0", "1", "2");
    assertThat(levels.get(2).derivedFrom()).isEqualTo("1");
    assertThat(levels.get(2).scale()).containsExactly(2.0, 2.0);
    for (int i = 0; i < 3; i++) {
      AffineTransform expected = NORTH.coarser(1 << i, 1 << i);
      assertThat(levels.get(i).transform()).contains(expected);
      Dataset level =
          requireNonNull(await(Dataset.open(Zarr.at(directory.resolve("" + i).toString()))));
      GeoReference place = requireNonNull(await(GeoReference.of(level, "v")));
      assertThat(place.epsg()).hasValue(32633);
      assertThat(place.transform()).contains(expected);
    }
  }

  private static final String TOPOZARR =
      """
      import sys
      import numpy as np, rioxarray, xarray as xr, xproj
      from topozarr import create_pyramid

      data = xr.Dataset(
          {"v": (("y", "x"), np.arange(64 * 32, dtype="f4").reshape(64, 32))},
          coords={"y": 5e6 - 5 - 10.0 * np.arange(64), "x": 5e5 + 5 + 10.0 * np.arange(32)},
      ).proj.assign_crs(spatial_ref="EPSG:32633")
      create_pyramid(data, levels=3, x_dim="x", y_dim="y").write(sys.argv[1])
      """;

  @Test
  void a_raster_of_gdal_is_read() {
    Python.with("numpy, rasterio", "GEO_PYTHON").run(GDAL, directory.resolve("r"));
    Dataset raster =
        requireNonNull(await(Dataset.open(Zarr.at(directory.resolve("r").toString()))));
    GeoReference place = requireNonNull(await(GeoReference.of(raster, "r")));
    assertThat(place.epsg()).hasValue(32633);
    assertThat(place.transform()).contains(NORTH);
  }

  private static final String GDAL =
      """
      import sys
      import numpy as np, rasterio

      with rasterio.open(
          sys.argv[1], "w", driver="Zarr", format="ZARR_V3", height=4, width=3, count=1,
          dtype="int16", nodata=-1, crs="EPSG:32633", transform=rasterio.Affine(10, 0, 5e5, 0, -10, 5e6),
      ) as raster:
          raster.write(np.arange(12, dtype="int16").reshape(4, 3), 1)
      """;

  private static JsonObject json(String text) {
    byte[] bytes = text.replace('\'', '"').getBytes(StandardCharsets.UTF_8);
    return JsonDocument.parse(ByteBuffer.wrap(bytes), Location.UNKNOWN).object();
  }

  @Test
  void a_licence_a_unit_and_an_item_are_read_by_the_programs_of_their_fields() {
    ZarrHierarchy hierarchy = hierarchy();
    String item =
        "{'type': 'Feature', 'stac_version': '1.1.0', 'id': 'scene', 'geometry': null,"
            + " 'properties': {'datetime': '2026-01-02T03:04:05Z'}, 'links': [],"
            + " 'assets': {'v': {'href': 'v', 'roles': ['data']}}}";
    JsonObject ofGroup =
        JsonObject.EMPTY
            .with("license", json("{'spdx': 'CC-BY-4.0 OR Apache-2.0'}"))
            .with("stac:item", json(item));
    JsonObject ofArray =
        JsonObject.EMPTY.with("uom", json("{'ucum': {'unit': 'W/m2', 'version': '2.2'}}"));
    await(
        hierarchy.createGroup(
            "",
            GroupMetadata.of(
                3, ZarrConventions.declare(ofGroup, ZarrConvention.LICENSE, ZarrConvention.STAC))));
    await(
        hierarchy.createArray(
            "v",
            ArrayMetadata.v3(Shape.of(2), DataTypes.FLOAT32)
                .attributes(ZarrConventions.declare(ofArray, ZarrConvention.UOM))
                .build()));
    Python python =
        Python.with("license_expression, pystac, ucumvert, zarr, zarr_cm", "GEO_PYTHON");
    assertThat(python.run(FIELDS, directory).strip()).endsWith("read");
    ZarrNode group = requireNonNull(await(hierarchy.openGroup("made")));
    ZarrNode array = requireNonNull(await(hierarchy.openArray("made/v")));
    assertThat(ZarrConventions.problems(group)).isEmpty();
    assertThat(ZarrConventions.problems(array)).isEmpty();
    assertThat(ZarrConventions.license(group.attributes())).isEqualTo(Optional.of("MIT"));
    assertThat(ZarrConventions.unit(array.attributes())).isEqualTo(Optional.of("K"));
    assertThat(ZarrConventions.declared(group.attributes()))
        .extracting(each -> each.known().orElseThrow())
        .containsExactlyInAnyOrder(ZarrConvention.LICENSE, ZarrConvention.STAC);
  }

  private static final String FIELDS =
      """
      import sys, datetime
      import pystac, zarr, zarr_cm
      from license_expression import get_spdx_licensing
      from ucumvert import get_ucum_parser

      group = zarr.open_group(sys.argv[1], mode="r")
      zarr_cm.license_.validate_node_metadata(group.metadata.to_dict())
      zarr_cm.stac.validate_node_metadata(group.metadata.to_dict())
      attributes = dict(group.attrs)
      licence = get_spdx_licensing().validate(attributes["license"]["spdx"])
      assert not licence.errors, licence
      item = pystac.Item.from_dict(attributes["stac:item"])
      assert item.id == "scene" and item.assets["v"].href in group, item
      array = group["v"]
      zarr_cm.uom.validate_node_metadata(array.metadata.to_dict())
      get_ucum_parser().parse(dict(array.attrs)["uom"]["ucum"]["unit"])

      item = pystac.Item("made", None, None, datetime.datetime(2026, 1, 2), {})
      made = {
          **zarr_cm.license_.create_convention_attrs(spdx="MIT"),
      }
      stac = zarr_cm.stac.create_convention_attrs(
          item=item.to_dict(include_self_link=False))
      conventions = made.pop("zarr_conventions") + stac.pop("zarr_conventions")
      made = {**made, **stac, "zarr_conventions": conventions}
      group = zarr.create_group(sys.argv[1] + "/made", attributes=made)
      group.create_array("v", shape=(2,), dtype="f4",
          attributes=zarr_cm.uom.create_convention_attrs(ucum={"unit": "K"}))
      print("read")
      """;
}
