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
import dev.zarrreactive.json.JsonArray;
import dev.zarrreactive.json.JsonObject;
import dev.zarrreactive.json.JsonString;
import dev.zarrreactive.metadata.ArrayMetadata;
import dev.zarrreactive.metadata.GroupMetadata;
import dev.zarrreactive.store.file.FileSystemStore;
import dev.zarrreactive.testing.Json;
import dev.zarrreactive.testing.Slow;
import dev.zarrreactive.testkit.HeldRequests;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.CleanupMode;
import org.junit.jupiter.api.io.TempDir;

/** Links, datasets, lines, channels and slow readers in the page; skipped without Chromium. */
class PageStateInBrowserTest {
  private static final String HOSTILE = "<img src=x onerror=\"document.title='hostile'\">";
  private static final Path DEMO =
      Path.of("../zarr-reactive-cli/src/main/resources/demo/earth.zarr");

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

  /** Serves a dataset of 4 days, 20 latitudes and 36 longitudes, whose first columns are NaN. */
  private static Serving weather() {
    Serving serving = new Serving(server -> server.name("weather <b>.zarr"));
    ZarrHierarchy zarr = Zarr.hierarchy(serving.values);
    await(zarr.createGroup("", GroupMetadata.of(Json.object("{'title': 'A week'}"))));
    await(zarr.createGroup("more", GroupMetadata.of(JsonObject.EMPTY.with("note", HOSTILE))));
    float[] values = new float[4 * 20 * 36];
    for (int i = 0; i < values.length; i++) {
      values[i] = i % 36 < 6 ? Float.NaN : i / 720 * 1000 + i % 720;
    }
    array(
        zarr,
        "t2m",
        JsonObject.EMPTY.with("long_name", "temperature " + HOSTILE).with("units", "K"),
        NdArray.ofFloats(DataTypes.FLOAT32, Shape.of(4, 20, 36), values),
        Shape.of(1, 10, 12),
        "time",
        "lat",
        "lon");
    array(
        zarr,
        "time",
        Json.object("{'units': 'days since 2024-02-28'}"),
        NdArray.ofInts(DataTypes.INT32, Shape.of(4), 0, 1, 2, 3),
        Shape.of(4),
        "time");
    array(
        zarr,
        "lat",
        Json.object("{'units': 'degrees_north'}"),
        steps(20, 85.5, -9),
        Shape.of(20),
        "lat");
    array(
        zarr,
        "lon",
        Json.object("{'units': 'degrees_east'}"),
        steps(36, 5, 10),
        Shape.of(36),
        "lon");
    return serving;
  }

  private static NdArray steps(int count, double first, double step) {
    return NdArray.ofDoubles(
        Shape.of(count), IntStream.range(0, count).mapToDouble(i -> first + i * step).toArray());
  }

  private static void array(
      ZarrHierarchy zarr,
      String path,
      JsonObject attributes,
      NdArray values,
      Shape chunks,
      String... dimensions) {
    ZarrArray array =
        requireNonNull(
            await(
                zarr.createArray(
                    path,
                    ArrayMetadata.v3(values.shape(), values.dataType())
                        .chunkShape(chunks.toArray())
                        .dimensionNames(dimensions)
                        .attributes(attributes)
                        .build())));
    await(array.write(Selection.all(), values));
  }

  private static void untilDrawn(Browser.Tab tab, String path) {
    tab.until("main.dataset.state === 'drawn' && main.dataset.drawn === '" + path + "'");
  }

  /** Opens a page without the lights that fade. */
  private static Browser.Tab still(Browser by, String url) {
    Browser.Tab tab = by.open("about:blank#");
    tab.call(
        "Emulation.setEmulatedMedia",
        JsonObject.EMPTY.with(
            "features",
            JsonArray.of(
                JsonObject.EMPTY.with("name", "prefers-reduced-motion").with("value", "reduce"))));
    tab.value("location.href = " + new JsonString(url));
    eventually("the page is there", () -> isThere(tab));
    return tab;
  }

  private static boolean isThere(Browser.Tab tab) {
    try {
      return tab.text("Boolean(document.getElementById('main'))").equals("true");
    } catch (AssertionError e) {
      return false; // between two pages
    }
  }

  @Test
  void a_link_shows_the_same_in_a_fresh_browser(@TempDir(cleanup = CleanupMode.NEVER) Path other)
      throws IOException {
    try (Serving serving = weather();
        Browser.Tab tab = still(browser, serving.server.uri() + "/api/#/t2m")) {
      untilDrawn(tab, "/t2m");
      tab.value("document.querySelector('#sliders input').focus()");
      tab.press("ArrowRight");
      tab.until("/^\\[1, /.test(readout.textContent)");
      untilDrawn(tab, "/t2m");
      tab.value("colours.value = 'magma'; colours.onchange(); inverted.click(); grid.click()");
      tab.value("low.value = 1100; high.value = 1600; low.onchange()");
      tab.value("document.getElementById('coast').click()");
      tab.value("document.getElementById('in').click()");
      tab.until(
          "/at=1,0,0&window=.*colours=magma&inverted=1&range=1100,1600&chunks=1&coast=0/.test(location.hash)");
      tab.until("/6 of 6 chunks stored|chunks stored/.test(layout.textContent)");
      untilDrawn(tab, "/t2m");
      String link = tab.text("location.href");
      String picture = tab.text("picture.toDataURL()");
      Browser fresh = Browser.start(other);
      try (Browser.Tab seen = still(fresh, link)) {
        untilDrawn(seen, "/t2m");
        seen.until("/chunks stored/.test(layout.textContent)");
        eventually("the same picture", () -> seen.text("picture.toDataURL()").equals(picture));
        assertThat(seen.text("location.href")).isEqualTo(link);
      } finally {
        fresh.close();
      }
    }
  }

  @Test
  void a_group_is_shown_as_a_dataset_and_its_text_stays_text() {
    try (Serving serving = weather();
        Browser.Tab tab = browser.open(serving.server.uri() + "/api/#/")) {
      tab.until("overview.dataset.shown === '/'");
      tab.until("/lat\\(lat\\)float64 degrees_north85.5 … -85.5160 B/.test(overview.textContent)");
      tab.until("/time\\(time\\)time2024-02-28 … 2024-03-02/.test(overview.textContent)");
      assertThat(tab.text("overview.textContent"))
          .startsWith("Dimensions: time4lat20lon36")
          .contains("t2m(time, lat, lon)float32temperature <img")
          .contains("K11.5 kB", "Groups: more");
      assertThat(tab.text("store.textContent")).isEqualTo("weather <b>.zarr");
      assertThat(tab.text("document.querySelector('h2').textContent")).isEqualTo("A week");
      tab.value(
          "document.querySelector('#overview td + td').parentElement.querySelector('a').click()");
      tab.until("/^#.lat/.test(location.hash)");
      untilDrawn(tab, "/lat");
      tab.value("location.hash = '#/t2m'");
      untilDrawn(tab, "/t2m");
      assertThat(tab.text("document.querySelector('h2').textContent"))
          .startsWith("temperature <img");
      tab.value("location.hash = '#/more'");
      tab.until("overview.dataset.shown === '/more'");
      assertThat(tab.text("overview.textContent")).contains("Nothing is in this group");
      assertThat(tab.html()).doesNotContain("<img").doesNotContain("<title>hostile");
      assertThat(
              tab.text(
                  "performance.getEntriesByType('resource').filter(e => e.responseStatus >="
                      + " 400).length"))
          .as("nothing red is in the console")
          .isEqualTo("0");
    }
  }

  @Test
  @Slow
  void nan_is_checks_and_outside_of_the_array_there_is_nothing() {
    try (Serving serving = weather();
        Browser.Tab tab = still(browser, serving.server.uri() + "/api/#/t2m?coast=0")) {
      untilDrawn(tab, "/t2m");
      assertThat(tab.text("nan.hidden")).isEqualTo("false");
      tab.resize(1100, 420); // the picture is wider than the array now
      tab.value(
          "globalThis.colour = (x, y) => [...picture.getContext('2d')"
              + ".getImageData(Math.floor(x), Math.floor(y), 1, 1).data].join()");
      tab.until("picture.width > 2 * picture.height");
      eventually(
          "outside is plain",
          () -> tab.text("colour(20, picture.height / 2)").equals("245,246,248,255"));
      assertThat(
              tab.text(
                  "new Set(Array.from({ length: 40 }, (none, i) => colour((picture.width -"
                      + " picture.height * 1.8) / 2 + 4 + i, picture.height / 2))).size"))
          .as("two colours of a checkerboard")
          .isEqualTo("2");
      tab.value("rows.value = 1; rows.onchange(); columns.value = 0; columns.onchange()");
      untilDrawn(tab, "/t2m");
    }
  }

  @Test
  @Slow
  void a_click_shows_the_line_at_a_point_and_saves_it() {
    try (Serving serving = weather();
        Browser.Tab tab = browser.open(serving.server.uri() + "/api/#/t2m")) {
      untilDrawn(tab, "/t2m");
      tab.value(
          "globalThis.saved = ''; const make = URL.createObjectURL;"
              + " URL.createObjectURL = (blob) => { blob.text().then((text) => {"
              + " saved = blob.type === 'image/png' ? blob.type : text; });"
              + " return make.call(URL, blob); }");
      for (String type : new String[] {"mousePressed", "mouseReleased"}) {
        tab.call(
            "Input.dispatchMouseEvent",
            JsonObject.EMPTY
                .with("type", type)
                .with("button", "left")
                .with("clickCount", 1)
                .with("x", centre(tab, "left", "width"))
                .with("y", centre(tab, "top", "height")));
      }
      tab.until("series.dataset.drawn === '::1,10,18'");
      tab.until(
          "/^lat -4.5 degrees_north, lon 185"
              + " degrees_east$/.test(document.getElementById('series-name').textContent)");
      assertThat(tab.text("document.getElementById('series-value').textContent"))
          .isEqualTo("time 2024-02-28: 378 K");
      tab.value("document.getElementById('line-csv').click()");
      tab.until("saved");
      assertThat(tab.text("saved"))
          .isEqualTo(
              "time,t2m K\n2024-02-28T00:00:00,378\n2024-02-29T00:00:00,1378\n"
                  + "2024-03-01T00:00:00,2378\n2024-03-02T00:00:00,3378\n");
      tab.until("/line=10,18,0/.test(location.hash)");
      tab.value("document.getElementById('png').click()");
      tab.until("saved === 'image/png'");
      tab.value("saved = ''; document.getElementById('csv').click()");
      tab.until("saved");
      assertThat(tab.text("saved")).startsWith("lat,lon,t2m K\n85.5,5,NaN\n");
      assertThat(tab.text("saved")).contains("\n-85.5,355,719\n");
      tab.value(
          "document.getElementById('along').value = 2;"
              + " document.getElementById('along').onchange()");
      tab.until("series.dataset.drawn === '0,10,::1'");
    }
  }

  private static int centre(Browser.Tab tab, String side, String length) {
    return (int)
        Double.parseDouble(
            tab.text(
                "picture.getBoundingClientRect()."
                    + side
                    + " + picture.getBoundingClientRect()."
                    + length
                    + " / 2 + 1"));
  }

  @Test
  @Slow
  void playing_goes_along_a_dimension_until_it_is_stopped() {
    try (Serving serving = weather();
        Browser.Tab tab = browser.open(serving.server.uri() + "/api/#/t2m")) {
      untilDrawn(tab, "/t2m");
      tab.value("picture.focus()");
      tab.press("p");
      for (int i = 1; i <= 3; i++) {
        tab.until("/^" + i + " of 4/.test(document.querySelector('#sliders output').textContent)");
      }
      tab.until("/^0 of 4/.test(document.querySelector('#sliders output').textContent)");
      tab.press("p");
      tab.until("document.querySelector('#sliders button').textContent === '▶'");
    }
  }

  @Test
  @Slow
  void lines_to_copy_read_what_is_shown() {
    try (Serving serving = weather();
        Browser.Tab tab = browser.open(serving.server.uri() + "/api/#/t2m?at=2,0,0")) {
      untilDrawn(tab, "/t2m");
      tab.until("/xarray/.test(lines.textContent)");
      String root = serving.server.uri().toString();
      assertThat(
              tab.text(
                  "[...document.querySelectorAll('#lines code')].map(c => c.textContent).join('\\n"
                      + "')"))
          .isEqualTo(
              "zarr read '"
                  + root
                  + "/t2m' --select '2, :, :'\nDataset.open(Zarr.at(\""
                  + root
                  + "\")).flatMap(d -> d.variable(\"t2m\").read(\"2, :, :\"))\nxarray.open_zarr(\""
                  + root
                  + "\")[\"t2m\"][2, :, :]");
    }
  }

  @Test
  void channels_are_mixed_and_labels_lie_over_them() {
    try (Serving serving = new Serving()) {
      ZarrHierarchy zarr = Zarr.hierarchy(serving.values);
      await(zarr.createGroup("image", GroupMetadata.of(3, image("'c', 'y', 'x'", true))));
      await(zarr.createGroup("image/labels", GroupMetadata.of(3, JsonObject.EMPTY)));
      await(zarr.createGroup("image/labels/cells", GroupMetadata.of(3, image("'y', 'x'", false))));
      int[] both = IntStream.range(0, 2 * 16 * 16).map(i -> i < 256 ? 100 : 50).toArray();
      array(
          zarr,
          "image/0",
          JsonObject.EMPTY,
          NdArray.ofInts(DataTypes.INT32, Shape.of(2, 16, 16), both).cast(DataTypes.UINT16),
          Shape.of(1, 8, 8),
          "c",
          "y",
          "x");
      array(
          zarr,
          "image/labels/cells/0",
          JsonObject.EMPTY,
          NdArray.ofInts(
              DataTypes.INT32,
              Shape.of(16, 16),
              IntStream.range(0, 256).map(i -> i % 16 < 8 ? 0 : 7).toArray()),
          Shape.of(8, 8),
          "y",
          "x");
      try (Browser.Tab tab = still(browser, serving.server.uri() + "/api/#/image")) {
        untilDrawn(tab, "/image/0");
        tab.value(
            "globalThis.colour = (x) => [...picture.getContext('2d').getImageData((picture.width +"
                + " x * picture.height) / 2, picture.height / 2, 1, 1).data].join()");
        assertThat(tab.text("colour(-0.5)")).as("red and half of blue").isEqualTo("255,0,127,255");
        tab.value("channels.querySelectorAll('input')[1].click()");
        eventually("red alone", () -> tab.text("colour(-0.5)").equals("255,0,0,255"));
        tab.until("/channels=10/.test(location.hash)");
        tab.value("label.value = '/image/labels/cells'; label.onchange()");
        eventually("labels", () -> !tab.text("colour(0.5)").equals("255,0,0,255"));
        assertThat(tab.text("colour(-0.5)")).isEqualTo("255,0,0,255");
        tab.until("/labels=cells/.test(location.hash)");
      }
    }
  }

  private static JsonObject image(String names, boolean hasChannels) {
    String axes =
        names
            .replaceAll("'(\\w)'", "{'name': '$1', 'type': 'space'}")
            .replace("'c', 'type': 'space'", "'c', 'type': 'channel'");
    String window = "'window': {'start': 0, 'end': 100, 'min': 0, 'max': 100}, 'active': true";
    String omero =
        "'omero': {'channels': [{'label': 'a', 'color': 'FF0000', "
            + window
            + "}, {'label': 'b', 'color': '0000FF', "
            + window
            + "}]}, ";
    return Json.object(
        "{'ome': {'version': '0.5', "
            + (hasChannels ? omero : "")
            + "'multiscales': [{'axes': ["
            + axes
            + "], 'datasets': [{'path': '0', 'coordinateTransformations': [{'type': 'scale',"
            + " 'scale': ["
            + (hasChannels ? "1, 1, 1" : "1, 1")
            + "]}]}]}]}}");
  }

  @Test
  @Slow
  void a_slow_reader_lets_four_chunks_be_requested_ahead() throws IOException {
    try (Serving serving = new Serving(server -> server.name("earth.zarr"))) {
      FileSystemStore demo = FileSystemStore.open(DEMO);
      for (var key : requireNonNull(await(demo.list().collectList()))) {
        await(serving.values.set(key, requireNonNull(await(demo.get(key)))));
      }
      HeldRequests held = serving.store.hold(request -> request.target().contains("rgb/c/"));
      try (Browser.Tab tab =
          browser.open(serving.server.uri() + "/api/#/earth/rgb?chunks=1&pace=5")) {
        eventually("four are requested", () -> held.waiting() == 4);
        tab.until("demo.hidden === false");
        held.release();
        untilDrawn(tab, "/earth/rgb");
        tab.until(
            "/^taken 48 · requested 48 of 48 · 0 ahead, at most 4$/.test(demand.textContent)");
        tab.until("/^48 chunks, 778 kB in /.test(arrived.textContent)");
        tab.resize(1100, 760);
        untilDrawn(tab, "/earth/rgb");
        HeldRequests south =
            serving.store.hold(request -> request.target().matches(".*rgb/c/[45]/.*"));
        tab.value("pace.value = 5; pace.oninput(); again.click()");
        tab.until("demand.textContent === 'taken 32 · requested 36 of 48 · 4 ahead, at most 4'");
        eventually("four are requested", () -> south.waiting() == 4);
        String directory = System.getProperty("zarr.page.screenshots");
        if (directory != null) {
          Files.write(Path.of(directory).resolve("page-demo.png"), tab.screenshot());
        }
        tab.value("pause.click()");
        south.release();
        tab.until("demand.textContent === 'taken 33 · requested 36 of 48 · 3 ahead, at most 4'");
        eventually("no read runs", () -> serving.store.counts().inFlight() == 0);
        tab.value("pace.value = 1; pace.oninput(); pause.click()");
        tab.until("/^taken 48 /.test(demand.textContent)");
      }
    }
  }
}
