package dev.zarrreactive.server;

import static dev.zarrreactive.testing.Waiting.await;
import static dev.zarrreactive.testing.Waiting.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import dev.zarrreactive.Zarr;
import dev.zarrreactive.ZarrArray;
import dev.zarrreactive.ZarrHierarchy;
import dev.zarrreactive.array.NdArray;
import dev.zarrreactive.array.Shape;
import dev.zarrreactive.array.selection.Selection;
import dev.zarrreactive.base.StoreKey;
import dev.zarrreactive.datatype.DataType;
import dev.zarrreactive.datatype.DataTypes;
import dev.zarrreactive.error.Location;
import dev.zarrreactive.error.StoreException;
import dev.zarrreactive.json.JsonArray;
import dev.zarrreactive.json.JsonDocument;
import dev.zarrreactive.json.JsonObject;
import dev.zarrreactive.json.JsonString;
import dev.zarrreactive.json.JsonValue;
import dev.zarrreactive.metadata.ArrayMetadata;
import dev.zarrreactive.metadata.GroupMetadata;
import dev.zarrreactive.observation.StoreOperation;
import dev.zarrreactive.observation.StoreRequest;
import dev.zarrreactive.store.file.FileSystemStore;
import dev.zarrreactive.testing.Slow;
import dev.zarrreactive.testkit.HeldRequests;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.function.UnaryOperator;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.CleanupMode;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The page, as an installed Chromium shows it; skipped where there is none. */
class PageInBrowserTest {
  private static final String HOSTILE = "</pre><img src=x onerror=\"document.title='hostile'\">";
  private static final Path DEMO =
      Path.of("../zarr-reactive-cli/src/main/resources/demo/earth.zarr");

  /** Names a directory for a picture of the page, which is made only if it is set. */
  private static final String SCREENSHOTS = "zarr.page.screenshots";

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

  private static Serving serving(UnaryOperator<ZarrServer> settings) {
    Serving serving = new Serving(settings);
    create(Zarr.hierarchy(serving.values), serving);
    return serving;
  }

  private static Browser.Tab opened(Serving serving, String hash) {
    return browser.open(serving.server.uri() + "/api/" + hash);
  }

  private static void untilDrawn(Browser.Tab tab, String path) {
    tab.until("main.dataset.state === 'drawn' && main.dataset.drawn === '" + path + "'");
  }

  private static boolean isOfMovie(StoreRequest request) {
    return request.target().startsWith("g/movie/c/");
  }

  private static void contains(Browser.Tab tab, String... expected) {
    for (String part : expected) {
      eventually(() -> part + " in " + tab.html(), () -> tab.html().contains(part));
    }
  }

  @Test
  void the_tree_the_metadata_and_a_picture_are_shown() {
    try (Serving serving = serving(server -> server.path("/data"));
        Browser.Tab tab = opened(serving, "#/g/picture")) {
      contains(
          tab,
          "data-drawn=\"/g/picture\"",
          "data-state=\"drawn\"",
          "data-path=\"/g\"",
          "data-path=\"/g/text\"",
          "data-path=\"/g/line\"",
          "float32 · time 3, lat 20, lon 30",
          "<dt>shard</dt><dd>1 × 10 × 10</dd>",
          "0 of 3 · 1970-01-11", // the slider of the time
          "[0, 0, 0] = 0.5 K · lat 100");
      String page = tab.html();
      assertThat(page.replace("&quot;", "\""))
          .contains(HOSTILE.replace("<", "&lt;").replace(">", "&gt;"));
      assertThat(page).doesNotContain("<img").doesNotContain("<title>hostile");
    }
  }

  @Test
  @Slow
  void without_a_path_the_first_plane_is_drawn() {
    try (Serving serving = serving(server -> server);
        Browser.Tab tab = opened(serving, "")) {
      untilDrawn(tab, "/g/colours");
    }
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "colours | [0, 0, :] = 0, 1, 2",
        "line    | none: a line",
        "line    | [0] = 9223372036854775807",
        "half    | [0, 0] = 1.5",
        "half    | elements one is drawn",
        "text    | [\"&lt;b&gt;\",",
      })
  @Slow
  void each_kind_of_array_is_drawn(String name, String expected) {
    try (Serving serving = serving(server -> server);
        Browser.Tab tab = opened(serving, "#/g/" + name)) {
      untilDrawn(tab, "/g/" + name);
      contains(tab, expected);
    }
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {"broken | chunk", "missing | Not Found (404): no array or group is here"})
  void errors_are_shown_in_words(String name, String expected) {
    try (Serving serving = serving(server -> server);
        Browser.Tab tab = opened(serving, "#/g/" + name)) {
      tab.until("main.dataset.state === 'failed'");
      assertThat(tab.html())
          .contains("class=\"bad\"")
          .containsPattern("id=\"message\"[^>]*>[^<]*" + Pattern.quote(expected))
          .doesNotContain("data-drawn");
    }
  }

  /** The second level is a quarter of the first; the third is too coarse, the fourth is no path. */
  @Test
  @Slow
  void an_image_of_ome_zarr_is_drawn_from_the_level_that_suffices() {
    try (Serving serving = serving(server -> server)) {
      ZarrHierarchy zarr = Zarr.hierarchy(serving.values);
      String levels =
          "[{\"path\": \"deep/0\"}, {\"path\": \"1\"}, {\"path\": \"2\"}, {\"path\": 3}]";
      ByteBuffer attributes =
          ByteBuffer.wrap(
              ("{\"ome\": {\"multiscales\": [{\"datasets\": " + levels + "}]}}")
                  .getBytes(StandardCharsets.UTF_8));
      JsonObject image = (JsonObject) JsonDocument.parse(attributes, Location.UNKNOWN).value();
      await(zarr.createGroup("g/image", GroupMetadata.of(3, image)));
      int[] sides = {4099, 1024, 4};
      for (int level = 0; level < 3; level++) {
        ZarrArray array =
            Objects.requireNonNull(
                await(
                    zarr.createArray(
                        "g/image/" + (level == 0 ? "deep/0" : "" + level),
                        ArrayMetadata.v3(Shape.of(2, sides[level], sides[level]), DataTypes.UINT16)
                            .chunkShape(1, 512, 512)
                            .build())));
        await(array.write(Selection.all(), 10 + level));
      }
      try (Browser.Tab tab = opened(serving, "#/g/image")) {
        untilDrawn(tab, "/g/image/deep/0");
        contains(tab, "Level /g/image/1 is drawn.", "= 11", "<dt>kind</dt><dd>group</dd>");
        tab.value("picture.focus()");
        for (int i = 0; i < 6; i++) {
          tab.press("+");
        }
        contains(tab, "] = 10");
        eventually(() -> "no level", () -> !tab.html().contains("Level /g/image"));
        tab.press("0");
        contains(tab, "Level /g/image/1 is drawn.");
      }
    }
  }

  @Test
  @Slow
  void a_slider_moves_by_a_key_and_the_picture_changes() {
    try (Serving serving = serving(server -> server);
        Browser.Tab tab = opened(serving, "#/g/movie")) {
      untilDrawn(tab, "/g/movie");
      contains(tab, "[0, 0, 0] = 0");
      String before = tab.text("picture.toDataURL()");
      tab.value("document.querySelector('#sliders input').focus()");
      tab.press("ArrowRight");
      contains(tab, "[1, 0, 0] = 64", "1 of 40", "aria-valuetext=\"frame 1\"");
      untilDrawn(tab, "/g/movie");
      assertThat(tab.text("picture.toDataURL()")).isNotEqualTo(before);
    }
  }

  @Test
  @Slow
  void twenty_fast_moves_of_a_slider_read_the_last_place() {
    try (Serving serving = serving(server -> server);
        Browser.Tab tab = opened(serving, "#/g/movie")) {
      untilDrawn(tab, "/g/movie");
      serving.store.counts().reset();
      HeldRequests held = serving.store.hold(PageInBrowserTest::isOfMovie);
      for (int i = 1; i <= 20; i++) {
        tab.value(
            "{ const slider = document.querySelector('#sliders input'); slider.value = "
                + i
                + "; slider.dispatchEvent(new Event('input')); }");
        int place = i;
        eventually(
            "the slice of place " + i + " is read",
            () ->
                serving.store.counts().requests().stream()
                    .anyMatch(request -> request.target().equals("g/movie/c/" + place + "/0/0")));
      }
      eventually("the slices before it are cancelled", () -> held.waiting() == 1);
      eventually("their requests end", () -> serving.server.requestsUnderWay() <= 2);
      held.release();
      contains(tab, "[20, 0, 0] = 1280");
      untilDrawn(tab, "/g/movie");
      assertThat(serving.store.counts().cancelled()).isGreaterThanOrEqualTo(19);
      eventually("no read runs", () -> serving.store.counts().inFlight() == 0);
      assertThat(serving.failures).isEmpty();
    }
  }

  @Test
  @Slow
  void twenty_moves_at_once_leave_two_finished_slices_at_most() {
    try (Serving serving = serving(server -> server);
        Browser.Tab tab = opened(serving, "#/g/movie")) {
      untilDrawn(tab, "/g/movie");
      serving.store.counts().reset();
      tab.value(
          "for (let i = 1; i <= 20; i++) {"
              + "const slider = document.querySelector('#sliders input');"
              + "slider.value = i; slider.dispatchEvent(new Event('input')); }");
      contains(tab, "[20, 0, 0] = 1280");
      untilDrawn(tab, "/g/movie");
      eventually("no read runs", () -> serving.store.counts().inFlight() == 0);
      assertThat(
              serving.store.counts().requests().stream()
                  .filter(PageInBrowserTest::isOfMovie)
                  .map(request -> request.target())
                  .distinct())
          .contains("g/movie/c/20/0/0")
          .hasSizeLessThanOrEqualTo(2);
    }
  }

  @Test
  @Slow
  void a_closed_tab_ends_its_reads() {
    try (Serving serving = serving(server -> server)) {
      HeldRequests held = serving.store.hold(PageInBrowserTest::isOfMovie);
      try (Browser.Tab tab = opened(serving, "#/g/movie")) {
        contains(tab, "chunks in flight 1");
        eventually("the chunk is asked for", () -> held.waiting() == 1);
      }
      eventually("the read is cancelled", () -> held.waiting() == 0);
      eventually("no request is under way", () -> serving.server.requestsUnderWay() == 0);
      eventually("nothing is held", () -> serving.server.heldBytes() == 0);
      eventually("no read is in flight", () -> serving.store.counts().inFlight() == 0);
      int requests = serving.store.counts().total();
      assertThat(serving.get("/api/openapi.json").statusCode()).isEqualTo(200);
      assertThat(serving.store.counts().total()).isEqualTo(requests);
    }
  }

  @Test
  @Slow
  void the_counts_of_the_server_go_on() {
    try (Serving serving = serving(server -> server);
        Browser.Tab tab = opened(serving, "#/g/movie")) {
      untilDrawn(tab, "/g/movie");
      tab.until(
          "/^requests [1-9].* store requests [1-9].* store bytes"
              + " [1-9]/.test(activity.textContent)");
      String before = tab.text("activity.textContent");
      assertThat(serving.get("/g/movie/zarr.json").statusCode()).isEqualTo(200);
      tab.until("activity.textContent !== " + new JsonString(before).toString());
      tab.until("/cache hits [1-9]/.test(activity.textContent)");
      assertThat(tab.text("activity.ariaLive")).isIn("null", "off");
    }
  }

  @Test
  void stored_and_missing_chunks_are_drawn_and_described() {
    try (Serving serving = serving(server -> server);
        Browser.Tab tab = opened(serving, "#/g/sparse")) {
      untilDrawn(tab, "/g/sparse");
      assertThat(tab.text("layout.textContent")).isEqualTo("shards 1 × 8 × 8, chunks 1 × 4 × 4");
      assertThat(serving.store.counts().requests())
          .noneMatch(asked -> asked.operation() == StoreOperation.LIST_PREFIX);
      String before = tab.text("picture.toDataURL()");
      tab.value("picture.focus()");
      tab.press("g");
      tab.until(
          "layout.textContent === 'shards 1 × 8 × 8, chunks 1 × 4 × 4"
              + " · 2 of 6 shards and 3 of 24 chunks stored'");
      assertThat(tab.text("missing.hidden")).isEqualTo("false");
      eventually("it is drawn", () -> !tab.text("picture.toDataURL()").equals(before));
      tab.until("/^\\[0, 0, 0\\] = 1 · chunk \\[0, 0, 0\\]$/.test(readout.textContent)");
      for (int i = 0; i < 4; i++) {
        tab.press("ArrowDown");
      }
      tab.until("/^\\[0, 4, 0\\] = 0 · chunk \\[0, 1, 0\\] is missing$/.test(spoken.textContent)");
      String told = tab.text("picture.toDataURL()");
      tab.value("document.querySelector('#sliders input').focus()");
      tab.press("ArrowRight");
      tab.until("/· 6 of 6 shards and 24 of 24 chunks stored$/.test(layout.textContent)");
      assertThat(tab.text("missing.hidden")).isEqualTo("true");
      eventually("it is drawn", () -> !tab.text("picture.toDataURL()").equals(told));
      tab.value("rows.value = -1; rows.onchange()");
      tab.until("/· 3 of 3 shards and 6 of 6 chunks stored$/.test(layout.textContent)");
      tab.value("grid.click()");
      tab.until("layout.textContent === 'shards 1 × 8 × 8, chunks 1 × 4 × 4'");
      assertThat(serving.failures).isEmpty();
    }
  }

  @Test
  @Slow
  void a_picture_stays_where_stored_chunks_cannot_be_listed() {
    try (Serving serving = serving(server -> server);
        Browser.Tab tab = opened(serving, "#/g/sparse")) {
      untilDrawn(tab, "/g/sparse");
      serving.store.fail(
          asked ->
              asked.operation() == StoreOperation.LIST_PREFIX || asked.target().contains("/c/"),
          () -> new StoreException("broken", Location.UNKNOWN));
      tab.value("grid.click()");
      tab.until("/Bad Gateway \\(502\\)/.test(layout.textContent)");
      assertThat(tab.text("main.dataset.state")).isEqualTo("drawn");
      assertThat(tab.text("missing.hidden")).isEqualTo("true");
    }
  }

  @Test
  @Slow
  void keys_alone_move_the_cursor_which_a_screen_reader_speaks() {
    try (Serving serving = serving(server -> server);
        Browser.Tab tab = opened(serving, "#/g/movie")) {
      untilDrawn(tab, "/g/movie");
      List<String> order = new ArrayList<>();
      tab.value("document.body.focus()");
      while (order.size() < 40 && !order.contains("picture")) {
        tab.press("Tab");
        order.add(tab.text("document.activeElement.id || document.activeElement.tagName"));
      }
      assertThat(order).contains("skip", "search", "A", "rows", "columns", "colours", "stretch");
      tab.press("ArrowRight");
      tab.press("ArrowDown");
      tab.until("spoken.textContent === '[0, 1, 1] = 9'");
      tab.press("+");
      tab.until("main.dataset.state === 'drawn'");
      tab.press("g");
      tab.until("grid.checked");
    }
  }

  @Test
  void each_control_has_a_name() {
    try (Serving serving = serving(server -> server);
        Browser.Tab tab = opened(serving, "#/g/movie")) {
      untilDrawn(tab, "/g/movie");
      JsonObject tree = tab.call("Accessibility.getFullAXTree", JsonObject.EMPTY);
      List<String> roles = new ArrayList<>();
      for (JsonValue node : ((JsonArray) Objects.requireNonNull(tree.get("nodes"))).elements()) {
        JsonObject object = (JsonObject) node;
        String role = member(object, "role");
        if (Pattern.matches(
            "slider|combobox|button|spinbutton|checkbox|searchbox|link|img|image|region|navigation|toolbar",
            role)) {
          roles.add(role);
          assertThat(member(object, "name")).as("%s", object).isNotBlank();
        }
      }
      assertThat(roles)
          .contains("slider", "combobox", "button", "spinbutton", "checkbox", "searchbox", "link");
    }
  }

  private static String member(JsonObject node, String name) {
    return node.get(name) instanceof JsonObject value ? value.string("value").orElse("") : "";
  }

  @Test
  @Slow
  void the_picture_of_the_demonstration_appears() throws IOException {
    try (Serving serving =
            new Serving(FileSystemStore.open(DEMO), server -> server.name("earth.zarr"));
        Browser.Tab tab = opened(serving, "#/earth/rgb")) {
      untilDrawn(tab, "/earth/rgb");
      tab.value("grid.click(); picture.focus()");
      tab.call(
          "Input.dispatchMouseEvent",
          JsonObject.EMPTY.with("type", "mouseMoved").with("x", 758).with("y", 280));
      contains(tab, "degrees_north", "degrees_east");
      assertThat(
              Integer.parseInt(
                  tab.text(
                      "new Set(new Uint32Array(picture.getContext('2d').getImageData(0, 0,"
                          + " picture.width, picture.height).data.buffer)).size")))
          .isGreaterThan(100);
      tab.until("/48 of 48 chunks stored$/.test(layout.textContent)");
      tab.until("/store bytes [1-9]/.test(activity.textContent)");
      // a picture that ends where a part of the page ends
      tab.call(
          "Emulation.setDeviceMetricsOverride",
          JsonObject.EMPTY
              .with("width", 1100)
              .with("height", 700)
              .with("deviceScaleFactor", 1)
              .with("mobile", false));
      keep("page.png", tab);
      inTheDark(tab);
      keep("page-dark.png", tab);
    }
  }

  @Test
  @Slow
  void the_group_of_the_demonstration_is_shown_as_a_dataset() throws IOException {
    try (Serving serving =
            new Serving(FileSystemStore.open(DEMO), server -> server.name("earth.zarr"));
        Browser.Tab tab = opened(serving, "#/earth")) {
      tab.until("/89.75 … -89.75/.test(overview.textContent)");
      tab.until("/-179.75 … 179.75/.test(overview.textContent)");
      assertThat(tab.text("overview.textContent")).startsWith("Dimensions: lat360lon720band3");
      tab.resize(1100, 560);
      keep("page-dataset.png", tab);
      tab.resize(400, 800);
      assertThat(
              tab.text(
                  "document.documentElement.scrollWidth <= 400 && overview.scrollWidth <= 400"))
          .as("nothing is cut off on a telephone")
          .isEqualTo("true");
    }
  }

  private static void inTheDark(Browser.Tab tab) {
    tab.call(
        "Emulation.setEmulatedMedia",
        JsonObject.EMPTY.with(
            "features",
            JsonArray.of(
                JsonObject.EMPTY.with("name", "prefers-color-scheme").with("value", "dark"))));
  }

  private static void keep(String name, Browser.Tab tab) throws IOException {
    String directory = System.getProperty(SCREENSHOTS);
    if (directory != null) {
      Files.write(Path.of(directory).resolve(name), tab.screenshot());
    }
  }

  @Test
  @Slow
  void missing_chunks_of_the_demonstration_are_hatched_in_the_dark() throws IOException {
    try (Serving serving = new Serving()) {
      FileSystemStore demo = FileSystemStore.open(DEMO);
      for (StoreKey key : Objects.requireNonNull(await(demo.list().collectList()))) {
        if (!key.value().matches("earth/relief/c/(0/2|1/0)")) {
          await(serving.values.set(key, Objects.requireNonNull(await(demo.get(key)))));
        }
      }
      try (Browser.Tab tab = opened(serving, "#/earth/relief")) {
        untilDrawn(tab, "/earth/relief");
        String light = tab.text("getComputedStyle(document.body).backgroundColor");
        inTheDark(tab);
        tab.value("grid.click(); colours.value = 'magma'; colours.onchange(); picture.focus()");
        tab.until("/6 of 8 chunks stored$/.test(layout.textContent)");
        assertThat(tab.text("getComputedStyle(document.body).backgroundColor")).isNotEqualTo(light);
        tab.until("/store requests [1-9]/.test(activity.textContent)");
        keep("page-chunks.png", tab);
      }
    }
  }

  private static void create(ZarrHierarchy zarr, Serving serving) {
    await(zarr.createGroup("g", GroupMetadata.of(JsonObject.EMPTY.with("title", "t"))));
    float[] numbers = new float[3 * 20 * 30];
    for (int i = 0; i < numbers.length; i++) {
      numbers[i] = i % 7 == 3 ? Float.NaN : i + 0.5f;
    }
    array(
        zarr,
        "picture",
        ArrayMetadata.v3(Shape.of(3, 20, 30), DataTypes.FLOAT32)
            .shardShape(1, 10, 10)
            .chunkShape(1, 5, 5)
            .dimensionNames("time", "lat", "lon")
            .attributes(JsonObject.EMPTY.with("units", "K").with("note", HOSTILE))
            .build(),
        NdArray.ofFloats(DataTypes.FLOAT32, Shape.of(3, 20, 30), numbers));
    array(
        zarr,
        "time",
        ArrayMetadata.v3(Shape.of(3), DataTypes.INT32)
            .attributes(JsonObject.EMPTY.with("units", "days since 1970-01-01"))
            .build(),
        NdArray.ofInts(DataTypes.INT32, Shape.of(3), 10, 20, 30));
    ints(zarr, "lat", DataTypes.INT32, 20);
    byte[] colours = new byte[4 * 5 * 3];
    for (int i = 0; i < colours.length; i++) {
      colours[i] = (byte) i;
    }
    array(
        zarr,
        "colours",
        ArrayMetadata.v3(Shape.of(4, 5, 3), DataTypes.UINT8).build(),
        NdArray.ofBytes(DataTypes.UINT8, Shape.of(4, 5, 3), colours));
    array(
        zarr,
        "line",
        ArrayMetadata.v3(Shape.of(3), DataTypes.INT64).build(),
        NdArray.ofLongs(DataTypes.INT64, Shape.of(3), Long.MAX_VALUE, -1, 0));
    float[] halves = new float[2000];
    Arrays.fill(halves, 1.5f);
    array(
        zarr,
        "half",
        ArrayMetadata.v3(Shape.of(1, 2000), DataTypes.FLOAT16).build(),
        NdArray.ofFloats(DataTypes.FLOAT16, Shape.of(1, 2000), halves));
    array(
        zarr,
        "text",
        ArrayMetadata.v3(Shape.of(2), DataTypes.STRING).build(),
        NdArray.ofStrings(DataTypes.STRING, Shape.of(2), "<b>", "c"));
    array(
        zarr,
        "movie",
        ArrayMetadata.v3(Shape.of(40, 8, 8), DataTypes.INT32)
            .chunkShape(1, 8, 8)
            .dimensionNames("frame", "y", "x")
            .build(),
        NdArray.ofInts(DataTypes.INT32, Shape.of(40, 8, 8), movie()));
    ZarrArray sparse =
        Objects.requireNonNull(
            await(
                zarr.createArray(
                    "g/sparse",
                    ArrayMetadata.v3(Shape.of(2, 16, 24), DataTypes.UINT16)
                        .shardShape(1, 8, 8)
                        .chunkShape(1, 4, 4)
                        .build())));
    await(sparse.write(Selection.parse("0,0,0"), 1));
    await(sparse.write(Selection.parse("0,8:12,9:15"), 2));
    await(sparse.write(Selection.parse("1"), 3));
    ints(zarr, "broken", DataTypes.INT32, 5);
    serving.put(StoreKey.of("g/broken/c/0"), 40);
  }

  /** Returns frames with other patterns, whose first elements are 0, 64, 128, ... */
  private static int[] movie() {
    return IntStream.range(0, 40 * 64)
        .map(i -> i / 64 * 64 + i % 64 * (2 * (i / 64) + 1) % 64)
        .toArray();
  }

  private static void array(
      ZarrHierarchy zarr, String name, ArrayMetadata metadata, NdArray elements) {
    ZarrArray array = Objects.requireNonNull(await(zarr.createArray("g/" + name, metadata)));
    await(array.write(Selection.all(), elements));
  }

  private static void ints(ZarrHierarchy zarr, String name, DataType type, int count) {
    array(
        zarr,
        name,
        ArrayMetadata.v3(Shape.of(count), type).build(),
        NdArray.ofInts(type, Shape.of(count), IntStream.range(100, 100 + count).toArray()));
  }
}
