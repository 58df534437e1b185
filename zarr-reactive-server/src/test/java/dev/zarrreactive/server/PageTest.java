package dev.zarrreactive.server;

import static dev.zarrreactive.testing.Waiting.await;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.zarrreactive.Zarr;
import dev.zarrreactive.ZarrArray;
import dev.zarrreactive.ZarrHierarchy;
import dev.zarrreactive.array.NdArray;
import dev.zarrreactive.array.Shape;
import dev.zarrreactive.array.selection.Selection;
import dev.zarrreactive.datatype.DataType;
import dev.zarrreactive.datatype.DataTypes;
import dev.zarrreactive.json.JsonObject;
import dev.zarrreactive.metadata.ArrayMetadata;
import dev.zarrreactive.store.StoreKey;
import java.io.File;
import java.io.IOException;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.UnaryOperator;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The page, as it is sent, and as an installed Chromium shows it. */
class PageTest {
  private static final int MOST_BYTES = 40_000;
  private static final int ATTEMPTS = 50;

  private static final String HOSTILE = "</pre><img src=x onerror=\"document.title='hostile'\">";

  @TempDir Path profile;

  private static String header(HttpResponse<byte[]> answer, String name) {
    return answer.headers().firstValue(name).orElse("-");
  }

  @ParameterizedTest
  @CsvSource({"'', ''", "'', page.js", "'', page.css", "/data, ''", "/data/v1, page.js"})
  void the_page_is_served_below_every_path(String below, String name) {
    try (Serving serving = new Serving(server -> server.path(below))) {
      HttpResponse<byte[]> got = serving.get("/api/" + name);
      String type = name.isEmpty() ? "html" : name.endsWith("js") ? "javascript" : "css";
      assertThat(got.statusCode()).isEqualTo(200);
      assertThat(header(got, "content-type")).isEqualTo("text/" + type + ";charset=utf-8");
      assertThat(header(got, "content-security-policy")).isEqualTo("default-src 'self'");
      assertThat(header(got, "cache-control")).isEqualTo("no-cache");
      assertThat(header(got, "x-content-type-options")).isEqualTo("nosniff");

      HttpResponse<byte[]> head = serving.send("HEAD", "/api/" + name);
      assertThat(head.body()).isEmpty();
      assertThat(header(head, "content-length")).isEqualTo(got.body().length + "");
      assertThat(serving.send("POST", "/api/" + name).statusCode()).isEqualTo(405);
    }
  }

  @Test
  void the_page_is_small_and_names_no_other_server() {
    int bytes = 0;
    try (Serving serving = new Serving()) {
      for (String name : List.of("", "page.js", "page.css")) {
        byte[] file = serving.get("/api/" + name).body();
        bytes += file.length;
        assertThat(new String(file, StandardCharsets.UTF_8))
            .as("%s", name)
            .doesNotContain("http:", "https:", "innerHTML", "insertAdjacentHTML", "eval(", "style=")
            .doesNotContainPattern("<[^>]* on\\w+=");
      }
    }
    assertThat(bytes).isBetween(1, MOST_BYTES);
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "page.js", "page.css"})
  void a_server_of_values_alone_has_no_page(String name) {
    try (Serving serving = new Serving(server -> server.api(false))) {
      assertThat(serving.get("/api/" + name).statusCode()).isEqualTo(404);
    }
  }

  @Test
  void a_file_of_the_page_has_no_other_name() {
    try (Serving serving = new Serving()) {
      assertThat(serving.get("/api/page.html").statusCode()).isEqualTo(404);
      assertThat(serving.get("/page.js").statusCode()).isEqualTo(404);
      assertThat(serving.get("/api").statusCode()).isEqualTo(404);
    }
  }

  @Test
  void a_browser_shows_the_tree_the_metadata_and_a_picture() throws Exception {
    String[] expected = {
      "data-drawn=\"/g/picture\"",
      "data-state=\"drawn\"",
      "data-path=\"/g\"",
      "data-path=\"/g/text\"",
      "data-path=\"/g/line\"",
      "float32 · time 3, lat 20, lon 30",
      "<dt>shard</dt><dd>1 × 10 × 10</dd>",
      "0: 1970-01-11 of 3", // the slider of the time
      "[0, 0, 0] = 0.5 K · lat 100"
    };
    String page = shown(server -> server.path("/data"), "#/g/picture", expected);
    assertThat(page).contains(expected);
    assertThat(textOf(page)).contains(HOSTILE.replace("<", "&lt;").replace(">", "&gt;"));
    assertThat(page).doesNotContain("<img").doesNotContain("<title>hostile");
  }

  @Test
  void without_a_path_the_first_plane_is_drawn() throws Exception {
    String drawn = "data-drawn=\"/g/colours\"";
    assertThat(shown(server -> server, "", drawn)).contains(drawn);
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
  void a_browser_draws_each_kind_of_array(String name, String expected) throws Exception {
    String drawn = "data-drawn=\"/g/" + name + "\"";
    assertThat(shown(server -> server, "#/g/" + name, drawn, expected)).contains(drawn, expected);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {"broken | chunk", "missing | Not Found (404): no array or group is here"})
  void a_browser_shows_errors_in_words(String name, String expected) throws Exception {
    assertThat(shown(server -> server, "#/g/" + name, "data-state=\"failed\"", expected))
        .contains("data-state=\"failed\"", "class=\"bad\"")
        .containsPattern("id=\"message\"[^>]*>[^<]*" + Pattern.quote(expected))
        .doesNotContain("data-drawn");
  }

  private static String textOf(String page) {
    return page.replace("&quot;", "\"");
  }

  /** Returns the page of a hierarchy as a browser has it, once it contains what is expected. */
  private String shown(UnaryOperator<ZarrServer> settings, String hash, String... expected)
      throws IOException, InterruptedException {
    Optional<Path> browser = browser();
    assumeTrue(browser.isPresent(), "no Chromium is on the PATH, which shows the page");
    boolean runs = dumped(browser.orElseThrow(), "about:blank", 0).contains("<html");
    assumeTrue(runs, "the Chromium on the PATH shows no page on this machine");
    try (Serving serving = new Serving(settings)) {
      create(Zarr.hierarchy(serving.values), serving);
      String url = serving.server.uri() + "/api/" + hash;
      String page = "";
      // the time of the browser is its own: on a busy machine it may end before the answers
      for (int attempt = 1; attempt <= ATTEMPTS && !hasAll(page, expected); attempt++) {
        page = dumped(browser.orElseThrow(), url, attempt);
      }
      return page;
    }
  }

  private static boolean hasAll(String page, String... expected) {
    return !page.isEmpty() && Stream.of(expected).allMatch(page::contains);
  }

  /** Returns the page; empty if the browser does not end, or fails. */
  private String dumped(Path browser, String url, int attempt)
      throws IOException, InterruptedException {
    Path page = profile.resolve("page.html");
    Process process =
        new ProcessBuilder(
                browser.toString(),
                "--headless=new",
                "--no-sandbox",
                "--disable-gpu",
                "--disable-dev-shm-usage",
                "--user-data-dir=" + profile.resolve("browser" + attempt),
                "--virtual-time-budget=" + 20_000 * (attempt + 1),
                "--dump-dom",
                url)
            .redirectError(profile.resolve("errors").toFile())
            .redirectOutput(page.toFile())
            .start();
    try {
      boolean ended = process.waitFor(2, TimeUnit.MINUTES);
      return ended && process.exitValue() == 0 ? Files.readString(page) : "";
    } finally {
      process.destroyForcibly();
    }
  }

  private static Optional<Path> browser() {
    String path = Objects.requireNonNullElse(System.getenv("PATH"), "");
    return Stream.of("chromium", "chromium-browser", "google-chrome")
        .flatMap(
            name -> Stream.of(path.split(File.pathSeparator)).map(place -> Path.of(place, name)))
        .filter(Files::isExecutable)
        .findFirst();
  }

  private static void create(ZarrHierarchy zarr, Serving serving) {
    await(zarr.createGroup("g", JsonObject.EMPTY.with("title", "t")));
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
    ints(zarr, "broken", DataTypes.INT32, 5);
    serving.put(StoreKey.of("g/broken/c/0"), 40);
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
