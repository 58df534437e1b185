package dev.zarrreactive.webflux;

import static org.assertj.core.api.Assertions.assertThat;

import dev.zarrreactive.Zarr;
import dev.zarrreactive.ZarrHierarchy;
import dev.zarrreactive.http.HttpStore;
import dev.zarrreactive.store.Store;
import dev.zarrreactive.testing.Waiting;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.Reader;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Properties;
import java.util.concurrent.CopyOnWriteArrayList;
import javax.imageio.ImageIO;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.boot.SpringApplication;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.http.HttpMethod;
import org.springframework.test.web.reactive.server.EntityExchangeResult;
import org.springframework.test.web.reactive.server.WebTestClient;
import sample.service.EarthService;

/** The whole service of the samples, as it is, with its own properties, under BlockHound. */
class EarthServiceTest {
  private static final Duration PATIENCE = Duration.ofSeconds(60);
  private static final Path PROPERTIES =
      Path.of("../../testing/samples/service/src/main/resources/application.properties");
  private static final String OLD = "old:abcdefghijklmnopqrstuvwxyz012345";
  private static final String NEW = "new:ABCDEFGHIJKLMNOPQRSTUVWXYZ012345";
  private static final String JSON = "application/json";

  @TempDir private Path directory;
  private ConfigurableApplicationContext service;
  private WebTestClient client;

  @BeforeEach
  void start() throws IOException {
    Files.writeString(directory.resolve("links.key"), OLD);
    service = start(directory, EarthService.class);
    client = SliceService.client(service);
  }

  /** Starts it with its files in a directory. */
  static ConfigurableApplicationContext start(Path directory, Class<?> program) {
    Properties properties = properties(directory);
    SpringApplication application = new SpringApplication(program);
    application.setDefaultProperties(properties);
    return application.run();
  }

  /** The properties of the sample, on a port that is free, with its files in a directory. */
  static Properties properties(Path directory) {
    Properties properties = new Properties();
    try (Reader reader = Files.newBufferedReader(PROPERTIES)) {
      properties.load(reader);
    } catch (IOException e) {
      throw new AssertionError(e);
    }
    for (String file :
        List.of("zarr.location", "zarr.stores.archive.location", "zarr.links.key-file")) {
      properties.setProperty(file, directory.resolve(properties.getProperty(file)).toString());
    }
    properties.setProperty("server.port", "0");
    properties.setProperty("server.address", "127.0.0.1");
    properties.setProperty("spring.main.banner-mode", "off");
    return properties;
  }

  @AfterEach
  void stop() {
    ZarrHierarchy earth = service.getBean("zarrHierarchy", ZarrHierarchy.class);
    Waiting.eventually("nothing is held", () -> earth.bytesInFlight() == 0);
    service.close();
  }

  private EntityExchangeResult<byte[]> send(
      HttpMethod method, String path, String body, String... headers) {
    WebTestClient.RequestBodySpec request = client.method(method).uri(URI.create(base() + path));
    for (int i = 0; i < headers.length; i += 2) {
      request.header(headers[i], headers[i + 1]);
    }
    return (body == null ? request : request.bodyValue(body))
        .exchange()
        .expectBody()
        .returnResult();
  }

  private String base() {
    return "http://127.0.0.1:" + SliceService.port(service);
  }

  private EntityExchangeResult<byte[]> get(String path, String... headers) {
    return send(HttpMethod.GET, path, null, headers);
  }

  private static int status(EntityExchangeResult<byte[]> result) {
    return result.getStatus().value();
  }

  private static String text(EntityExchangeResult<byte[]> result) {
    byte[] body = result.getResponseBody();
    return body == null ? "" : new String(body, StandardCharsets.UTF_8).strip();
  }

  @Test
  void values_are_selected_by_labels_and_decoded() {
    assertThat(text(get("/values/t2m?sel=time:2026-11-02,lat~47.9", "Accept", JSON)))
        .isEqualTo("[286.0,285.0,284.5]");
    String table = "/tables/t2m?sel=time:2026-11-02,lat:46";
    assertThat(text(get(table))).isEqualTo("lon,t2m\r\n14.0,282.0\r\n16.0,281.0\r\n18.0,");
    assertThat(text(get(table, "Accept", "application/x-ndjson")))
        .isEqualTo(
            "{\"lon\":14.0,\"t2m\":282.0}\n{\"lon\":16.0,\"t2m\":281.0}\n{\"lon\":18.0,\"t2m\":null}");
    assertThat(status(get("/values/t2m?sel=lat:47.9"))).isEqualTo(400);
  }

  @Test
  void elements_are_written_and_appended_and_a_client_asks_whether_they_changed() {
    String first = "/arrays/t2m?select=0,0";
    EntityExchangeResult<byte[]> before = get(first, "Accept", JSON);
    String tag = before.getResponseHeaders().getETag();
    assertThat(status(get(first, "Accept", JSON, "If-None-Match", tag))).isEqualTo(304);
    String change = "[290.5,291.5,292.5]";
    String[] json = {"Content-Type", JSON, "If-Match", tag};
    assertThat(status(send(HttpMethod.PUT, first, change, json))).isEqualTo(200);
    assertThat(status(send(HttpMethod.PUT, first, change, json))).isEqualTo(412);
    assertThat(text(get(first, "Accept", JSON, "If-None-Match", tag))).isEqualTo(change);
    EntityExchangeResult<byte[]> grown =
        send(HttpMethod.POST, "/arrays/lat", "[44.5,43]", "Content-Type", JSON);
    assertThat(text(grown)).contains("\"shape\":[4]");
    EntityExchangeResult<byte[]> wrong =
        send(HttpMethod.PUT, first, "[290.5]", "Content-Type", JSON);
    assertThat(status(wrong)).isEqualTo(400);
    assertThat(text(wrong)).contains("rows");
  }

  @Test
  void a_tile_is_drawn_confirmed_and_missing_outside_of_the_map() throws IOException {
    String path = "/tiles/t2m/2026-11-01/5/17/11.png";
    EntityExchangeResult<byte[]> tile = get(path);
    assertThat(status(tile)).as(text(tile)).isEqualTo(200);
    assertThat(ImageIO.read(new ByteArrayInputStream(tile.getResponseBody())).getWidth())
        .isEqualTo(256);
    String tag = tile.getResponseHeaders().getETag();
    assertThat(status(get(path, "If-None-Match", tag))).isEqualTo(304);
    assertThat(status(get("/tiles/t2m/2026-11-01/5/0/0.png"))).isEqualTo(404);
  }

  @Test
  void chunks_stream_in_the_form_that_a_client_accepts() {
    String line = "{\"index\":[0],\"selection\":\"0:2\",\"shape\":[2],\"values\":[48.0,46.0]}";
    assertThat(text(get("/chunks/lat", "Accept", "application/x-ndjson"))).isEqualTo(line);
    assertThat(text(get("/chunks/lat", "Accept", "text/event-stream"))).isEqualTo("data:" + line);
    assertThat(get("/chunks/lat", "Accept", "application/x-zarr-chunks").getResponseBody())
        .hasSizeGreaterThan(16);
    assertThat(text(get("/chunks/lat", "Accept", "multipart/mixed"))).contains("Zarr-Shape: 2");
  }

  @Test
  void a_link_opens_a_part_for_any_client_of_zarr_until_its_key_is_taken_away() throws IOException {
    String link = text(get("/links/lat"));
    assertThat(link).startsWith("/__signed/old.");
    Store remote = HttpStore.open(URI.create(base() + link));
    assertThat(Zarr.hierarchy(remote).openArray("").block(PATIENCE).shape()).hasToString("[2]");
    remote.close().block(PATIENCE);
    assertThat(status(get(link.replace("/lat", "/lon") + "/zarr.json"))).isEqualTo(403);
    Files.writeString(directory.resolve("links.key"), NEW);
    Waiting.eventually("the new key signs", () -> text(get("/links/lat")).contains("/new."));
    assertThat(status(get(link + "/zarr.json"))).isEqualTo(403);
    assertThat(status(get(text(get("/links/lat")) + "/zarr.json"))).isEqualTo(200);
  }

  @Test
  void both_stores_have_slices_a_health_and_figures() {
    assertThat(text(get("/archive/stations", "Accept", JSON))).isEqualTo("[11035,11150,11240]");
    assertThat(text(get("/actuator/health/zarr")))
        .contains("\"status\":\"UP\"", "\"archive\"", "\"zarrHierarchy\"")
        .doesNotContain("DOWN");
    assertThat(text(get("/actuator/zarr"))).contains("\"archive\"", "\"zarrHierarchy\"");
    assertThat(text(get("/actuator/zarr/archive"))).contains("stations");
  }

  @Test
  void clients_of_everything_at_the_same_time_wait_for_nobody() throws Exception {
    List<String> paths =
        List.of(
            "/values/t2m?sel=lat:46",
            "/tables/t2m?sel=lat:46",
            "/arrays/t2m",
            "/archive/stations",
            "/tiles/t2m/2026-11-02/5/17/11.png",
            "/chunks/t2m",
            "/links/t2m");
    Thread[] clients = new Thread[4];
    List<String> wrong = new CopyOnWriteArrayList<>();
    for (int i = 0; i < clients.length; i++) {
      clients[i] =
          new Thread(
              () -> {
                for (String path : paths) {
                  EntityExchangeResult<byte[]> result = get(path);
                  if (status(result) != 200) {
                    wrong.add(path + ": " + status(result) + " " + text(result));
                  }
                }
              });
      clients[i].start();
    }
    for (Thread each : clients) {
      each.join();
    }
    assertThat(wrong).isEmpty();
    assertThat(service.getBean(ZarrWebFlux.class).slices()).isZero();
  }
}
