package dev.zarrreactive.server;

import static dev.zarrreactive.testing.Waiting.await;
import static dev.zarrreactive.testing.Waiting.eventually;
import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import dev.zarrreactive.Zarr;
import dev.zarrreactive.ZarrArray;
import dev.zarrreactive.ZarrHierarchy;
import dev.zarrreactive.array.NdArray;
import dev.zarrreactive.array.Shape;
import dev.zarrreactive.array.selection.Selection;
import dev.zarrreactive.datatype.DataTypes;
import dev.zarrreactive.error.Location;
import dev.zarrreactive.json.JsonDocument;
import dev.zarrreactive.json.JsonObject;
import dev.zarrreactive.metadata.ArrayMetadata;
import dev.zarrreactive.metadata.GroupMetadata;
import dev.zarrreactive.testing.Slow;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.CleanupMode;
import org.junit.jupiter.api.io.TempDir;

/** Values and coordinates of datasets in the page; skipped without an installed Chromium. */
class CoordinatesInBrowserTest {
  private static Browser browser;

  @BeforeAll
  static void start(@TempDir(cleanup = CleanupMode.NEVER) Path profile) throws IOException {
    browser = Browser.start(profile);
  }

  @AfterAll
  static void stop() {
    if (browser != null) {
      browser.close();
    }
  }

  private static JsonObject json(String text) {
    byte[] bytes = text.replace('\'', '"').getBytes(StandardCharsets.UTF_8);
    return JsonDocument.parse(ByteBuffer.wrap(bytes), Location.UNKNOWN).object();
  }

  private static void array(
      ZarrHierarchy zarr, String path, String attributes, NdArray values, String... dimensions) {
    ZarrArray array =
        requireNonNull(
            await(
                zarr.createArray(
                    path,
                    ArrayMetadata.v3(values.shape(), values.dataType())
                        .dimensionNames(dimensions)
                        .attributes(json(attributes))
                        .build())));
    await(array.write(Selection.all(), values));
  }

  private static NdArray doubles(int count, double first, double step) {
    return NdArray.ofDoubles(
        Shape.of(count), IntStream.range(0, count).mapToDouble(i -> first + i * step).toArray());
  }

  /** A packed variable of 3 times of a model, 61 descending latitudes and 121 longitudes. */
  private static void climate(ZarrHierarchy zarr) {
    await(zarr.createGroup(""));
    await(zarr.createGroup("run"));
    int[] counts =
        IntStream.range(0, 3 * 61 * 121).map(i -> i % 500 == 1 ? -99 : i % 200).toArray();
    array(
        zarr,
        "run/t2m",
        "{'units': 'K', 'scale_factor': 0.5, 'add_offset': 200, '_FillValue': -99}",
        NdArray.ofInts(DataTypes.INT32, Shape.of(3, 61, 121), counts).cast(DataTypes.INT16),
        "time",
        "lat",
        "lon");
    array(
        zarr,
        "run/time",
        "{'units': 'hours since 2000-02-29', 'calendar': '360_day'}",
        NdArray.ofInts(DataTypes.INT32, Shape.of(3), 0, 24, 54),
        "time");
    array(zarr, "run/lat", "{'units': 'degrees_north'}", doubles(61, 75, -0.5), "lat");
    array(
        zarr, // in the group above, packed
        "lon",
        "{'units': 'degrees_east', 'scale_factor': 0.25}",
        NdArray.ofInts(DataTypes.INT32, Shape.of(121), IntStream.range(0, 121).toArray()),
        "lon");
  }

  private static void untilDrawn(Browser.Tab tab, String path) {
    tab.until("main.dataset.state === 'drawn' && main.dataset.drawn === '" + path + "'");
  }

  private static String ticks(Browser.Tab tab, String id) {
    return tab.text(
        "[...document.getElementById('" + id + "').children].map(t => t.textContent).join()");
  }

  @Test
  @Slow
  void a_picture_has_values_and_its_sides_have_coordinates() {
    try (Serving serving = new Serving()) {
      climate(Zarr.hierarchy(serving.values));
      try (Browser.Tab tab = browser.open(serving.server.uri() + "/api/#/run/t2m")) {
        untilDrawn(tab, "/run/t2m");
        tab.until("/, lon 0 degrees_east$/.test(readout.textContent)");
        assertThat(tab.text("readout.textContent"))
            .isEqualTo("[0, 0, 0] = 200 K · lat 75 degrees_north, lon 0 degrees_east");
        tab.until("/· 2000-02-29$/.test(document.querySelector('#sliders output').textContent)");
        eventually("latitudes", () -> List.of(ticks(tab, "row-ticks").split(",")).contains("60"));
        eventually(
            "longitudes", () -> List.of(ticks(tab, "column-ticks").split(",")).contains("10"));
        assertThat(tab.html()).contains("int16, decoded to float64");
        tab.value("picture.focus()");
        tab.press("ArrowRight");
        tab.until("/^\\[0, 0, 1\\] = NaN K · .* lon 0.25 degrees_east$/.test(spoken.textContent)");
        for (int i = 0; i < 4; i++) {
          tab.press("+");
        }
        eventually("finer coordinates", () -> ticks(tab, "column-ticks").contains("."));
        tab.value("document.querySelector('#sliders input').focus()");
        tab.press("ArrowRight");
        tab.press("ArrowRight");
        tab.until(
            "/2000-03-01 06:00:00$/.test(document.querySelector('#sliders output').textContent)");
        tab.until(
            "document.querySelector('#sliders input').ariaValueText"
                + " === 'time 2: 2000-03-01 06:00:00'");
        tab.value("rows.value = 0; rows.onchange()");
        eventually("dates", () -> ticks(tab, "row-ticks").contains("2000-02-30"));
        assertThat(serving.failures).isEmpty();
      }
    }
  }

  /**
   * Latitudes descend from 75 by 0.5: that of 60 is the 31st row, whose middle is at 30.5 of 61.
   */
  @Test
  @Slow
  void a_coordinate_stands_beside_its_element() {
    try (Serving serving = new Serving()) {
      climate(Zarr.hierarchy(serving.values));
      try (Browser.Tab tab = browser.open(serving.server.uri() + "/api/#/run/t2m")) {
        untilDrawn(tab, "/run/t2m");
        tab.until("/lat 75 degrees_north/.test(readout.textContent)");
        tab.until(
            "[...document.getElementById('row-ticks').children].some(t => t.textContent === '60')");
        double top =
            Double.parseDouble(
                tab.text(
                    "[...document.getElementById('row-ticks').children]"
                        + ".find(t => t.textContent === '60').style.top.replace('%', '')"));
        assertThat(top).isBetween(49.5, 50.5);
      }
    }
  }

  @Test
  @Slow
  void a_line_has_values_at_its_side_and_dates_below() {
    try (Serving serving = new Serving()) {
      climate(Zarr.hierarchy(serving.values));
      try (Browser.Tab tab = browser.open(serving.server.uri() + "/api/#/run/t2m")) {
        untilDrawn(tab, "/run/t2m");
        tab.value("rows.value = -1; rows.onchange(); columns.value = 0; columns.onchange()");
        eventually("dates", () -> ticks(tab, "column-ticks").contains("2000-03-01 06:00:00"));
        eventually("values", () -> ticks(tab, "row-ticks").split(",").length == 3);
      }
    }
  }

  @Test
  void times_are_shown_as_dates() {
    try (Serving serving = new Serving()) {
      climate(Zarr.hierarchy(serving.values));
      try (Browser.Tab tab = browser.open(serving.server.uri() + "/api/#/run/time")) {
        untilDrawn(tab, "/run/time");
        assertThat(tab.text("text.textContent")).contains("2000-02-30T00:00:00");
      }
    }
  }

  @Test
  @Slow
  void an_image_of_ome_zarr_has_lengths_and_names_of_channels() {
    try (Serving serving = new Serving()) {
      ZarrHierarchy zarr = Zarr.hierarchy(serving.values);
      String axes =
          "[{'name': 'c', 'type': 'channel'}, {'name': 'y', 'type': 'space', 'unit': 'micrometer'},"
              + " {'name': 'x', 'type': 'space', 'unit': 'micrometer'}]";
      String level =
          "{'path': '0', 'coordinateTransformations': [{'type': 'scale', 'scale': [1, 2, 0.5]}]}";
      JsonObject image =
          json(
              "{'ome': {'version': '0.5', 'omero': {'channels': [{'label': 'DAPI'}, {'label':"
                  + " 'GFP'}]}, 'multiscales': [{'axes': "
                  + axes
                  + ", 'datasets': ["
                  + level
                  + "], 'coordinateTransformations':"
                  + " [{'type': 'translation', 'translation': [0, 100, 0]}]}]}}");
      await(zarr.createGroup("image", GroupMetadata.of(3, image)));
      array(
          zarr,
          "image/0",
          "{}",
          NdArray.ofInts(DataTypes.INT32, Shape.of(2, 40, 60), IntStream.range(0, 4800).toArray())
              .cast(DataTypes.UINT16));
      try (Browser.Tab tab = browser.open(serving.server.uri() + "/api/#/image")) {
        untilDrawn(tab, "/image/0");
        tab.until("/ = 0, 2400 · y 100 micrometer, x 0 micrometer$/.test(readout.textContent)");
        assertThat(tab.text("channels.textContent")).isEqualTo("DAPIGFP");
        tab.value("colours.value = 'viridis'; colours.onchange()");
        tab.until("/ = 0 · y 100 micrometer, x 0 micrometer$/.test(readout.textContent)");
        tab.until("document.querySelector('#sliders output').textContent === '0 of 2 · DAPI'");
        assertThat(ticks(tab, "column-ticks")).contains("10", "20");
        assertThat(ticks(tab, "row-ticks")).contains("120", "140");
      }
    }
  }
}
